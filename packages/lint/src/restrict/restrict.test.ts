import {
  type AdapterSpec,
  AskemaError,
  buildCatalog,
  createCallContext,
  type ErrorCode,
  finishCatalog,
  type PlanVerdict,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { createSqlParser } from '@askema/sql-parser';
import { afterAll, describe, expect, test } from 'vitest';
import { restrict } from './restrict.ts';
import { fakeShop, idOf, orThrow, SHOP } from './test-support/fake-shop.ts';

const parser = createSqlParser();
afterAll(() => parser.close());

const SQL = 'SELECT total FROM orders';

describe('the engine is asked after our parser', () => {
  const run = (plan: Partial<PlanVerdict>, sql = SQL) =>
    restrict(fakeShop(plan), { hide: ['users.ssn'], mask: ['users.email'], parser }).query(sql);
  const reads = (relation: string, ...columns: readonly string[]) => ({
    reads: [{ nameParts: { relation }, columns }],
  });

  test.each([
    ['a relation of which something is kept back', reads('users')],
    ['a relation that is not in the catalog', reads('sqlite_schema')],
    ['a hidden column', reads('users', 'ssn')],
    ['a function of a user', { routines: ['length(integer)'] }],
  ])('it refuses a statement that reads %s', async (_what, plan) => {
    await expect(run(plan)).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.not.stringMatching(/ssn|users/),
    });
  });

  test('what the text names may be read, and no column of it that the text does not name', async () => {
    const name = 'SELECT name FROM users';
    await expect(run(reads('users', 'name', 'id'), name)).resolves.toBeDefined();
    await expect(run(reads('users', 'email'), name)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    await expect(run(reads('users', '*'), name)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    await expect(run(reads('users', 'email'), 'SELECT COUNT(email) FROM users')).resolves.toBeDefined();
    await expect(run({ verdict: 'unknown' })).resolves.toBeDefined();
  });

  test('a text that would keep the program busy is refused', async () => {
    const nested = `SELECT ${'abs('.repeat(2_000)}1${')'.repeat(2_000)}`;
    await expect(run({}, nested)).rejects.toThrow(/nests brackets more than 1000 deep/);
    await expect(run({}, `SELECT 1${', pi()'.repeat(50_000)}`)).rejects.toThrow(/more than 100000 characters/);
  });

  test('a hidden column is refused in the same words wherever it comes from', async () => {
    const messageOf = (sql: string) => run({}, sql).then(String, (error: Error) => error.message);
    for (const sql of [
      'SELECT o.NAME FROM (SELECT * FROM users) AS o',
      'SELECT s FROM (SELECT NAME AS s FROM users) AS o',
      'WITH o AS (SELECT NAME AS s FROM users) SELECT s FROM o ORDER BY s',
    ]) {
      const [hidden, unknown] = await Promise.all(['ssn', 'ssx'].map((name) => messageOf(sql.replace('NAME', name))));
      expect(hidden?.replaceAll('ssn', 'ssx').replace(/ Did you mean.*/, '')).toBe(
        unknown?.replace(/ Did you mean.*/, ''),
      );
    }
  });

  test('what the engine does not plan is not run, and keeps its error', async () => {
    const error = { message: 'no such function: f', details: { code: 'QUERY_FAILED', errorClass: 'function' } };
    await expect(run({ verdict: 'invalid', error })).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringMatching(/^SQLite did not run the statement: a function in it is not known/),
      details: { errorClass: 'function' },
    });
    await expect(run({ verdict: 'invalid', error: { message: 'try ssn' } })).rejects.toMatchObject({
      message: expect.not.stringContaining('ssn'),
    });
  });

  test('a name that is not there comes with near ones of those that are shown', async () => {
    const asked = restrict(fakeShop(), { hide: ['users.ssn'], parser });
    const refusal = (sql: string) => asked.query(sql).catch((thrown: AskemaError) => thrown.message);
    expect(await refusal('SELECT totals FROM orders')).toContain('Did you mean `total`?');
    expect(await refusal('SELECT ssns FROM users')).not.toContain('Did you mean');
  });
});

