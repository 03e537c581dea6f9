import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdapterSpec, type Catalog, type CatalogStamps, GENERATE_SQL_TASK_ID } from '@askema/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { failedQuery, type ScriptedAdapter, scriptedAdapter, shopCatalog } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import type { Text2SqlOptions } from '../text2sql-options.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-catalogs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface World {
  catalog: Catalog;
  values: readonly string[];
  data: string;
  structure: string;
}

/** A process that starts, asks and ends. */
async function start(
  world: World,
  { statements = ['SELECT 1'], ...more }: Partial<Text2SqlOptions> & { readonly statements?: readonly string[] } = {},
) {
  let draws = 0;
  const inner: ScriptedAdapter = scriptedAdapter(
    (sql) => (sql.includes('gone') ? failedQuery('no such table: gone') : [[1]]),
    { catalog: world.catalog, samples: world.values },
  );
  const stamps: CatalogStamps = {
    identity: async () => 'shop',
    structure: async () => world.structure,
    data: async () => world.data,
  };
  const adapter: AdapterSpec = {
    ...inner,
    stamps,
    introspector: inner.introspector,
    sampleValues: async (attributes, options) => {
      draws += 1;
      return (await inner.sampleValues?.(attributes, options)) ?? {};
    },
  };
  const model = scriptedSolver(statements);
  const text2sql = createText2Sql({ adapter, model, catalogCache: { folder }, ...more });
  const outcome = await text2sql.ask('Who is Ann?');
  await text2sql.close();
  const schemas = model.asked.map(({ input }) => (input as { schemaText: string }).schemaText);
  return { outcome, draws, reads: inner.introspections, schemas, sent: inner.sent.map(({ sql }) => sql) };
}

const shop = (): World => ({ catalog: shopCatalog(), values: ['Ann'], data: 'd', structure: 's' });

describe('createText2Sql with catalogCache', () => {
  it('reads and draws nothing at its second start, and prompts with the same', async () => {
    const first = await start(shop());
    const second = await start({ ...shop(), catalog: shopCatalog('Not read'), values: ['Not drawn'] });
    expect([first.reads, first.draws, second.reads, second.draws]).toEqual([1, 1, 0, 0]);
    expect(second.schemas).toEqual(first.schemas);
    expect(second.schemas[0]).toContain("'Ann'");
  });

  it('draws new samples where the data has changed, and reads anew where the structure has', async () => {
    await start(shop());
    const data = await start({ ...shop(), data: 'e', values: ['Bob'] });
    expect([data.reads, data.draws]).toEqual([0, 1]);
    expect(data.schemas[0]).toContain("'Bob'");
    expect((await start({ ...shop(), data: 'e' })).draws).toBe(0);
    const structure = await start({ ...shop(), data: 'f', structure: 't', catalog: shopCatalog('New') });
    expect([structure.reads, structure.draws]).toEqual([1, 1]);
    expect(structure.schemas[0]).toContain('New');
  });

  it('keeps nothing where it is not asked to, and nothing of another tenant', async () => {
    await start(shop(), { catalogCache: undefined });
    expect((await start(shop())).reads).toBe(1);
    expect((await start(shop(), { catalogCache: { folder, tenant: 'b' } })).reads).toBe(1);
    expect((await start(shop())).reads).toBe(0);
  });

  it('reads anew once where the engine lacks a name of a catalog that was kept, and goes on with the question', async () => {
    await start({ ...shop(), catalog: shopCatalog('Who buys', 'gone') });
    // The stamps did not tell: it went just now.
    const found = await start(shop(), { statements: ['SELECT name FROM gone', 'SELECT name FROM customer'] });
    expect(found.outcome).toMatchObject({ type: 'answered', sql: 'SELECT name FROM customer' });
    expect([found.reads, found.schemas.length]).toEqual([1, 2]);
    expect(found.schemas[0]).toContain('gone');
    expect(found.schemas[1]).not.toContain('gone');
    expect((await start(shop())).schemas[0]).not.toContain('gone');
  });

  it('where nobody can mend a statement, the next question has the new one', async () => {
    await start({ ...shop(), catalog: shopCatalog('Who buys', 'gone') });
    const model = scriptedSolver(['SELECT name FROM gone'], { supports: (task) => task === GENERATE_SQL_TASK_ID });
    expect((await start(shop(), { model })).outcome.type).toBe('failed');
    expect((await start(shop())).schemas[0]).not.toContain('gone');
  });

  it('takes an unknown name for a mistake where the catalog is as the database', async () => {
    await start(shop());
    const statements = ['SELECT name FROM gone', 'SELECT name FROM gone', 'SELECT name FROM gone'];
    const found = await start(shop(), { statements });
    // Read anew at the first mistake, and not at the others.
    const tried = found.sent.filter((sql) => statements.includes(sql));
    expect([found.outcome.type, found.reads, tried.length]).toEqual(['failed', 1, 3]);
    const fresh = await start({ ...shop(), structure: 't', data: 'e' }, { statements });
    expect([fresh.outcome.type, fresh.reads]).toEqual(['failed', 1]);
  });
});
