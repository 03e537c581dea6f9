import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

it('docs/guide/tracing.md names the versions that its tests run', () => {
  const [, table = ''] = read('docs/guide/tracing.md').split('\n## Tested\n');
  const named = [...table.matchAll(/^\| .*?`(.+?)`\)? \| (\S+) \|/gm)].map(([, name, version]) => [name, version]);
  const pinned: Record<string, string> = {};
  for (const path of ['packages/otel/package.json', 'servers/package.json']) {
    const { dependencies, devDependencies } = JSON.parse(read(path));
    Object.assign(pinned, dependencies, devDependencies);
  }
  const modules = /^\t(go\.opentelemetry\.io\/collector\/otelcol) v(\S+)$/m.exec(read('servers/collector/go.mod'));
  pinned[modules?.[1] ?? ''] = modules?.[2] ?? '';
  expect(named).toEqual(named.map(([name]) => [name, pinned[name ?? '']]));
  const used = Object.keys(pinned).filter((name) => /^@opentelemetry\/(?!resources|semantic)/.test(name));
  expect(named.map(([name]) => name)).toEqual(expect.arrayContaining([modules?.[1], ...used]));
});
