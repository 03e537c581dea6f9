import { AskemaError, type CallEvent, createCallContext, indexSchema } from '@askema/core';
import { describe, expect, test } from 'vitest';
import { createIntrospector, type IntrospectorOptions } from './introspector.ts';
import { answerFrom, column, type FakeAccount, type FakeTable } from './test-support/fake-account.ts';
import { fakeSession, refusal } from './test-support/fake-session.ts';

const NOT_NULL = { view: { IS_NULLABLE: 'NO' } };

const CUSTOMERS: FakeTable = {
  name: 'CUSTOMERS',
  columns: [
    column('ID', 'NUMBER(38,0)', {
      view: { IS_NULLABLE: 'NO', IS_IDENTITY: 'YES', COLUMN_DEFAULT: null },
      shown: { autoincrement: 'IDENTITY START 1 INCREMENT 1' },
    }),
    column('name', 'TEXT(16777216)', { view: { COMMENT: 'as it stands on the contract' } }),
    column('CREDIT', 'NUMBER(12,2)', { view: { COLUMN_DEFAULT: '0' } }),
    column('PHOTO', 'BINARY(8388608)'),
    column('SCORE', 'FLOAT'),
    column('SINCE', 'TIMESTAMP_NTZ'),
    column('ACTIVE', 'BOOLEAN'),
  ],
  view: { ROW_COUNT: 12, BYTES: 4096, COMMENT: 'who buys', CLUSTERING_KEY: 'LINEAR(SINCE, UPPER("name"), "name")' },
  shown: { rows: 12, bytes: 4096, comment: 'who buys', cluster_by: 'LINEAR(SINCE, UPPER("name"), "name")' },
};

const ORDERS: FakeTable = {
  name: 'ORDERS',
  columns: [
    column('LINE', 'NUMBER(38,0)', NOT_NULL),
    column('NO', 'NUMBER(38,0)', NOT_NULL),
    column('CUSTOMER', 'NUMBER(38,0)'),
  ],
  view: { ROW_COUNT: 0, BYTES: 0 },
  shown: { rows: 0, bytes: 0 },
};

const BIG: FakeTable = {
  name: 'BIG',
  columns: [column('NO', 'NUMBER(38,0)')],
  definition: 'CREATE VIEW BIG AS SELECT NO FROM ORDERS',
};

const key = (table: string, name: string, sequence: number, constraint: string) => ({
  table_name: table,
  column_name: name,
  key_sequence: sequence,
  constraint_name: constraint,
});

const ACCOUNT: FakeAccount = {
  SALES: {
    PUBLIC: {
      tables: [BIG, CUSTOMERS, ORDERS],
      primaryKeys: [
        key('ORDERS', 'LINE', 2, 'SYS_1'),
        key('ORDERS', 'NO', 1, 'SYS_1'),
        key('CUSTOMERS', 'ID', 1, 'SYS_2'),
      ],
      uniqueKeys: [key('CUSTOMERS', 'name', 1, 'SYS_3')],
      importedKeys: [
        {
          pk_database_name: 'SALES',
          pk_schema_name: 'PUBLIC',
          pk_table_name: 'CUSTOMERS',
          pk_column_name: 'ID',
          fk_database_name: 'SALES',
          fk_schema_name: 'PUBLIC',
          fk_table_name: 'ORDERS',
          fk_column_name: 'CUSTOMER',
          key_sequence: 1,
          fk_name: 'SYS_4',
        },
      ],
    },
    STAGING: { tables: [{ name: 'raw "rows"', columns: [column('V', 'VARIANT')] }] },
  },
  HR: { PUBLIC: { tables: [{ ...CUSTOMERS, name: 'PEOPLE' }] } },
};

const OPTIONS: IntrospectorOptions = { name: 'acme/SALES', timeoutMs: 10_000, nestedFields: 'off' };

