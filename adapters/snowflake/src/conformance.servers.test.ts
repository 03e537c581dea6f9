import { snowflakeDialect, writeDdl } from '@askema/dialects';
import { type AdapterFactory, describeAdapter } from '@askema/testkit';
import { afterAll, beforeAll } from 'vitest';
import { snowflake } from './snowflake.ts';
import { fixtureStatements } from './test-support/fixture-statements.ts';
import { type StartedFakesnow, startFakesnow } from './test-support/start-fakesnow.ts';

let server: StartedFakesnow;
beforeAll(async () => {
  server = await startFakesnow();
}, 600_000);
afterAll(() => server?.stop());

let made = 0;

const factory: AdapterFactory = {
  async load(fixture) {
    made += 1;
    const database = `${fixture.name.toUpperCase()}_${made}`;
    const schema = 'PUBLIC';
    const statements = fixtureStatements(fixture);
    // Five hundred tables take half a minute through fakesnow, and a second through DuckDB, which has the types of these.
    if (fixture.name === 'many')
      await server.load({
        database,
        schema,
        duckdb: statements.map((sql) => sql.replaceAll(' NOT ENFORCED', '').replaceAll('NUMBER(38, 0)', 'BIGINT')),
      });
    else await server.load({ database, schema, snowflake: statements });
    return {
      location: { database, schema },
      open: (access) => {
        const spec = snowflake({
          account: 'fakesnow',
          user: 'fake',
          password: 'only-a-stand-in',
          accessUrl: server.url,
          database,
          // The fixture of two schemas has both read.
          schema: fixture.schemas === undefined ? schema : undefined,
          access,
        });
        // Rows without end, or hundreds of thousands, never come from fakesnow: each would be waited for half a minute.
        const execute: typeof spec.executor.execute = (sql, options) => {
          if (!sql.includes('WITH RECURSIVE')) return spec.executor.execute(sql, options);
          const most = / WHERE x < \d{1,5}\b/.test(sql) ? 10_000 : 1_000;
          return spec.executor.execute(sql, { ...options, timeoutMs: Math.min(options.timeoutMs, most) });
        };
        return { ...spec, executor: { execute } };
      },
      secrets: ['only-a-stand-in'],
      state: () => server.state(database),
      dispose: () => server.load({ database, schema, duckdb: [`DROP SCHEMA ${database}.${schema} CASCADE`] }),
    };
  },
  ddl: (schema) => writeDdl(schema, snowflakeDialect),
  lacks: { returning: 'INSERT, UPDATE and DELETE give no rows' },
};

/** Gaps of the stand-in, none of the adapter; that a statement is cancelled while it gives rows is asserted on the wire, by the tests of the session. */
const WHOLE = 'fakesnow answers when it has computed the whole result, so rows without end never come';
const INFINITE = 'fakesnow divides by zero as DuckDB does: NULL or infinity and no error';

describeAdapter('snowflake', factory, {
  // A statement takes fakesnow a tenth of a second, and some cases have hundreds.
  timeoutMs: 120_000,
  expectedFailures: {
    'cap-rows-endless': WHOLE,
    'early-return': WHOLE,
    backpressure: WHOLE,
    'cap-bytes-streaming': WHOLE,
    'abort-streaming': WHOLE,
    'stream-large': WHOLE,
    'stream-left': WHOLE,
    'stream-fails': WHOLE,
    'functions-lacking': 'fakesnow has functions of DuckDB that Snowflake lacks, and says so in other words',
    'error-division': INFINITE,
    'error-while-streaming': INFINITE,
  },
});
