import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from './workspace.ts';

const FIXTURES = join(ROOT, 'scripts', 'consumer', 'fixtures');
const PROCESSES = 'driver-in-processes';
const guide = readFileSync(join(ROOT, 'docs', 'guide', 'adapters.md'), 'utf8');
const readmeOf = (name: string): string => readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8');

/** Each block of code: the file that it is from, and its pieces, between which lines of the file are left out. */
function blocksOf(page: string, fixture: string) {
  return [...page.matchAll(/```ts file=(\S+)\n(.*?)\n```/gs)].map(([, file = '', code = '']) => ({
    fixture,
    file,
    pieces: code.split('\n// …\n'),
  }));
}
const blocks = blocksOf(guide, 'third-party-adapter');
const processBlocks = [...blocksOf(readmeOf('adapter-kit'), PROCESSES), ...blocksOf(readmeOf('testkit'), PROCESSES)];

describe.each([...blocks, ...processBlocks])('$fixture/$file', ({ fixture, file, pieces }) => {
  it('is shown as it is', () => {
    const text = readFileSync(join(FIXTURES, fixture, file), 'utf8');
    let from = 0;
    for (const piece of pieces) {
      const at = text.indexOf(piece, from);
      expect({ piece, isThere: at >= 0 }).toEqual({ piece, isThere: true });
      from = at + piece.length;
    }
  });
});

describe('a driver in processes', () => {
  it('has both sides in the README of the kit, and its suite in that of the testkit', () => {
    const files = processBlocks.map(({ file }) => file);
    expect(files).toEqual(['src/talk.ts', 'src/worker.ts', 'src/pool.ts', 'src/crashes.test.ts']);
  });
});

describe('docs/guide/adapters.md', () => {
  it('has code of every part, and none that no file has', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(9);
    expect(guide.match(/```ts/g)).toHaveLength(blocks.length);
    expect(new Set(blocks.map(({ file }) => file))).toEqual(
      new Set(
        ['duckdb', 'duckdb-dialect', 'executor', 'introspector', 'session', 'diagnose', 'conformance.test'].map(
          (name) => `src/${name}.ts`,
        ),
      ),
    );
  });

  it('names every part of an adapter', () => {
    const spec = readFileSync(join(ROOT, 'packages/core/src/adapter/adapter-spec.ts'), 'utf8');
    const body = /interface AdapterSpec \{(.*?)\n\}/s.exec(spec)?.[1] ?? '';
    const parts = [...body.matchAll(/^ {2}(?:readonly )?(\w+)/gm)].map(([, part]) => part ?? '');
    const described = parts.filter((part) => !['contract', 'name', 'access'].includes(part));
    expect(described.length).toBeGreaterThanOrEqual(11);
    expect(described.filter((part) => !guide.includes(`| \`${part}\` |`))).toEqual([]);
  });

  /** The packages of section 1, each with the names that its row has. */
  const packages = [...guide.matchAll(/^\| \[?`@askema\/([\w-]+)`.*\|([^|]*)\|$/gm)].map(
    ([, name = '', names = '']) => ({
      name,
      names: [...names.matchAll(/`(\w+)`/g)].map(([, one = '']) => one),
    }),
  );

  it('says of which package the names are that its code imports', () => {
    expect(packages.map(({ name }) => name)).toEqual(['core', 'adapter-kit', 'sql', 'dialects', 'testkit']);
    const missing = blocks.flatMap(({ fixture, file, pieces }) =>
      importsOf(readFileSync(join(FIXTURES, fixture, file), 'utf8'))
        .filter(({ name }) => pieces.some((piece) => new RegExp(`\\b${name}\\(`).test(piece)))
        .filter(({ from, name }) => !packages.some((one) => one.name === from && one.names.includes(name))),
    );
    expect(missing).toEqual([]);
  });

  it.each(packages)('takes from $name what it exports', async ({ name, names }) => {
    const exported = await import(pathToFileURL(join(ROOT, 'packages', name, 'src', 'index.ts')).href);
    expect(names.filter((one) => !(one in exported))).toEqual([]);
  });
});

/** The values that a file imports from packages of ours. */
function importsOf(text: string): { from: string; name: string }[] {
  return [...text.matchAll(/^import \{([^}]*)\} from '@askema\/([\w-]+)';$/gm)].flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ from, name })),
  );
}