function introspect(
  session = fakeSession(answerFrom(ACCOUNT)),
  options: Partial<IntrospectorOptions> = {},
  call: { include?: readonly string[]; emit?: (event: CallEvent) => void; signal?: AbortSignal } = {},
) {
  const { include, ...context } = call;
  return createIntrospector(session, { ...OPTIONS, ...options }).introspect({
    include,
    context: createCallContext(context),
  });
}

const namesOf = (catalog: Awaited<ReturnType<typeof introspect>>) =>
  Object.values(catalog.relations).map(
    ({ nameParts: { database, schema, relation } }) => `${database}.${schema}.${relation}`,
  );

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (problem: AskemaError) => problem.code,
  );

describe('a catalog of INFORMATION_SCHEMA', () => {
  test('has tables, columns, keys and counts as Snowflake writes them', async () => {
    const catalog = await introspect();
    expect(namesOf(catalog)).toEqual([
      'SALES.PUBLIC.BIG',
      'SALES.PUBLIC.CUSTOMERS',
      'SALES.PUBLIC.ORDERS',
      'SALES.STAGING.raw "rows"',
    ]);
    const index = indexSchema(catalog);
    const idOf = (name: string): string => index.relationsNamed(name)[0]?.id ?? '';
    const customers = idOf('CUSTOMERS');
    expect(catalog.relations[customers]).toMatchObject({
      kind: 'table',
      comment: 'who buys',
      rowCount: 12,
      rowCountExact: true,
      byteCount: 4096,
      partitioning: {
        kind: 'cluster',
        filterRequired: false,
        attributes: ['SINCE', 'name'].map((name) => index.attributeNamed(customers, name)?.id),
      },
    });
    expect(
      index.attributesOf(customers).map(({ id, name, type }) => [name, type, catalog.attributes[id]?.nativeType]),
    ).toEqual([
      ['ID', 'NUMERIC', 'NUMBER(38,0)'],
      ['name', 'TEXT', 'VARCHAR(16777216)'],
      ['CREDIT', 'NUMERIC', 'NUMBER(12,2)'],
      ['PHOTO', 'BINARY', 'BINARY(8388608)'],
      ['SCORE', 'NUMERIC', 'FLOAT'],
      ['SINCE', 'DATETIME', 'TIMESTAMP_NTZ'],
      ['ACTIVE', 'BOOL', 'BOOLEAN'],
    ]);
    const attribute = (name: string) => catalog.attributes[index.attributeNamed(customers, name)?.id ?? ''];
    expect(attribute('ID')).toMatchObject({ generated: 'identity', defaultExpression: undefined });
    expect(attribute('name')?.comment).toBe('as it stands on the contract');
    expect(attribute('CREDIT')?.defaultExpression).toBe('0');
    const orders = idOf('ORDERS');
    const named = (ids: readonly string[] = []) => ids.map((id) => index.attribute(id)?.name);
    expect(named(index.primaryKey(orders)?.attributes)).toEqual(['NO', 'LINE']);
    expect(catalog.keyStanding[orders]).toBe('informational');
    expect(index.foreignKeysFrom(orders).map(({ target }) => target)).toEqual([customers]);
    expect(catalog.uniqueKeys.map(({ attributes }) => named(attributes))).toEqual([['name']]);
    expect(catalog.relations[idOf('BIG')]).toMatchObject({
      kind: 'view',
      definition: expect.stringContaining('SELECT NO'),
    });
    expect(catalog.incomplete).toEqual([]);
  });

  test('is the same by SHOW, where INFORMATION_SCHEMA gives too much', async () => {
    const tooMuch = (sql: string): void => {
      if (sql.includes('.INFORMATION_SCHEMA.'))
        throw refusal(
          '090030',
          'Information schema query returned too much data. Please repeat query with more selective predicates.',
        );
    };
    const session = fakeSession(answerFrom(ACCOUNT, tooMuch));
    const [shown, selected] = [await introspect(session), await introspect()];
    expect(shown.fingerprint).toBe(selected.fingerprint);
    expect(Object.values(shown.relations).map(({ rowCount }) => rowCount)).toEqual(
      Object.values(selected.relations).map(({ rowCount }) => rowCount),
    );
  });

  test('tells kinds apart, and enforced keys of hybrid tables', async () => {
    const tables = [
      { TABLE_TYPE: 'MATERIALIZED VIEW' },
      { TABLE_TYPE: 'EXTERNAL TABLE', ROW_COUNT: 5 },
      { IS_DYNAMIC: 'YES' },
      { TABLE_TYPE: 'EVENT TABLE' },
      { IS_HYBRID: 'YES', ROW_COUNT: 5 },
    ].map((view, at) => ({ name: `T${at}`, columns: [column('ID', 'NUMBER(38,0)')], view }));
    const schema = { tables, primaryKeys: [key('T4', 'ID', 1, 'P4'), key('T0', 'ID', 1, 'P0')] };
    const catalog = await introspect(fakeSession(answerFrom({ SALES: { PUBLIC: schema } })));
    expect(Object.values(catalog.relations).map(({ kind, rowCountExact }) => [kind, rowCountExact])).toEqual([
      ['materialized view', undefined],
      ['external table', false],
      ['materialized view', undefined],
      ['table', undefined],
      ['table', false],
    ]);
    expect(Object.keys(catalog.keyStanding)).toEqual([catalog.schema.relations[0]?.id]);
  });
});

