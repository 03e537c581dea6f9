import { readdirSync } from 'node:fs';
import type { Adapter } from '@askema/core';
import { mariadbDialect } from '@askema/dialects';
import { adapterFixture, hostileStatements } from '@askema/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MysqlOptions } from './options.ts';
import { unknownCall } from './reading/unknown-call.ts';
import { dropDatabases, loadFixture, stateOf, withClient } from './test-support/load-fixture.ts';
import { failure, openAdapter } from './test-support/open-adapter.ts';
import { type StartedMariadb, startMariadb } from './test-support/start-mariadb.ts';

const NONE = { ofUsers: new Set<string>(), allowed: new Set<string>(), native: undefined };

let server: StartedMariadb;
let database: string;
beforeAll(async () => {
  server = await startMariadb();
  database = await loadFixture(server, adapterFixture('shop'));
  await withClient(server, (client) =>
    client.query(`USE ${database};
      CREATE TABLE log (at INT);
      CREATE FUNCTION writes() RETURNS INT BEGIN INSERT INTO log VALUES (1); RETURN 1; END;
      CREATE FUNCTION locks(name VARCHAR(64)) RETURNS INT RETURN GET_LOCK(name, 0);
      CREATE FUNCTION any_value(a INT) RETURNS INT RETURN GET_LOCK('hacked', 0);
      CREATE VIEW locking AS SELECT locks('hacked') AS a;
      CREATE VIEW through_view AS SELECT a + 1 AS b FROM locking;
      CREATE VIEW direct AS SELECT GET_LOCK('hacked', 0) AS a;
      CREATE VIEW harmless AS SELECT UPPER(name) AS n, CAST(id AS CHAR(10)) AS c FROM customer WHERE id IN (1, 2);
      CREATE FUNCTION twice(a INT) RETURNS INT RETURN a * 2;
      CREATE VIEW doubled AS SELECT twice(id) AS a FROM customer;
      CREATE SEQUENCE numbers;
      CREATE FUNCTION \`bit_xór\`(a INT) RETURNS INT RETURN GET_LOCK('hacked', 0);
      CREATE DATABASE \`${database}_hidden\`;
      CREATE VIEW \`${database}_hidden\`.inner_lock AS SELECT GET_LOCK('hacked', 0) AS a;
      CREATE VIEW through_hidden AS SELECT c.id, h.a FROM customer c LEFT JOIN (customer d JOIN \`${database}_hidden\`.inner_lock h ON 1) ON 1;
      CREATE VIEW resetting AS SELECT page_size FROM information_schema.INNODB_CMP_RESET;
      CREATE VIEW dated AS WITH c AS (SELECT id FROM customer) SELECT COUNT(*) AS n FROM c, (SELECT 1 AS a) AS d WHERE 1 = 1;
      CREATE FUNCTION optimizer_costs(a INT) RETURNS INT RETURN GET_LOCK('hacked', 0);
      CREATE FUNCTION \`1e5\`(a INT) RETURNS INT RETURN GET_LOCK('hacked', 0);
      CREATE FUNCTION \`1e5abs\`(a INT) RETURNS INT RETURN GET_LOCK('hacked', 0);
      CREATE VIEW \`3e5abs\` AS SELECT GET_LOCK('hacked', 0) AS a;
      CREATE VIEW \`${database}_hidden\`.elsewhere AS SELECT GET_LOCK('hacked', 0) AS a;
      CREATE VIEW \`3e5\` AS SELECT GET_LOCK('hacked', 0) AS a;
      CREATE OR REPLACE VIEW sys.askema_spy AS SELECT GET_LOCK('hacked', 0) AS a;
      CREATE VIEW through_sys AS SELECT a FROM sys.askema_spy;
      CREATE USER blind@'%' IDENTIFIED BY 'b';
      GRANT SELECT ON ${database}.* TO blind@'%';
      CREATE USER reader@'%' IDENTIFIED BY 'r';
      GRANT SELECT, SHOW VIEW ON ${database}.* TO reader@'%';
      CREATE USER caller@'%' IDENTIFIED BY 'c';
      GRANT SELECT, SHOW VIEW ON ${database}.* TO caller@'%';
      GRANT EXECUTE ON ${database}.* TO caller@'%';
      CREATE USER powerful@'%' IDENTIFIED BY 'p';
      GRANT FILE, PROCESS ON *.* TO powerful@'%';
      GRANT SELECT, INSERT, UPDATE (name) ON ${database}.customer TO powerful@'%' WITH GRANT OPTION;
      GRANT EXECUTE ON FUNCTION ${database}.locks TO powerful@'%';`),
  );
}, 120_000);
afterAll(async () => {
  if (server !== undefined) await dropDatabases(server, [database, `${database}_hidden`]);
  await server?.stop();
}, 60_000);

