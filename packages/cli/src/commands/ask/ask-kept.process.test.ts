import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

/** A model that answers with the schema of its prompt, so that a test sees what was read. */
const CONFIG = `
  import { defineConfig } from 'askema';
  import { sqlite } from '@askema/sqlite';
  import { scriptedModel } from '@askema/testkit';
  const shown = (request) => "SELECT '" + JSON.stringify(request.messages).replaceAll("'", '') + "' AS shown";
  export default defineConfig({
    databases: { named: 'shop.sqlite', made: () => sqlite({ file: new URL('shop.sqlite', import.meta.url) }) },
    restrict: { named: { hide: ['order'], mask: ['*.name'] } },
    models: { showing: scriptedModel((request) => shown(request)) },
    defaults: { model: 'showing', flow: 'direct' },
  });
`;

let project: TemporaryProject;
let home = '';
let rounds = 0;
beforeAll(() => {
  project = temporaryProject();
  project.write('askema.config.ts', CONFIG);
  project.write('off/askema.config.ts', CONFIG.replace('models:', 'catalogs: { keep: false }, models:'));
  project.write(
    'own/askema.config.ts',
    CONFIG.replace('models:', "catalogs: { folder: 'kept', maxAgeMs: 60_000 }, models:"),
  );
  project.write('bad/askema.config.ts', CONFIG.replace('models:', "catalogs: { maxAge: '1d' }, models:"));
});
afterAll(() => project.remove());
beforeEach(() => {
  rounds += 1;
  home = project.path(`home-${rounds}`);
  mkdirSync(home);
  project.database(`shop-${rounds}.sqlite`, SHOP_SQL);
  project.database(`named-${rounds}.sqlite`, SHOP_SQL);
  writeFileSync(project.path('shop.sqlite'), readFileSync(project.path(`named-${rounds}.sqlite`)));
});

const shop = (): string => project.path(`shop-${rounds}.sqlite`);
const folder = (): string => join(home, 'askema', 'catalogs');
const kept = (): readonly string[] => (existsSync(folder()) ? readdirSync(folder()) : []);
const contentOf = (name: string): string => readFileSync(join(folder(), name), 'utf8');

async function ask(
  database: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
  cwd = project.folder,
) {
  const finished = await runInProcess(['ask', database, 'How many?', '--format', 'json', ...flags], {
    cwd,
    env: { XDG_CACHE_HOME: home, ...env },
  });
  expect(finished.stderr).not.toContain('error:');
  return String(JSON.parse(finished.stdout).result?.rows[0][0]);
}

function change(sql: string): void {
  const database = new Database(shop());
  database.exec(sql);
  database.close();
}

describe('askema ask keeps what it has read', { timeout: 60_000 }, () => {
  it('in a file for this user alone, and uses it until the database changes', async () => {
    expect(await ask(shop())).toContain('customer');
    const [file = '', ...others] = kept();
    expect([others, contentOf(file).includes('"customer"')]).toEqual([[], true]);
    if (process.platform !== 'win32')
      expect([statSync(folder()).mode & 0o777, statSync(join(folder(), file)).mode & 0o777]).toEqual([0o700, 0o600]);
    // The file is what is shown: a name in it that the database does not have.
    const text = contentOf(file);
    const [head = '', packed = '', drawn = ''] = text.split('\n');
    const renamed = `${packed.replaceAll('customer', 'clients_')}\n${drawn}\n`;
    const { createHash } = await import('node:crypto');
    const digest = createHash('sha256').update(renamed).digest('hex');
    writeFileSync(join(folder(), file), `${JSON.stringify({ ...JSON.parse(head), digest })}\n${renamed}`);
    expect(await ask(shop())).toContain('clients_');
    expect(await ask(shop(), ['--refresh'])).not.toContain('clients_');
    expect(await ask(shop())).not.toContain('clients_');
    change('CREATE TABLE later (x INT)');
    expect(await ask(shop())).toContain('later');
  });

  it('nowhere where it is turned off, and in the folder that is named', async () => {
    await ask(shop(), [], { ASKEMA_CATALOGS: 'off' });
    await ask(shop(), [], {}, project.path('off'));
    expect(kept()).toEqual([]);
    await ask(shop(), [], {}, project.path('own'));
    expect(readdirSync(project.path('own/kept'))).toHaveLength(1);
    const named = join(home, 'named');
    await ask(shop(), [], { ASKEMA_CATALOGS: named });
    expect([readdirSync(named).length, kept()]).toEqual([1, []]);
    const bad = await runInProcess(['ask', shop(), 'How many?'], { cwd: project.path('bad') });
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('`catalogs.maxAge`')]);
  });

  it('nothing of a database of which something is hidden or masked, and gives it nothing', async () => {
    await ask(shop());
    const [whole = ''] = kept();
    const before = contentOf(whole);
    const shown = await ask(shop(), ['--hide', 'order', '--mask', '*.name']);
    expect([shown.includes('customer'), shown.includes('total')]).toEqual([true, false]);
    expect([kept(), contentOf(whole)]).toEqual([[whole], before]);
    expect(await ask('named')).not.toContain('total');
    expect(kept()).toEqual([whole]);
  });

  it('nothing of an adapter that the configuration makes: its code may narrow it', async () => {
    expect(await ask('made')).toContain('customer');
    expect(kept()).toEqual([]);
  });

  it('nothing where the home cannot be written to, and answers all the same', async () => {
    for (const XDG_CACHE_HOME of ['/dev/null/x', join(home, 'not', 'there')])
      expect(await ask(shop(), [], { XDG_CACHE_HOME })).toContain('customer');
    mkdirSync(join(home, 'askema'));
    mkdirSync(folder());
    chmodSync(folder(), 0o777);
    expect(await ask(shop())).toContain('customer');
    if (process.platform !== 'win32') expect(kept()).toEqual([]);
  });
});
