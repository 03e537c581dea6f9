import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.database('empty.sqlite', '');
  project.database('renamed.bin', SHOP_SQL);
  project.write('notes.txt', 'No database.');
  project.write('data/none/read.me', '');
  project.write('notes.sqlite', 'This is no database, only a text that is long enough to have a header.'.repeat(20));
  project.write('data/other.db', '');
  const file = JSON.stringify(project.path('shop.sqlite'));
  project.write('askema.config.ts', scriptedConfig(['SELECT count(*) AS n FROM customer'], databases(file)));
});
afterAll(() => project.remove());

const databases = (file: string) => `
  databases: {
    shop: './shop.sqlite',
    opened: async ({ access }) => (await import('@askema/sqlite')).sqlite({ file: ${file}, access }),
    readOnly: async () => (await import('@askema/sqlite')).sqlite({ file: ${file} }),
    broken: () => { throw new Error('the vault is closed'); },
    nothing: () => 7,
    half: () => ({ dialect: {}, introspector: {} }),
    wrong: 'oracle://ada:secret-word@db/shop',
    byAddress: 'sqlite:./shop.sqlite',
  },
`;

const ask = (parameters: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(['ask', ...parameters], { cwd: project.folder, env });

describe('DATABASE', () => {
  it.each([
    ['shop.sqlite'],
    ['sqlite:shop.sqlite'],
    ['./shop.sqlite'],
    ['shop'],
    ['opened'],
    ['byAddress'],
    ['renamed.bin'],
  ])('%s is found', async (address) => {
    expect(await ask([address, 'How many?', '--format', 'csv'])).toMatchObject({ code: 0, stdout: 'n\r\n5\r\n' });
  });

  it.each([
    ['shopp.sqlite', /There is no database shopp\.sqlite.*`shop\.sqlite`/, 'DATABASE_NOT_FOUND'],
    ['shopp', /There is no database shopp\. Did you mean `shop`/, 'DATABASE_NOT_FOUND'],
    ['dta/other.db', /The folder .*dta does not exist\. Did you mean `data`/, 'DATABASE_NOT_FOUND'],
    ['data', /data is a folder\. Databases in it: data\/other\.db/, 'DATABASE_INVALID'],
    ['notes.sqlite', /notes\.sqlite/, 'DATABASE_INVALID'],
    ['data/none', /data\/none is a folder without databases and without Parquet/, 'DATABASE_INVALID'],
    ['notes.txt', /notes\.txt is no file that can be asked: SQLite and DuckDB databases/, 'DATABASE_INVALID'],
    [
      'oracle://ada:secret-word@db/shop',
      /start with `oracle:`.*postgres:\/\/host.*askema\.config\.ts/,
      'CAPABILITY_UNSUPPORTED',
    ],
    ['postgre://ada:secret-word@db/shop', /Did you mean `postgres` or/, 'CAPABILITY_UNSUPPORTED'],
    ['file://ada/shop', /file:\/\/\/absolute\/path/, 'CONFIG_INVALID'],
    ['wrong', /start with `oracle:`/, 'CAPABILITY_UNSUPPORTED'],
    ['broken', /askema\.config\.ts: `databases\.broken` failed: the vault is closed/, 'CONFIG_INVALID'],
    ['nothing', /askema\.config\.ts: `databases\.nothing` returned no adapter\./, 'CONFIG_INVALID'],
    ['half', /`databases\.half` returned no adapter: what it returned lacks `executor`\./, 'CONFIG_INVALID'],
    ['How many customers?', /reads like a question, and the database comes first/, 'DATABASE_NOT_FOUND'],
    ['show all customers', /reads like a question, and the database comes first/, 'DATABASE_NOT_FOUND'],
    ['my old shop.sqlite', /There is no database my old shop\.sqlite\. (?!It reads)/, 'DATABASE_NOT_FOUND'],
  ])('%s exits with 2 and says what to do', async (address, message, errorCode) => {
    const { code, stdout, stderr } = await ask([address, 'How many?']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`[${errorCode}`);
    expect(stderr).not.toMatch(/secret-word|\n\s+at /);
  });

  it('that is opened for reading cannot be written to', async () => {
    const { code, stderr } = await ask(['readOnly', 'Delete all', '--write', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/`databases\.readOnly` is opened for reading only.*\(\{ access \}\)/);
  });
});

describe('--model', () => {
  it.each([
    ['opnai:gpt-6', /--model "opnai:gpt-6": no provider is called `opnai`\. Did you mean `openai`/],
    ['scriptd', /no model or provider is called `scriptd`\. Did you mean `scripted`/],
    ['openai:gpt-6', /`openai` needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL/],
    ['anthropic', /`anthropic` needs a key: set ANTHROPIC_API_KEY/],
    ['lexical:big', /`lexical` is built in and takes no model name/],
  ])('%s exits with 2', async (name, message) => {
    const { code, stdout, stderr } = await ask(['shop.sqlite', 'How many?', '--model', name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('says so when no Ollama answers', async () => {
    const { code, stderr } = await ask(['shop.sqlite', 'How many?', '--model', 'ollama']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/No Ollama answers at http:\/\/127\.0\.0\.1:1; start it/);
  });

  it('goes before ASKEMA_MODEL, and that before the configuration and the keys', async () => {
    const env = { ASKEMA_MODEL: 'nobody:1', OPENAI_API_KEY: 'sk-none' };
    expect((await ask(['shop', 'How many?'], env)).stderr).toContain('ASKEMA_MODEL "nobody:1"');
    expect((await ask(['shop', 'How many?', '--model', 'scripted'], env)).code).toBe(0);
    expect((await ask(['shop', 'How many?'], { OPENAI_API_KEY: 'sk-none' })).code).toBe(0);
  });
});

describe('askema.config', () => {
  it('names databases, models and flows, and what is meant when none is named', async () => {
    project.write(
      'full/askema.config.ts',
      `import { defineConfig } from 'askema';
       import { scriptedModel } from '@askema/testkit';
       export default defineConfig({
         databases: { shop: '../shop.sqlite' },
         models: { one: scriptedModel(() => 'SELECT 42 AS n'), alias: 'one' },
         defaults: { database: 'shop', model: 'alias', flow: 'direct' },
       });`,
    );
    const options = { cwd: project.path('full') };
    const answer = await runInProcess(['ask', 'What is the answer?', '--format', 'json'], options);
    expect(JSON.parse(answer.stdout)).toMatchObject({
      origin: { flow: 'direct', model: 'scripted:scripted' },
      result: { rows: [[42]] },
    });
    expect(answer.code).toBe(0);
    const named = await runInProcess(['ask', 'shop', 'How many?', '--config', '../full/askema.config.ts'], options);
    expect(named.code).toBe(0);
  });

  it('is an ES module, also in a package of CommonJS', async () => {
    project.write('common/package.json', '{ "type": "commonjs" }');
    project.write('common/models.ts', "export const models: Record<string, string> = { mine: 'lexical' };");
    const text = "import { models } from './models.ts'; export default { models };";
    project.write('common/askema.config.ts', text);
    const options = { cwd: project.path('common') };
    expect(await runAskema(['models'], options)).toMatchObject({ code: 0, stdout: expect.stringContaining('mine') });
    const script = project.write('common/config.js', text);
    const other = await runAskema(['models', '--config', script], options);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringMatching(/"type": "module"/) });
  });

  it('with TypeScript that Node does not run is reported with file and reason', async () => {
    const file = project.write('enum.ts', 'enum A { x }\nexport default {};\n');
    const { code, stderr } = await runAskema(['ask', 'x', 'How many?', '--config', 'enum.ts'], {
      cwd: project.folder,
    });
    expect(code).toBe(2);
    expect(stderr).toContain(file);
    expect(stderr).toMatch(/enum is not supported/);
  });
});