const open = <T>(work: (adapter: Adapter) => Promise<T>, options: MysqlOptions = {}) =>
  openAdapter(server, { database, ...options }, work);

const GEOMETRIES =
  'AREA ASTEXT ASWKT BOUNDARY BUFFER CONVEXHULL CROSSES DIMENSION DISJOINT ENVELOPE EQUALS GEOMETRYN GLENGTH INTERSECTS ISCLOSED ISSIMPLE MBRCONTAINS MBRCOVEREDBY MBRCOVERS MBRDISJOINT MBREQUAL MBREQUALS MBRINTERSECTS MBROVERLAPS MBRTOUCHES MBRWITHIN POINTONSURFACE ST_AREA ST_ASGEOJSON ST_ASTEXT ST_ASWKT ST_BOUNDARY ST_BUFFER ST_BUFFER_STRATEGY ST_COLLECT ST_CONTAINS ST_CONVEXHULL ST_CROSSES ST_DIFFERENCE ST_DIMENSION ST_DISJOINT ST_DISTANCE ST_ENVELOPE ST_EQUALS ST_FRECHETDISTANCE ST_GEOHASH ST_GEOMCOLLFROMTXT ST_GEOMETRYN ST_HAUSDORFFDISTANCE ST_INTERSECTION ST_INTERSECTS ST_ISCLOSED ST_ISSIMPLE ST_ISVALID ST_LATFROMGEOHASH ST_LATITUDE ST_LENGTH ST_LINEINTERPOLATEPOINT ST_LINEINTERPOLATEPOINTS ST_LONGFROMGEOHASH ST_LONGITUDE ST_MAKEENVELOPE ST_NUMINTERIORRING ST_OVERLAPS ST_POINTATDISTANCE ST_POINTFROMGEOHASH ST_POINTONSURFACE ST_RELATE ST_SIMPLIFY ST_SWAPXY ST_SYMDIFFERENCE ST_TOUCHES ST_TRANSFORM ST_UNION ST_VALIDATE ST_WITHIN TOUCHES'.split(
    ' ',
  );

