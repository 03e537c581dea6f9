import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));
const PAGE = new URL('../../../../docs/guide/knowledge-metrics.md', import.meta.url);

const namesIn = (text: string, name: RegExp): string[] => [...text.matchAll(name)].map(([, found = '']) => found);

it('the guide explains every reason why a metric is refused, and no other', () => {
  const files = globSync('*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('.test.ts'));
  const text = files.map((file) => readFileSync(`${SOURCES}/${file}`, 'utf8')).join('\n');
  const given = namesIn(text, /\brefused\(([^,]*),/g).flatMap((argument) => namesIn(argument, /(?<!=== )'([a-z-]+)'/g));
  const [, typed = ''] = /type RefusalReason =([^;]*);/.exec(text) ?? [];
  const [section = ''] = /## What is refused[\s\S]*?(?=\n## )/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const rows = namesIn(section, /^\| ((?:`[a-z-]+`(?:, )?)+) \| [^|]+ \|$/gm);
  const listed = rows.flatMap((row) => namesIn(row, /`([a-z-]+)`/g));
  const reasons = [...new Set(given)].sort();
  expect(listed.sort()).toEqual(reasons);
  expect(namesIn(typed, /'([a-z-]+)'/g)).toEqual(reasons);
});
