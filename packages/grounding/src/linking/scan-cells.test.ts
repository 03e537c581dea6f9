import type { Catalog, ExecuteOptions } from '@askema/core';
import { AskemaError, createCallContext, resolveAdapter } from '@askema/core';
import { catalogFixture, fixtureSpec, resultEvents, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { type ScanCellsOptions, scanCells } from './scan-cells.ts';

const CELLS: Readonly<Record<string, readonly unknown[]>> = {
  written_by: ['Casey, Todd', 'Chang, Michael', 'Jones, Ben'],
  title: ['The Rise of the Blue Beetle!', 'Dawn of the Dead Man!', 'Todd Casey'],
  name: ['JetBlue Airways', 'Alaska Airways', 'United Airlines'],
  code: [7, 8n, 'x9', null, true],
};

const schema = schemaFixture({
  cartoon: { attributes: ['written_by TEXT', 'title TEXT', 'episode NUMERIC'] },
  airline: { attributes: ['name TEXT', 'code TEXT'] },
});

function open(
  options: Partial<ScanCellsOptions> = {},
  on: (sql: string, options: ExecuteOptions) => Promise<void> = async () => undefined,
  catalog: Catalog = catalogFixture(schema),
) {
  const statements: string[] = [];
  const adapter = resolveAdapter(
    fixtureSpec(async function* (sql, execute) {
      statements.push(sql);
      await on(sql, execute);
      const attribute = /DISTINCT "(\w+)"/.exec(sql)?.[1] ?? '';
      const limit = Number(/LIMIT (\d+)/.exec(sql)?.[1]);
      yield* resultEvents((CELLS[attribute] ?? []).slice(0, limit));
    }),
  );
  return { index: scanCells({ adapter, catalog, ...options }), statements };
}

const context = createCallContext();
const WRITTEN_BY = 'cartoon#written_by';

describe('scanCells', () => {
  it('finds the cells of an attribute that are most like a text', async () => {
    const { index, statements } = open();
    const found = await index.find({ text: 'Todd Casey', attributes: [WRITTEN_BY], limit: 5, context });
    expect(found).toEqual([{ mention: 'Todd Casey', attribute: WRITTEN_BY, value: 'Casey, Todd', score: 0.92 }]);
    expect(statements).toEqual([
      'SELECT DISTINCT "written_by" FROM "cartoon" WHERE "written_by" IS NOT NULL LIMIT 20001',
    ]);
  });

  it('searches text attributes everywhere, the most alike first', async () => {
    const { index, statements } = open();
    const found = await index.find({ text: 'todd casey', limit: 5, context });
    expect(found.map(({ attribute, value }) => `${attribute}: ${value}`)).toEqual([
      'cartoon#title: Todd Casey',
      'cartoon#written_by: Casey, Todd',
    ]);
    expect(statements.join()).not.toContain('episode');
  });

  it('reads an attribute once, also for callers at the same time', async () => {
    const { index, statements } = open();
    const query = { text: 'jet blue', attributes: ['airline#name'], limit: 2, context };
    await Promise.all([index.find(query), index.find(query), index.covers('airline#name', context)]);
    await index.find(query);
    expect(statements).toHaveLength(1);
  });

  it('says how much it knows', async () => {
    const { index } = open();
    expect(await index.covers(WRITTEN_BY, context)).toBe('whole');
    expect(await open({ maxCellsPerAttribute: 2 }).index.covers(WRITTEN_BY, context)).toBe('part');
    expect(await index.covers('no#such', context)).toBe('none');
    const [id] = schema.relations.map((relation) => relation.id);
    const plain = catalogFixture(schema);
    const relations = { ...plain.relations, [id ?? '']: { ...plain.relations[id ?? ''], rowCount: 2_000_000 } };
    const big = open({}, undefined, { ...plain, relations } as Catalog);
    expect(await big.index.covers(WRITTEN_BY, context)).toBe('none');
    expect(big.statements).toEqual([]);
  });

  it('takes numbers in text columns for cells', async () => {
    const { index } = open();
    const query = { attributes: ['airline#code'], limit: 3, context };
    expect((await index.find({ ...query, text: '7' })).map(({ value }) => value)).toEqual(['7']);
    expect((await index.find({ ...query, text: 'X 9' })).map(({ value }) => value)).toEqual(['x9']);
  });

  it('leaves out what fails and does not try it again', async () => {
    const { index, statements } = open({}, async (sql) => {
      if (sql.includes('written_by')) throw new AskemaError('QUERY_TIMEOUT', 'Too slow.');
    });
    const found = await index.find({ text: 'todd casey', limit: 5, context });
    expect(found.map(({ value }) => value)).toEqual(['Todd Casey']);
    expect(await index.covers(WRITTEN_BY, context)).toBe('none');
    expect(statements.filter((sql) => sql.includes('written_by'))).toHaveLength(1);
  });

  it('reads again for the others when the caller in whose name it reads goes away', async () => {
    const gone = new AbortController();
    const { index, statements } = open({}, async (_sql, { context: asked }) => {
      gone.abort();
      if (asked.signal?.aborted) throw new AskemaError('ABORTED', 'Stopped.');
    });
    const query = { text: 'Ben Jones', attributes: [WRITTEN_BY], limit: 1 };
    const first = index.find({ ...query, context: createCallContext({ signal: gone.signal }) });
    const second = index.find({ ...query, context });
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await second).map(({ value }) => value)).toEqual(['Jones, Ben']);
    expect(statements).toHaveLength(2);
  });

  it('stops with ABORTED before it reads', async () => {
    const { index, statements } = open();
    const aborted = createCallContext({ signal: AbortSignal.abort() });
    await expect(index.find({ text: 'x', limit: 1, context: aborted })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(statements).toEqual([]);
  });

  it('forgets what was not used for longest when memory is short', async () => {
    const { index, statements } = open({ maxCachedBytes: 2_000 });
    for (const attribute of [WRITTEN_BY, 'airline#name', WRITTEN_BY])
      await index.find({ text: 'x', attributes: [attribute], limit: 1, context });
    expect(statements).toHaveLength(3);
  });

  it('returns what it has when a search everywhere takes too long', async () => {
    const late = Promise.withResolvers<void>();
    const { index } = open({ searchTimeoutMs: 20 }, async (sql) => {
      if (sql.includes('title')) await late.promise;
    });
    const found = await index.find({ text: 'todd casey', limit: 5, context });
    expect(found.map(({ attribute }) => attribute)).toEqual([WRITTEN_BY]);
    late.resolve();
  });
});