describe('reading', () => {
  it.each([
    ['SELECT writes()', 'writes'],
    [`SELECT \`locks\`('hacked')`, 'locks'],
    ['SELECT any_value(1)', 'any_value'],
    ['SELECT optimizer_costs(1)', 'optimizer_costs'],
    ['SELECT DATABASE.1e5(1)', '1e5'],
    ['SELECT * FROM DATABASE.3e5', '3e5'],
    ['SELECT DATABASE.1e5abs(1)', '1e5abs'],
    ['SELECT `DATABASE`.1e5abs(1)', '1e5'],
    ['SELECT * FROM DATABASE.3e5abs', '3e5abs'],
    ['SELECT * FROM DATABASE_hidden.elsewhere', 'GET_LOCK'],
    ['SELECT * FROM sys.askema_spy', 'GET_LOCK'],
    ['SELECT * FROM through_sys', 'GET_LOCK'],
    ['SELECT page_size FROM information_schema.\u0130NNODB_CMP_RESET', 'resets'],
    ['SELECT * FROM locking', 'locks'],
    ['SELECT (SELECT b FROM through_view)', 'locks'],
    ['SELECT * FROM direct', 'GET_LOCK'],
    ['SELECT sys.format_bytes(1)', 'sys.format_bytes'],
    ['WITH c(a) AS (SELECT locks(1)) SELECT a FROM c', 'locks'],
  ])('%s is refused, and the reason names %s', async (sql, name) => {
    await open(async (adapter) => {
      const error = await failure(adapter.query(sql.replace('DATABASE', database)));
      expect(error.code).toBe('QUERY_NOT_READ_ONLY');
      expect(error.message.toLowerCase()).toContain(name.toLowerCase());
    });
    const held = await withClient(server, async (client) => (await client.query("SELECT IS_USED_LOCK('hacked')"))[0]);
    expect(held).toEqual([[null]]);
  });

  it.each([
    [
      'SELECT * FROM harmless ORDER BY c',
      [
        ['ADA', '1'],
        ['BJÖRN', '2'],
      ],
    ],
    ['WITH n(x) AS (SELECT 1) SELECT x, COUNT(*) OVER (PARTITION BY x) FROM n', [[1, 1]]],
    ["SELECT a FROM JSON_TABLE('[7]', '$[*]' COLUMNS (a INT PATH '$')) AS t", [[7]]],
    ["SELECT IF(1 = 1, LEFT('abc', 2), REPLACE('a', 'a', 'b'))", [['ab']]],
    ['SELECT @x := 3', [[3]]],
    ['SELECT 1 -- comment', [[1]]],
    ['SELECT 5--1', [[6]]],
    // A refused view of another database has this name.
    ['SELECT id AS elsewhere FROM customer WHERE id = 1', [[1]]],
  ])('%s runs', async (sql, rows) => {
    await open(async (adapter) => expect((await adapter.query(sql)).rows).toEqual(rows));
  });

  it('runs functions of users that are allowed, and what calls them alone', async () => {
    const allowFunctions = [`${database}.TWICE`];
    await open(
      async (adapter) => {
        expect((await adapter.query(`SELECT twice(2), ${database}.Twice(3)`)).rows).toEqual([[4, 6]]);
        expect((await adapter.query('SELECT a FROM doubled ORDER BY a LIMIT 1')).rows).toEqual([[2]]);
        expect((await failure(adapter.query(`SELECT locks('hacked')`))).code).toBe('QUERY_NOT_READ_ONLY');
      },
      { allowFunctions },
    );
    await open(async (adapter) => {
      const { message } = await failure(adapter.query(`SELECT ${database}.twice(2)`));
      expect(message).toContain(`--allow-function ${database}.twice`);
      expect((await failure(adapter.query('SELECT a FROM doubled'))).message).toMatch(/view doubled calls .*twice/);
    });
  });

  it('refuses a view whose definition this user may not see, unless it is allowed', async () => {
    const blind = { user: 'blind', password: 'b' };
    await open(async (adapter) => {
      const { code, message } = await failure(adapter.query('SELECT * FROM locking'));
      expect([code, message]).toEqual(['QUERY_NOT_READ_ONLY', expect.stringContaining('GRANT SHOW VIEW')]);
      expect((await adapter.query('SELECT COUNT(*) FROM customer')).rows).toEqual([[4]]);
    }, blind);
    await open(async (adapter) => expect((await adapter.query('SELECT COUNT(*) FROM harmless')).rows).toEqual([[2]]), {
      ...blind,
      allowFunctions: [`${database}.harmless`],
    });
  });

  it.each([
    ['SELECT BIT_XOR (1)', /The function BIT_XOR is not known/],
    ['SELECT `bit_xor`(1)', /The function bit_xor is not known/],
    [
      'SELECT * FROM through_hidden',
      /through_hidden cannot be looked into.* does not see \S+_hidden\.inner_lock: GRANT/,
    ],
    ['SELECT * FROM information_schema.innodb_cmp_reset', /innodb_cmp_reset resets counters/],
    ['SELECT PLUGIN_NAME FROM information_schema.ALL_PLUGINS', /all_plugins loads every library/],
    ['SELECT * FROM resetting', /resetting resets counters/],
    ['SHOW WARNINGS', /names no columns of it/],
  ])('%s is refused to a plain user', async (sql, reason) => {
    const reader = { user: 'caller', password: 'c' };
    await open(async (adapter) => {
      const { code, message } = await failure(adapter.query(sql));
      expect([code, message]).toEqual(['QUERY_NOT_READ_ONLY', expect.stringMatching(reason)]);
      expect((await adapter.query('SELECT n FROM dated')).rows).toEqual([[4]]);
    }, reader);
    const allowFunctions = [`${database}.through_hidden`];
    await open(
      async (adapter) => {
        if (sql.includes('hidden')) expect((await adapter.query(sql)).rows.length).toBeGreaterThan(0);
      },
      { ...reader, allowFunctions },
    );
  });

  it('looks at all functions and views, however few rows the first call may have', async () => {
    await open(async (adapter) => {
      expect((await adapter.query('SELECT MAX(id), SUM(1) FROM customer', { maxRows: 1 })).rows).toEqual([[4, 4]]);
      for (const view of ['locking', 'direct', 'doubled'])
        expect((await failure(adapter.query(`SELECT * FROM ${view}`))).code).toBe('QUERY_NOT_READ_ONLY');
    });
  });

  it('takes a name on the list for one of the server only if the server has it', async () => {
    const known = { ...NONE, native: new Set(['UPPER']) };
    expect(unknownCall('SELECT UPPER(1)', mariadbDialect, known)).toBeUndefined();
    expect(unknownCall('SELECT BIN_TO_UUID(1)', mariadbDialect, known)?.name).toBe('BIN_TO_UUID');
    const { lexer } = mariadbDialect;
    const missing = await withClient(server, async (client) => {
      const query =
        'SELECT FUNCTION FROM information_schema.SQL_FUNCTIONS UNION SELECT WORD FROM information_schema.KEYWORDS';
      const native = new Set(
        ((await client.query(query))[0] as string[][]).map(([name]) => String(name).toUpperCase()),
      );
      const known = { ...NONE, native };
      const names = lexer.statements?.harmlessFunctions ?? [];
      return names.filter((name) => unknownCall(`SELECT ${name}(1)`, mariadbDialect, known) !== undefined);
    });
    const isOfGeometry = (name: string): boolean => GEOMETRIES.includes(name);
    // Of MySQL, of later versions, and of packages that this server has not loaded.
    expect(missing.filter((name) => !isOfGeometry(name)).join(' ')).toBe(
      'ANY_VALUE BIN_TO_UUID FORMAT_BYTES FORMAT_PICO_TIME FROM_VECTOR GTID_SUBSET GTID_SUBTRACT ICU_VERSION IS_UUID JSON_ARRAY_INTERSECT JSON_KEY_VALUE JSON_OBJECT_FILTER_KEYS JSON_OBJECT_TO_ARRAY JSON_SCHEMA_VALID JSON_SCHEMA_VALIDATION_REPORT JSON_STORAGE_FREE JSON_STORAGE_SIZE MEMBER PS_CURRENT_THREAD_ID PS_THREAD_ID REGEXP_LIKE ROLES_GRAPHML STATEMENT_DIGEST STATEMENT_DIGEST_TEXT STRING_TO_VECTOR TO_DATE TO_NUMBER TO_VECTOR TRUNC UUID_TO_BIN VALIDATE_PASSWORD_STRENGTH VEC_DISTANCE VEC_DISTANCE_COSINE VEC_DISTANCE_EUCLIDEAN VEC_FROMTEXT VEC_TOTEXT VECTOR_DIM VECTOR_DISTANCE VECTOR_TO_STRING',
    );
    // They end MariaDB over a text that nests collections, or it has none of that name.
    expect(missing.filter(isOfGeometry)).toEqual(GEOMETRIES);
  });

  it('leaves no variable of one call to the next', async () => {
    await open(
      async (adapter) => {
        await adapter.query("SELECT @secret := 'of one'");
        expect((await adapter.query('SELECT @secret')).rows).toEqual([[null]]);
      },
      { poolSize: 1 },
    );
  });

  it('knows every function of the server, or refuses it on purpose', async () => {
    const functions = await withClient(
      server,
      async (client) => (await client.query('SELECT FUNCTION FROM information_schema.SQL_FUNCTIONS'))[0] as string[][],
    );
    const names = functions.map(([name]) => String(name));
    expect(names.length).toBeGreaterThan(200);
    const refused = names.filter((name) => unknownCall(`SELECT ${name}(1)`, mariadbDialect, NONE) !== undefined);
    expect(refused.sort()).toEqual(
      'BENCHMARK BINLOG_GTID_POS DECODE_HISTOGRAM DES_DECRYPT DES_ENCRYPT ENCRYPT EXTRACTVALUE FOUND_ROWS GET_LOCK LAST_INSERT_ID LOAD_FILE MASTER_GTID_WAIT MASTER_POS_WAIT RELEASE_ALL_LOCKS RELEASE_LOCK SLEEP UPDATEXML WSREP_SYNC_WAIT_UPTO_GTID'.split(
        ' ',
      ),
    );
  });

  it('reads quotes and backslashes as the server does, whatever its settings', async () => {
    await withClient(server, (client) =>
      client.query("SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,STRICT_TRANS_TABLES'"),
    );
    try {
      await open(async (adapter) => {
        expect((await adapter.query(`SELECT "a\\"b", 'it\\'s', 1 || 0`)).rows).toEqual([['a"b', "it's", 1]]);
        expect((await adapter.query('SELECT @@sql_mode')).rows).toEqual([['STRICT_TRANS_TABLES']]);
      });
    } finally {
      await withClient(server, (client) => client.query('SET GLOBAL sql_mode = DEFAULT'));
    }
  });

  it('refuses the hostile corpus to a plain user as well, with nothing changed', async () => {
    const before = JSON.stringify([await stateOf(server, [database]), readdirSync(server.folder)]);
    await open(
      async (adapter) => {
        const wrong: unknown[] = [];
        for (const { sql, attack } of hostileStatements('mariadb', { folder: server.folder })) {
          const { code } = await failure(adapter.query(sql, { timeoutMs: 10_000 }));
          if (!['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED', 'QUERY_FAILED'].includes(code)) wrong.push({ attack, code });
        }
        expect(wrong).toEqual([]);
      },
      { user: 'reader', password: 'r' },
    );
    expect(JSON.stringify([await stateOf(server, [database]), readdirSync(server.folder)])).toBe(before);
  }, 120_000);
});

