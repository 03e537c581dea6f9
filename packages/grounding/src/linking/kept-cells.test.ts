import {
  type Adapter,
  abortedError,
  attributeId,
  type CallContext,
  type Catalog,
  createCallContext,
  finishCatalog,
  relationId,
} from '@askema/core';
import { fixtureDialect } from '@askema/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeptCells } from './kept-cells.ts';
import { searchValues } from './probe-values.ts';

const TOWN = relationId(['town']);
const NAME = attributeId(TOWN, 'name');
const catalog: Catalog = finishCatalog({
  schemaVersion: 1,
  dialect: 'sqlite',
  name: 'memory',
  nameComparison: 'insensitive',
  schema: {
    relations: [{ id: TOWN, name: 'town' }],
    attributes: [{ id: NAME, relation: TOWN, name: 'name', type: 'TEXT' }],
    primaryKeys: [],
    foreignKeys: [],
    domainConstraints: [],
  },
  relations: Object.fromEntries([[TOWN, { nameParts: { relation: 'town' }, kind: 'table', rowCount: 2 }]]),
  attributes: Object.fromEntries([[NAME, { position: 1, nativeType: 'TEXT' }]]),
  uniqueKeys: [],
  checks: [],
  families: [],
  keyStanding: {},
  incomplete: [],
});

interface Asked {
  readonly parameters?: string[];
  readonly maxRows: number;
  readonly context: CallContext;
}

/** A database of which `towns` and `stamp` can be changed; `asked` are its statements. */
function open(towns: string[], stamp: string | undefined = '1') {
  const database = { towns, stamp, looks: 0, asked: [] as string[], onAsked: () => {} };
  const adapter = {
    dialect: fixtureDialect,
    stamps: {
      data: async () => {
        database.looks += 1;
        return database.stamp;
      },
    },
    query: async (sql: string, { parameters = [], maxRows, context: { signal } }: Asked) => {
      database.asked.push(sql);
      database.onAsked();
      // As an adapter does: a statement ends with the signal of its call.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw abortedError('The statement');
      const all = database.towns.filter((town) => parameters.length === 0 || parameters.includes(town.toLowerCase()));
      const rows = all.slice(0, maxRows).map((town) => [0, town]);
      return { columns: [], rows, elapsedMs: 0, ...(all.length > maxRows ? { truncated: 'rows' } : {}) };
    },
  } as unknown as Adapter;
  const kept = createKeptCells(adapter);
  const search = async (question: string, signal?: AbortSignal) =>
    (await searchValues(adapter, catalog, question, { context: createCallContext({ signal }), kept })).matches.map(
      ({ value }) => value,
    );
  return { database, search };
}

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

describe('kept cells', () => {
  it('are read by the second search, and found without a statement from then on', async () => {
    const { database, search } = open(['Bern', 'Rome']);
    expect(await search('Who lives in Bern?')).toEqual(['Bern']);
    expect(database.looks).toBe(0);
    expect(await search('Who lives in Rome?')).toEqual(['Rome']);
    expect(database.asked).toHaveLength(2);
    expect(await search('Who lives in "bern"?')).toEqual(['Bern']);
    expect(await search('Who lives in Oslo?')).toEqual([]);
    expect(database.asked).toHaveLength(2);
    expect(database.looks).toBe(1);
  });

  it.each([
    ['the cells', 3],
    ['what a column says yes with', 4],
  ])('are read for all who wait, also when one of them stops: %s', async (_, statement) => {
    const { database, search } = open(['Bern']);
    await search('Who has the name Bern?');
    const stop = new AbortController();
    database.onAsked = () => {
      if (database.asked.length === statement) stop.abort();
    };
    const [stopped, other] = [search('Who has the name Bern?', stop.signal), search('Who has the name Bern?')];
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await other).toEqual(['Bern']);
    expect(database.asked).toHaveLength(4);
  });

  it('are read anew when the data have changed, a second later at most', async () => {
    const { database, search } = open(['Bern']);
    await search('Bern');
    await search('Bern');
    Object.assign(database, { towns: ['Oslo'], stamp: '2' });
    vi.advanceTimersByTime(1_100);
    expect(await search('Who lives in Oslo?')).toEqual(['Oslo']);
    expect(await search('Who lives in Bern?')).toEqual([]);
  });

  it('are not kept where the database cannot tell whether its data have changed', async () => {
    const { database, search } = open(['Bern'], undefined);
    Object.assign(database, { stamp: undefined });
    for (const _ of [1, 2, 3]) expect(await search('Who lives in Bern?')).toEqual(['Bern']);
    expect(database.asked).toHaveLength(3);
  });

  it('are asked for question by question where they are too many', async () => {
    const { database, search } = open(Array.from({ length: 50_001 }, (_, at) => `Town${at}`));
    for (const _ of [1, 2, 3]) expect(await search('Who lives in Town50000?')).toEqual(['Town50000']);
    // The attempt to read all is made once.
    expect(database.asked).toHaveLength(4);
  });
});