test('sizes, defaults and types of rows tell nothing of what is kept back, and neither do partitions', async () => {
  const { fingerprint: _, ...built } = buildCatalog({
    dialect: sqliteDialect,
    name: 'shop',
    relations: [
      {
        nameParts: { relation: 'people' },
        kind: 'table',
        ...{ rowCount: 7, rowCountExact: true, byteCount: 8_192 },
        attributes: [
          { name: 'id', nativeType: 'int' },
          { name: 'email', nativeType: 'text' },
          { name: 'nick', nativeType: 'text', defaultExpression: 'substring(`email`,1,3)' },
        ],
      },
      { nameParts: { relation: 'salaries' }, kind: 'table', attributes: [{ name: 'pay', nativeType: 'int' }] },
      {
        nameParts: { relation: 'log' },
        kind: 'table',
        attributes: ['salaries', 'salaries[]', 'public."salaries"[]', 'pay (domain: salaries)', 'text'].map(
          (nativeType, at) => ({
            name: `c${at}`,
            nativeType,
          }),
        ),
      },
      { nameParts: { relation: 'sales' }, kind: 'table', attributes: [{ name: 'total', nativeType: 'int' }] },
    ],
  });
  const { sales, ...others } = built.relations;
  const partitioning = { kind: 'partition' as const, attributes: [], filterRequired: false };
  const catalog = finishCatalog({ ...built, relations: { ...others, sales: { ...orThrow(sales), partitioning } } });
  const spec = {
    ...fakeShop({
      reads: [{ nameParts: { relation: 'sales' }, partition: { schema: 'hr', relation: 'sales_hr' } }],
      ...{ estimatedRows: 7, estimatedBytes: 70 },
    }),
    introspector: { introspect: async () => catalog },
  };
  const shown = async (hide: readonly string[], mask: readonly string[]) => {
    const { relations, attributes } = await restrict(spec, { hide, mask, parser }).introspect();
    return { people: relations.people, names: [...Object.keys(relations), ...Object.keys(attributes)] };
  };
  const { people, names } = await shown(['salaries'], ['people.email']);
  expect([people?.rowCount, people?.byteCount]).toEqual([undefined, undefined]);
  expect(names).toEqual(['people', 'log', 'sales', 'people#id', 'people#email', 'log#c4', 'sales#total']);
  expect((await shown(['salaries', 'hr.*'], [])).names).not.toContain('sales');
  const masks = restrict(spec, { mask: ['people.email', 'hr.*'], parser });
  expect((await masks.introspect()).attributes['sales#total']).toMatchObject({ masked: true });
  const plan = await masks.planner.check('SELECT COUNT(*) FROM sales', {
    timeoutMs: 1_000,
    context: createCallContext(),
  });
  expect(plan).toEqual({ verdict: 'ok', relations: undefined });
});

test('views behind one another are tried again only where a view that they name is shown', async () => {
  const count = 40;
  const name = (n: number): string => (n === count ? 'orders' : `v${n}`);
  const views = Array.from({ length: count }, (_, n) => ({
    nameParts: { relation: name(n) },
    kind: 'view' as const,
    definition: `CREATE VIEW ${name(n)} AS SELECT total FROM ${name(n + 1)}`,
    attributes: [{ name: 'total', nativeType: '' }],
  }));
  const table = (relation: string) => ({
    nameParts: { relation },
    kind: 'table' as const,
    attributes: [{ name: 'total', nativeType: '' }],
  });
  const catalog = buildCatalog({
    dialect: sqliteDialect,
    name: 'shop',
    relations: [...views, table('orders'), table('salaries')],
  });
  let parsed = 0;
  const parse: typeof parser.parse = (...asked) => {
    parsed += 1;
    return parser.parse(...asked);
  };
  const spec = { ...fakeShop(), introspector: { introspect: async () => catalog } };
  const adapter = restrict(spec, { hide: ['salaries'], parser: { ...parser, parse } });
  expect((await adapter.introspect()).schema.relations).toHaveLength(count + 1);
  expect(parsed).toBeLessThanOrEqual(2 * count);
});