describe('diagnose', () => {
  it('says that a user who may only read may only read', async () => {
    await open(
      async (adapter) => {
        const { readOnly, findings, server: product, user } = await adapter.diagnose();
        expect({ by: readOnly.by, findings, user }).toEqual({ by: 'grants', findings: [], user: 'reader@%' });
        expect(product).toMatch(/^MariaDB \d+\.\d+\.\d+$/);
      },
      { user: 'reader', password: 'r' },
    );
  });

  it('names each grant beyond reading, with statements that take it away', async () => {
    const options = { user: 'powerful', password: 'p', database: undefined };
    const fixes = await open(async (adapter) => {
      const { readOnly, findings } = await adapter.diagnose();
      expect(readOnly.by).toBe('engine');
      const text = findings.map(({ message }) => message).join('\n');
      expect(text).toMatch(/'powerful'@'%' has .*FILE.* on \*\.\*: it may .*read and write files/);
      expect(text).toMatch(/EXECUTE on FUNCTION/);
      expect(text).toMatch(/INSERT, UPDATE \(`name`\), GRANT OPTION on/);
      expect(text).not.toMatch(/PASSWORD|SELECT/);
      return findings.map(({ fix }) => fix ?? '');
    }, options);
    await withClient(server, (client) => client.query(fixes.join('\n')));
    await open(async (adapter) => expect((await adapter.diagnose()).readOnly.by).toBe('grants'), options);
  });

  it('takes everything from a user who may do everything, and leaves reading', async () => {
    const made = `CREATE USER boss@'%' IDENTIFIED BY 'b'; GRANT ALL ON *.* TO boss@'%' WITH GRANT OPTION; GRANT ALL ON ${database}.* TO boss@'%'`;
    await withClient(server, (client) => client.query(made));
    const options = { user: 'boss', password: 'b' };
    const fixes = await open(
      async (adapter) => (await adapter.diagnose()).findings.map(({ fix }) => fix ?? ''),
      options,
    );
    await withClient(server, (client) => client.query(fixes.join('\n')));
    await open(async (adapter) => {
      expect((await adapter.diagnose()).readOnly.by).toBe('grants');
      expect((await adapter.query('SELECT COUNT(*) FROM customer')).rows).toEqual([[4]]);
    }, options);
  });

  it('proves nothing of a user who may take a role that is not shown, and names it; one that is set is shown', async () => {
    const made = `CREATE ROLE writer_role; GRANT INSERT ON ${database}.customer TO writer_role;
      CREATE ROLE reader_role; GRANT SELECT, SHOW VIEW ON ${database}.* TO reader_role;
      CREATE USER actor@'%' IDENTIFIED BY 'a'; GRANT writer_role TO actor@'%'; GRANT reader_role TO actor@'%'; SET DEFAULT ROLE reader_role FOR actor@'%'`;
    await withClient(server, (client) => client.query(made));
    const look = () =>
      open(
        async (adapter) => {
          const { readOnly, findings } = await adapter.diagnose();
          return { by: readOnly.by, said: findings.map(({ message }) => message).join() };
        },
        { user: 'actor', password: 'a' },
      );
    expect(await look()).toEqual({
      by: 'engine',
      said: "'actor'@'%' may take the role `writer_role`, which was not looked into. No statement can take it here.",
    });
    await withClient(server, (client) => client.query("REVOKE writer_role FROM actor@'%'"));
    expect(await look()).toEqual({ by: 'grants', said: '' });
  });

  it('says when the server is the other product', async () => {
    await open(
      async (adapter) => {
        expect((await adapter.diagnose()).findings).toContainEqual(
          expect.objectContaining({ code: 'other-product', fix: expect.stringContaining('mariadb://') }),
        );
      },
      { product: 'mysql' },
    );
  });
});
