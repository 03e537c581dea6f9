import { copyFileSync, readFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli } from '../../run-cli.ts';
import { type ChatProject, chatProject } from '../../testing/chat-project.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { NAMES } from './slash/slash-commands.ts';

const root = (path: string): string => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));
const GUIDE = readFileSync(root('docs/guide/chat.md'), 'utf8');
const [, SESSION = ''] = /^```text\n\$ askema chat store\.sqlite\n([\s\S]*?)^```/m.exec(GUIDE) ?? [];

const byLevel = (year: number): string => `SELECT loyalty_level, COUNT(*) AS orders
FROM "order" JOIN customers USING (customer_id)
WHERE ordered_at >= '${year}-01-01' AND ordered_at < '${year + 1}-01-01'
GROUP BY loyalty_level ORDER BY orders DESC`;
const inYear = (year: number): string =>
  `SELECT COUNT(*) AS orders FROM "order" WHERE ordered_at >= '${year}-01-01' AND ordered_at < '${year + 1}-01-01'`;
const BY_LEVEL = 'How many orders were there in 2023, by loyalty level?';
const LATER = 'How many orders were there in 2024, by loyalty level?';

let project: ChatProject;
beforeAll(() => {
  project = chatProject({
    read: {
      'and by loyalty level?': { kind: 'refine', turn: 1, question: BY_LEVEL },
      'and in 2024?': { kind: 'refine', turn: 2, question: LATER },
      'how did the number of all orders change?': {
        kind: 'explain',
        turn: 3,
        question: 'How did the number of orders change from 2023 to 2024?',
        questions: ['How many orders were there in 2023?', 'How many orders were there in 2024?'],
      },
    },
    write: {
      'How many orders were there in 2023?': inYear(2023),
      'How many orders were there in 2024?': inYear(2024),
      [BY_LEVEL]: byLevel(2023),
      [LATER]: byLevel(2024),
    },
    tell: {
      'How did the number of orders change from 2023 to 2024?':
        'There were [[2:1:1]] orders in 2024 after [[1:1:1]] in 2023, a change of [[2:1:1 % 1:1:1]].',
    },
  });
  copyFileSync(root('examples/store.sqlite'), project.path('store.sqlite'));
});
afterAll(() => project.remove());

/** What erases a line, with what stood there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this character is what is looked for
const ERASED = /[^\n]*\u001b\[2K/g;

/** What a terminal shows at the end: without progress, cursor and times. */
function shownText(written: string): string {
  return stripVTControlCharacters(written.replaceAll(ERASED, ''))
    .replaceAll('\r', '')
    .replaceAll(/\d+(\.\d+)? m?s$/gm, '0 ms');
}

async function typeSession(lines: readonly string[]): Promise<string> {
  let written = '';
  const screen = (): Writable & { readonly isTTY: boolean; readonly columns: number } =>
    Object.assign(
      new Writable({
        write(chunk, _, done) {
          written += String(chunk);
          done();
        },
      }),
      { isTTY: true, columns: 100 },
    );
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const memory = memoryHost({ cwd: project.folder, env: { NO_COLOR: '1', ...project.env } });
  const ended = runCli(['chat', 'store.sqlite'], { ...memory, stdin, stdout: screen(), stderr: screen() });
  for (const [at, line] of lines.entries()) {
    await vi.waitFor(() => expect(shownText(written).match(/^askema> /gm)).toHaveLength(at + 1), { timeout: 10_000 });
    stdin.write(`${line}\r`);
  }
  expect(await ended).toBe(0);
  return shownText(written);
}

describe('docs/guide/chat.md', () => {
  it('shows a session as it is', { timeout: 30_000 }, async () => {
    const lines = [...SESSION.matchAll(/^askema> (.*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(4);
    const shown = await typeSession(lines);
    expect(shown.trimEnd()).toBe(shownText(SESSION).trimEnd());
  });

  it('has a row for every command', () => {
    const rows = [...GUIDE.matchAll(/^\| `(\/[a-z]+)/gm)].map(([, name]) => name);
    expect(rows).toEqual(NAMES.filter((name) => name !== '/branch'));
  });
});