describe('the words of the engine', () => {
  const LINE = 'CSV Error on Line: 7\nOriginal Line: 7,anna,treasure';
  const failed = new AskemaError('QUERY_FAILED', LINE, {
    details: {
      sql: 'SELECT 1 -- inner',
      errorClass: 'type',
      vendorCode: 'X1',
      treasure: 'treasure',
      nearestNames: ['treasure'],
    },
    cause: new Error('treasure'),
  });
  const breaking = (thrown: unknown): AdapterSpec => {
    const fails = async () => {
      throw thrown;
    };
    return {
      ...fakeShop(),
      executor: {
        // biome-ignore lint/correctness/useYield: it fails before its first event
        async *execute() {
          throw thrown;
        },
      },
      planner: {
        check: async () => ({ verdict: 'invalid', error: { message: LINE, details: { code: 'QUERY_FAILED' } } }),
      },
      sampleValues: fails,
      diagnose: fails,
    };
  };
  const texts = async (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      (value) => JSON.stringify(value),
      (thrown: AskemaError) => `${JSON.stringify(thrown)} ${String(thrown.cause)} ${thrown.stack}`,
    );

  test.each([
    ['of a statement', failed],
    ['of a database', new AskemaError('DATABASE_INVALID', LINE)],
    ['of a process', new AskemaError('DATABASE_UNAVAILABLE', LINE, { retryable: true })],
    ['that no adapter has explained', new Error(LINE)],
  ])('%s are in no error', async (_what, thrown) => {
    const spec = { ...breaking(thrown), planner: fakeShop().planner as NonNullable<AdapterSpec['planner']> };
    const adapter = restrict(spec, { hide: ['users.ssn'], parser });
    const context = createCallContext();
    const catalog = await adapter.introspect();
    for (const ask of [
      () => adapter.query(SQL),
      () => adapter.sampleValues([idOf('orders', 'total')], { catalog, limit: 1, timeoutMs: 1000, context }),
      () => adapter.diagnose(),
    ])
      expect(await texts(ask())).not.toMatch(/anna|treasure/);
    const broken = restrict({ ...spec, introspector: { introspect: () => Promise.reject(failed) } }, { parser });
    expect(await texts(broken.introspect())).not.toMatch(/anna|treasure/);
  });

  test('code, class, number and statement stay', async () => {
    const spec = { ...breaking(failed), planner: fakeShop().planner as NonNullable<AdapterSpec['planner']> };
    await expect(restrict(spec, { hide: ['users.ssn'], parser }).query(SQL)).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      details: { sql: SQL, errorClass: 'type', vendorCode: 'X1' },
    });
  });

  test.each<[ErrorCode]>([
    ['QUERY_TIMEOUT'],
    ['QUERY_REFUSED'],
    ['QUERY_FAILED'],
    ['DATABASE_LOCKED'],
    ['DATABASE_NOT_FOUND'],
    ['CALLER_REFUSED'],
  ])('what is said with %s does not depend on what is hidden', async (code) => {
    const spec = {
      ...breaking(new AskemaError(code, 'The engine took the words id, name, total and ssn.')),
      planner: fakeShop({ relations: ['orders', 'users'] }).planner as NonNullable<AdapterSpec['planner']>,
    };
    const said = new Set<unknown>();
    for (const hide of ['users.name', 'users.ssn', 'users.email', 'users']) {
      const adapter = restrict(spec, { hide: [hide], parser });
      said.add(await adapter.query(SQL).catch(({ message }: AskemaError) => message));
      const planned = await adapter.planner.check(SQL, { timeoutMs: 1000, context: createCallContext() });
      expect(planned.relations).toEqual(hide === 'users' ? ['orders'] : ['orders', 'users']);
    }
    expect(said.size).toBe(1);
  });

  test('of a role that may not be taken on are replaced by what to do about it', async () => {
    const spec = {
      ...breaking(new AskemaError('CALLER_REFUSED', LINE)),
      planner: fakeShop().planner as NonNullable<AdapterSpec['planner']>,
    };
    const said = await texts(restrict(spec, { hide: ['users.ssn'], parser }).query(SQL));
    expect(said).toMatch(/role of the caller .* granted to the user of the connection(?!.*(?:anna|treasure))/);
  });

  test('of a plan are in no verdict and no error', async () => {
    const adapter = restrict(breaking(failed), { hide: ['users.ssn'], parser });
    const planned = adapter.planner.check(SQL, { timeoutMs: 1000, context: createCallContext() });
    expect(await planned).toMatchObject({ verdict: 'invalid', error: { details: { code: 'QUERY_FAILED' } } });
    for (const asked of [planned, adapter.query(SQL)]) expect(await texts(asked)).not.toMatch(/anna|treasure/);
  });

  test('of findings and gaps are left out, and so are gaps that a pattern hides', async () => {
    const gaps = [
      { subject: 'secret_plans', reason: 'its file cannot be read: x' },
      { subject: 'other', reason: `its file cannot be read: ${LINE}` },
      { subject: 'third', reason: 'stands beside secret_plans' },
    ];
    const spec: AdapterSpec = {
      ...fakeShop(),
      introspector: { introspect: async () => finishCatalog({ ...SHOP, incomplete: gaps }) },
      diagnose: async () => ({
        server: 'SQLite 3',
        place: {},
        readOnly: { by: 'engine', explanation: '' },
        findings: [
          { severity: 'warning', code: 'unreadable-file', message: `other.csv cannot be read: ${LINE}` },
          { severity: 'warning', code: 'unreadable-file', message: 'secret_plans.csv cannot be read' },
        ],
      }),
    };
    const adapter = restrict(spec, { hide: ['SECRET*'], parser });
    expect((await adapter.introspect()).incomplete).toEqual([{ subject: 'other', reason: 'its file cannot be read' }]);
    const { findings } = await adapter.diagnose();
    expect(findings.map(({ message }) => message)).toEqual([
      'other.csv cannot be read',
      expect.stringContaining('Kept back'),
    ]);
  });
});

