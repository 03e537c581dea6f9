import { writeFileSync } from 'node:fs';
import {
  type AdapterSpec,
  AskemaError,
  type Catalog,
  type Dialect,
  EMPTY_SCHEMA,
  type ErrorClass,
  finishCatalog,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { readOnlyText } from '@askema/sql';
import { describe, expect, test } from 'vitest';
import { adapterFixture } from '../fixture/fixtures.ts';
import type { HostileStatement } from '../hostile/hostile-statement.ts';
import { type AdapterBench, type AdapterCase, createBenchRoom } from './adapter-bench.ts';
import type { AdapterFactory } from './adapter-factory.ts';
import { ADAPTER_CASES, runAdapterCase, runInRoom } from './describe-adapter.ts';
import { READ_ONLY_CASES } from './read-only-cases.ts';

test('an expected failure that passes fails; one that fails or hangs passes; others are as they are', async () => {
  const failing = () => Promise.reject(new Error('no'));
  const passing = async () => undefined;
  const hanging = () => new Promise<void>(() => undefined);
  await expect(runAdapterCase('abort', 'no signal', 1_000, passing)).rejects.toThrow(/"abort" passes.*no signal/);
  await runAdapterCase('abort', 'no signal', 1_000, failing);
  await runAdapterCase('abort', 'no signal', 5, hanging);
  await runAdapterCase('abort', undefined, 1_000, passing);
  await expect(runAdapterCase('abort', undefined, 1_000, failing)).rejects.toThrow('no');
  await expect(runAdapterCase('abort', undefined, 5, hanging)).rejects.toThrow(/did not end within 5 ms/);
});

const DIALECT: Dialect = {
  name: 'sqlite',
  displayName: 'Careless',
  identifiers: {
    quote: ['"', '"'],
    escape: 'double',
    unquotedFolding: 'none',
    comparison: 'insensitive',
    plainPattern: '\\w+',
    reservedWords: [],
    qualifiers: [],
  },
  lexer: {
    lineComments: [],
    blockComments: 'none',
    stringQuotes: ["'"],
    backslashEscapes: false,
    dollarQuotes: false,
    identifierQuotes: [],
    parameterPrefixes: [],
  },
  types: {
    native: { NUMERIC: 'N', TEXT: 'T', DATETIME: 'D', BINARY: 'B', BOOL: 'L' },
    logical: [],
    fallback: 'TEXT',
  },
  ddl: { primaryKey: 'none', foreignKey: 'none', unique: 'none', forwardReference: 'inline' },
  errors: [],
  hints: [],
  probes: {},
  foreignFunctions: { NVL: 'COALESCE' },
};

const NOTHING: Catalog = finishCatalog({
  schemaVersion: 1,
  dialect: 'sqlite',
  name: 'careless',
  nameComparison: 'insensitive',
  schema: EMPTY_SCHEMA,
  relations: {},
  attributes: {},
  uniqueKeys: [],
  checks: [],
  families: [],
  keyStanding: {},
  incomplete: [{ subject: 'catalog', reason: 'not read' }],
});

/** Answers everything with the same row, knows no caps, no deadline, no signal and no error, and cannot be closed. */
function carelessAdapter(): AdapterSpec {
  return {
    contract: 1,
    dialect: DIALECT,
    name: 'careless',
    access: 'write',
    executor: {
      async *execute() {
        yield { type: 'columns', columns: [{ name: '?', nativeType: '', type: 'TEXT' }] };
        yield { type: 'rows', rows: [['nonsense']] };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => NOTHING },
    planner: { check: async () => ({ verdict: 'ok', statement: 'read' }) },
    sampleValues: async () => ({}),
    close: () => Promise.reject(new Error('cannot be closed')),
  };
}

/** The rows of a table of the shop, where they are asked for. */
function countOf(sql: string): number | undefined {
  const name = /^SELECT COUNT\(\*\) FROM "(\w+)"$/.exec(sql)?.[1];
  return adapterFixture('shop').tables.find((table) => table.name === name)?.rows.length;
}

/** Every case of the hostile corpora that needs no objects to be planted, one after another. */
async function runHostile(bench: AdapterBench): Promise<void> {
  for (const [id, { run }] of Object.entries<AdapterCase>(READ_ONLY_CASES))
    if (id !== 'read-only-planted' && id !== 'read-only-call') await run(bench);
}

describe('the read-only cases', () => {
  const reading = (failure: AskemaError): AdapterSpec => ({
    ...carelessAdapter(),
    executor: {
      async *execute(sql) {
        const count = countOf(sql);
        if (count === undefined && sql !== 'SELECT 1' && sql !== 'OPEN SESAME') throw failure;
        yield { type: 'columns', columns: [{ name: '?', nativeType: '', type: 'NUMERIC' }] };
        yield { type: 'rows', rows: [[count ?? 1]] };
        yield { type: 'end' };
      },
    },
  });
  const run = async (failure: AskemaError, hostileStatements: readonly HostileStatement[] = []) => {
    const loaded = {
      open: () => reading(failure),
      folder: 'SESAME',
      state: async () => 'same',
      dispose: async () => undefined,
    };
    const { bench } = await createBenchRoom({ load: async () => loaded, hostileStatements }).enter();
    return runHostile(bench);
  };
  const unrefused = (attack: string) => ({ actual: expect.arrayContaining([expect.objectContaining({ attack })]) });
  const refused = new AskemaError('QUERY_REFUSED', 'no');
  const failed = (errorClass: ErrorClass) => new AskemaError('QUERY_FAILED', 'no', { details: { errorClass } });

  test('a statement may be refused, or not even be parsed; to fail by accident is not enough', async () => {
    await run(refused);
    await run(failed('syntax'));
    await expect(run(failed('constraint'))).rejects.toMatchObject(unrefused('plain insert'));
  });

  test("attacks of the engine's own SQL count as well", async () => {
    const attack: HostileStatement = { harm: 'reach', attack: 'magic word', sql: 'OPEN {folder}' };
    await expect(run(refused, [attack])).rejects.toMatchObject(unrefused('magic word'));
    await run(refused, [{ ...attack, sql: 'OPEN PARSLEY' }]);
  });

  /** SQLite's SQL under another name, on an engine that has `writefile`, guarded by the text alone. */
  const careless = (dialect: Dialect, afterwards: 'answers' | 'fails'): AdapterSpec => ({
    ...carelessAdapter(),
    dialect,
    access: 'read',
    executor: {
      async *execute(sql) {
        if (!readOnlyText(sql, dialect.lexer).ok) throw refused;
        const file = /writefile"?\('([^']+)/.exec(sql)?.[1];
        if (file !== undefined) writeFileSync(file, 'x');
        const count = file === undefined ? countOf(sql) : 1;
        if (afterwards === 'fails' && file !== undefined) throw failed('type');
        if (count === undefined && sql !== 'SELECT 1') throw failed('function');
        yield { type: 'columns', columns: [{ name: '?', nativeType: '', type: 'NUMERIC' }] };
        yield { type: 'rows', rows: [[count ?? 1]] };
        yield { type: 'end' };
      },
    },
  });
  const runOn = async (spec: AdapterSpec) => {
    const loaded = { open: () => spec, state: async () => 'same', dispose: async () => undefined };
    const { bench } = await createBenchRoom({ load: async () => loaded }).enter();
    return runHostile(bench);
  };
  const heir: Dialect = { ...sqliteDialect, name: 'libsql' };
  const listless: Dialect = { ...heir, lexer: { ...heir.lexer, statements: undefined } };

  test('an heir of SQLite that writes files fails, whatever it is called and whatever it answers', async () => {
    await expect(runOn(careless(listless, 'answers'))).rejects.toMatchObject(unrefused('write a file'));
    await expect(runOn(careless(listless, 'fails'))).rejects.toMatchObject({
      actual: expect.arrayContaining([
        expect.objectContaining({ attack: 'write a file', outcome: 'QUERY_FAILED', left: ['hacked.txt'] }),
      ]),
    });
  });

  test("with the functions that SQLite's dialect lists it passes", () => runOn(careless(heir, 'answers')));

  test('rows that come or go fail, also where the factory sees no change', async () => {
    const spec = careless(heir, 'answers');
    const losing: AdapterSpec = {
      ...spec,
      executor: {
        async *execute(sql, options) {
          for await (const event of spec.executor.execute(sql, options))
            yield event.type === 'rows' && countOf(sql) === 1 ? { type: 'rows', rows: [[0]] } : event;
        },
      },
    };
    await expect(runOn(losing)).rejects.toMatchObject({ actual: { name: 'shipment', rows: [[0]] } });
  });

  test('an engine of which no attack is known needs those of the factory', async () => {
    const unknown: Dialect = { ...heir, name: 'klingon', displayName: 'Klingon', grammar: undefined };
    await expect(runOn(careless(unknown, 'answers'))).rejects.toThrow(
      /no attacks in the SQL of Klingon.*hostileStatements/,
    );
  });
});

test('names that the engine cannot have are left out of the fixture and of the cases', async () => {
  const loads: string[][] = [];
  const room = createBenchRoom({
    load: async ({ tables }) => {
      loads.push(tables.map(({ name }) => name));
      return { open: carelessAdapter, state: async () => '', dispose: async () => undefined };
    },
    unusableNames: { 'emoji 🦊': 'names end at U+FFFF', größe: 'for the test' },
  });
  const { bench } = await room.enter();
  const { fixture } = await bench.open('names');
  expect(bench.names).not.toContain('emoji 🦊');
  expect(bench.names).toContain('表');
  expect(loads.at(-1)).toEqual([...bench.names, 'columns', 'references']);
  const references = fixture.tables.find(({ name }) => name === 'references');
  expect(references?.columns.map(({ name }) => name)).not.toContain('größe');
  expect(fixture.tables.find(({ name }) => name === 'columns')?.rows).toEqual([bench.names.map((_, at) => at)]);
});

test('a failure shows the statement that was sent last', async () => {
  const loaded = { open: carelessAdapter, state: async () => 'same', dispose: async () => undefined };
  const room = createBenchRoom({ load: async () => loaded });
  const failure = runInRoom(ADAPTER_CASES['error-table'], room);
  await expect(failure).rejects.toThrow(/The statement that was sent last:\nSELECT \* FROM custommer$/);
});

test('every case says in a sentence of its own what it promises', () => {
  const titles = Object.values<AdapterCase>(ADAPTER_CASES).map(({ title }) => title);
  expect(titles.filter((title) => !/^[A-Z`].*\.$/.test(title))).toEqual([]);
  expect(new Set(titles).size).toBe(titles.length);
});

describe('a careless adapter fails every case', () => {
  test.each(Object.entries<AdapterCase>(ADAPTER_CASES))('%s', async (_id, { run }) => {
    const state = () => Promise.resolve(String(Math.random()));
    const room = createBenchRoom({
      load: async () => ({ open: carelessAdapter, state, dispose: () => Promise.resolve() }),
    });
    const { bench } = await room.enter();
    await expect(run(bench)).rejects.toThrow();
  });
});

test('statements are those of the grammar, and the factory has the last word', async () => {
  const statementsOf = async (dialect: Dialect, statements: AdapterFactory['statements'] = {}) => {
    const open = () => ({ ...carelessAdapter(), dialect });
    const load = async () => ({ open, state: async () => '', dispose: async () => undefined });
    return (await createBenchRoom({ load, statements }).enter()).bench.statements;
  };
  const heir: Dialect = { ...sqliteDialect, name: 'libsql' };
  expect((await statementsOf(heir)).text(4)).toContain('zeroblob(2)');
  expect((await statementsOf(heir)).infinity('-')).toBe('SELECT -9e999');
  expect((await statementsOf(heir, { infinity: () => 'SELECT inf' })).infinity('')).toBe('SELECT inf');
  expect((await statementsOf(DIALECT)).text(4)).toBe("SELECT REPEAT('x', 4)");
});