describe('what is read', () => {
  test('several databases and some of their schemas; names without quotes are upper case', async () => {
    const catalog = await introspect(undefined, { databases: ['SALES', 'hr'], schemas: ['public'] });
    expect(namesOf(catalog)).toEqual([
      'SALES.PUBLIC.BIG',
      'SALES.PUBLIC.CUSTOMERS',
      'SALES.PUBLIC.ORDERS',
      'HR.PUBLIC.PEOPLE',
    ]);
    expect(catalog.incomplete).toEqual([]);
  });

  test('only schemas that a glob can mean are asked', async () => {
    const session = fakeSession(answerFrom(ACCOUNT));
    const catalog = await introspect(session, {}, { include: ['SALES.STAGING.*'] });
    expect(namesOf(catalog)).toEqual(['SALES.STAGING.raw "rows"']);
    expect(session.sent.filter((sql) => sql.includes('"PUBLIC"'))).toEqual([]);
    const orders = await introspect(undefined, {}, { include: ['ORD*'] });
    expect(namesOf(orders)).toEqual(['SALES.PUBLIC.ORDERS']);
    expect(orders.incomplete).toEqual([]);
  });

  test('a schema and a database that may not be seen are gaps', async () => {
    const denied = (sql: string): void => {
      if (/"STAGING"/.test(sql) && !sql.startsWith('SHOW TERSE')) throw refusal('003001', 'Insufficient privileges');
    };
    const answer = answerFrom(ACCOUNT, denied);
    const session = fakeSession((sql, parameters) => {
      if (parameters[0] === 'STAGING') throw refusal('003001', 'Insufficient privileges');
      return answer(sql, parameters);
    });
    const catalog = await introspect(session, { databases: ['SALES', 'SECRET'] });
    expect(namesOf(catalog)).toHaveLength(3);
    expect(catalog.incomplete.map(({ subject, reason }) => [subject, reason])).toEqual([
      ['SECRET', expect.stringContaining("Database 'SECRET' does not exist or not authorized")],
      ['SALES.STAGING', expect.stringMatching(/^its tables and views may not be read: .*Insufficient privileges/)],
    ]);
  });

  test('keys that may not be seen are a gap; the tables are there', async () => {
    const session = fakeSession(
      answerFrom(ACCOUNT, (sql) => {
        if (sql.includes('IMPORTED KEYS')) throw refusal('003001', 'Insufficient privileges');
      }),
    );
    const catalog = await introspect(session, { schemas: ['PUBLIC'] });
    expect(namesOf(catalog)).toHaveLength(3);
    expect(catalog.incomplete.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^its keys may not be read/),
    ]);
  });

  test('nothing to see at all is an error', async () => {
    expect(await codeOf(introspect(undefined, { databases: ['NOWHERE'] }))).toBe('QUERY_FAILED');
    expect(await codeOf(introspect(undefined, { schemas: ['PUBLIK'] }))).toBe('DATABASE_NOT_FOUND');
    await expect(introspect(undefined, { schemas: ['PUBLIK'] })).rejects.toThrow('PUBLIC');
    const nowhere: Parameters<typeof fakeSession>[1] = undefined;
    const session = { ...fakeSession(answerFrom(ACCOUNT)), place: async () => ({ database: nowhere }) };
    expect(await codeOf(introspect(session))).toBe('CONFIG_INVALID');
  });
});