describe('patterns by tag', () => {
  const namesWith = async (hide: readonly string[]): Promise<readonly string[]> => {
    const { schema } = await restrict(fakeShop(), { hide, parser }).introspect();
    return schema.attributes.map(({ relation, name }) => `${relation}.${name}`);
  };

  test('hide what has the tag, with or without its value, and show no tags', async () => {
    expect(await namesWith(['tag:*/pii'])).not.toContain('users.ssn');
    expect(await namesWith(['tag:*/pii'])).toContain('users.name');
    expect((await namesWith(['tag:team=HR'])).filter((name) => name.startsWith('orders'))).toEqual([]);
    expect(await namesWith(['tag:team'])).toEqual(['users.id', 'users.name', 'users.ssn', 'users.email']);
    expect(JSON.stringify(await restrict(fakeShop(), { mask: ['tag:*/pii'], parser }).introspect())).not.toContain(
      'tax/2',
    );
  });

  test.each([['tag:pii'], ['tag:team=sales']])('%s, which nothing has, is an error', async (pattern) => {
    await expect(namesWith([pattern])).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('there are tax/2/PII, team'),
    });
  });

  test('an adapter that reads no tags is an error', async () => {
    await expect(restrict(fakeShop({}, false), { hide: ['tag:pii'], parser }).introspect()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('does not read them'),
    });
  });
});
