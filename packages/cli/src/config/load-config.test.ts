import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findConfigFile, loadConfig } from './load-config.ts';

const CONTEXT = { atEnd: () => undefined };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-config-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('findConfigFile', () => {
  it('takes the nearest file, upwards from the folder', () => {
    const outer = write('askema.config.mjs', 'export default {}');
    const deep = join(folder, 'a', 'b');
    mkdirSync(deep, { recursive: true });
    expect(findConfigFile(deep)).toBe(outer);
    const inner = join(folder, 'a', 'askema.config.ts');
    writeFileSync(inner, 'export default {}');
    expect(findConfigFile(deep)).toBe(inner);
  });
});

describe('loadConfig', () => {
  it('has `tracing.close` called when the command has ended', async () => {
    const functions = ['model', 'embeddings', 'adapter', 'onEvent', 'handler', 'within'].map((part) => `${part}() {}`);
    write('askema.config.mjs', `export default { tracing: { ${functions}, close: () => Promise.reject('called') } };`);
    const ends: (() => Promise<void>)[] = [];
    await loadConfig(folder, undefined, { atEnd: (_owner, work) => void ends.push(work) });
    expect(ends).toHaveLength(1);
    await expect(ends[0]?.()).rejects.toBe('called');
  });

  it('runs TypeScript and returns what is exported', async () => {
    const file = write(
      'askema.config.ts',
      'const shop: string = "./shop.sqlite"; export default { databases: { shop } };',
    );
    expect(await loadConfig(folder, undefined, CONTEXT)).toEqual({
      file,
      config: { databases: { shop: './shop.sqlite' } },
    });
  });

  it('loads the named file instead of the nearest one', async () => {
    write('askema.config.mjs', 'throw new Error("not me")');
    const file = write('other.mjs', 'export default { defaults: { flow: "react" } }');
    expect((await loadConfig(folder, 'other.mjs', CONTEXT)).file).toBe(file);
  });

  it.each([
    ['a file that does not exist', undefined, /does not exist/],
    ['what it throws', 'throw new Error("the vault is closed")', /the vault is closed/],
    ['a syntax error with its line', 'export default {\n  databases: {\n', /line|Unexpected|Expected/],
    [
      'a package that is not installed',
      'import "not-installed-anywhere"; export default {}',
      /not-installed-anywhere.*npm install/,
    ],
    [
      'a tracing that is none',
      'export default { tracing: { model() {}, adapter() {}, onEvent() {} } }',
      /`tracing` lacks `embeddings`, `handler`, `within`.*@askema\/otel/,
    ],
    [
      'a tracing that ends nothing',
      'const f = () => 7; export default { tracing: { model: f, embeddings: f, adapter: f, onEvent: f, handler: f, within: f, close: 7 } }',
      /`tracing\.close` must be a function/,
    ],
    ['no default export', 'export const config = {}', /no default export.*defineConfig/],
    ['a default export of another kind', 'export default 7', /must be an object/],
    ['an unknown section', 'export default { database: {} }', /no section `database`.*`databases`/],
    ['a section that is no object', 'export default { models: [] }', /`models` must be an object/],
    ['an entry that is no database', 'export default { databases: { shop: 7 } }', /`databases\.shop` must be/],
    ['an entry that makes no embeddings', 'export default { embeddings: { m: {} } }', /`embeddings\.m` must be/],
    ['an entry that is no model', 'export default { models: { fast: {} } }', /`models\.fast` must be/],
    ['an entry that is no flow', 'export default { flows: { mine: "plain" } }', /`flows\.mine` must be/],
    [
      'lint rules that are no rules',
      'export default { lint: { rules: [{ code: "mine" }] } }',
      /`lint\.rules\[0\]` must be/,
    ],
    ['something else to lint with', 'export default { lint: { rule: [] } }', /no `lint\.rule`.*`rules`/],
    [
      'a price that is none',
      'export default { prices: { "openai:x": { input: -1, output: 2 } } }',
      /prices\['openai:x'\].*dollars/,
    ],
    ['a price that lacks a part', 'export default { prices: { x: { input: 1 } } }', /prices\['x'\]` must be/],
    [
      'an unknown kind of price',
      'export default { prices: { x: { input: 1, ouput: 1 } } }',
      /no price `ouput`.*`output`/,
    ],
    ['a scheme that is none', 'export default { schemes: { "A b": () => 1 } }', /`schemes\['A b'\]` is no scheme/],
    ['a scheme without a function', 'export default { schemes: { trino: 1 } }', /`schemes\.trino` must be a function/],
    ['an unknown default', 'export default { defaults: { modell: "x" } }', /no default for `modell`.*`model`/],
    [
      'a default that is no count',
      'export default { defaults: { maxSchemaTokens: "8k" } }',
      /`defaults\.maxSchemaTokens` must be a whole number/,
    ],
    ['a default that is no name', 'export default { defaults: { flow: 1 } }', /`defaults\.flow` must be a name/],
  ])('names the file and %s', async (_, text, message) => {
    const file = join(folder, 'broken.ts');
    if (text !== undefined) writeFileSync(file, text);
    const error = await loadConfig(folder, 'broken.ts', CONTEXT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(file) });
    expect((error as Error).message).toMatch(message);
  });
});