describe('more than one answer holds', () => {
  const refuseViews = (sql: string): void => {
    if (sql.includes('.INFORMATION_SCHEMA.')) throw refusal('090030', 'too much data');
  };

  test('tables come page by page, columns and keys table by table', async () => {
    const tables = Array.from({ length: 10_050 }, (_, at) => ({
      name: `T${String(at).padStart(5, '0')}`,
      columns: [column('ID', 'NUMBER(38,0)')],
    }));
    const primaryKeys = tables.map(({ name }) => key(name, 'ID', 1, `P${name}`));
    const session = fakeSession(answerFrom({ SALES: { PUBLIC: { tables, primaryKeys } } }, refuseViews));
    const catalog = await introspect(session, { timeoutMs: 60_000 });
    expect(catalog.schema.relations).toHaveLength(10_050);
    expect(catalog.schema.attributes).toHaveLength(10_050);
    expect(catalog.schema.primaryKeys).toHaveLength(10_050);
    expect(session.sent).toContain(`SHOW TABLES IN SCHEMA "SALES"."PUBLIC" LIMIT 10000 FROM 'T09999'`);
    expect(session.most()).toBeLessThanOrEqual(4);
  }, 60_000);

  test('a server that ignores FROM ends nothing', async () => {
    const tables = Array.from({ length: 10_000 }, (_, at) => ({ name: `T${at}`, columns: [] }));
    const answer = answerFrom({ SALES: { PUBLIC: { tables } } }, refuseViews);
    const session = fakeSession((sql, parameters) => answer(sql.replace(/ FROM '.*'$/, ''), parameters));
    const catalog = await introspect(session);
    expect(catalog.schema.relations).toHaveLength(10_000);
  }, 60_000);
});

describe('what ends it', () => {
  test('an abort and the deadline, at once', async () => {
    const never = fakeSession(() => new Promise(() => undefined));
    const controller = new AbortController();
    const promise = introspect(never, {}, { signal: controller.signal });
    controller.abort();
    expect(await codeOf(promise)).toBe('ABORTED');
    expect(await codeOf(introspect(never, { timeoutMs: 5 }))).toBe('QUERY_TIMEOUT');
  });

  test('a lost connection; what waits is not sent any more', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`S${at}`, { tables: [CUSTOMERS] }]));
    const answer = answerFrom({ SALES: many });
    const session = fakeSession((sql, parameters) => {
      if (sql.includes('.INFORMATION_SCHEMA.'))
        throw new AskemaError('DATABASE_UNAVAILABLE', 'The connection is lost.');
      return answer(sql, parameters);
    });
    expect(await codeOf(introspect(session))).toBe('DATABASE_UNAVAILABLE');
    await new Promise((resolve) => setImmediate(resolve));
    expect(session.sent.length).toBeLessThan(8);
  });

  test('tells how far it is', async () => {
    const events: CallEvent[] = [];
    await introspect(undefined, {}, { emit: (event) => events.push(event) });
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ done: 1, of: 2 }),
      expect.objectContaining({ done: 2, of: 2 }),
    ]);
    expect(events.map(({ data }) => data.schema).sort()).toEqual(['SALES.PUBLIC', 'SALES.STAGING']);
  });
});
