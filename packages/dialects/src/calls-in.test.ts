import { callsIn } from '@askema/sql';
import { describe, expect, it } from 'vitest';
import { mysqlDialect } from './mysql/mysql.ts';
import { postgresDialect } from './postgres/postgres.ts';
import { snowflakeDialect } from './snowflake/snowflake.ts';

const callsOf = (sql: string, dialect = mysqlDialect) =>
  callsIn(sql, dialect).map(({ schema, name, namesColumns }) =>
    namesColumns ? `${name} names columns` : schema === undefined ? name : `${schema}.${name}`,
  );

describe('callsIn', () => {
  it.each<[string, readonly string[]]>([
    ["SELECT LOAD_FILE /* x */ ('a'), `sleep`(1), shop . f(2)", ['LOAD_FILE', 'sleep', 'shop.f']],
    ["SELECT 'f(1)', `f` -- g(2)\n, a IN (1), IF(h(3), 1, 2)", ['h']],
    ['WITH n(x) AS (SELECT g(1)) SELECT x FROM n', ['n names columns', 'g']],
    ['SELECT * FROM (SELECT 1) AS t (a), (SELECT 2) u (b)', ['t names columns', 'u names columns']],
    ['SELECT CAST(a AS CHAR(9)), COUNT(*) OVER (ORDER BY b) FROM t JOIN u USING (c)', ['CAST', 'COUNT']],
    ['SELECT shop.`in`(1)', ['shop.in']],
    ['SELECT f(', ['f']],
  ])('%s', (sql, calls) => {
    expect(callsOf(sql)).toEqual(calls);
  });

  it('tells the whole path, and clauses from calls', () => {
    const calls = callsIn(
      'SELECT SUM(x) OVER (ORDER BY y), over(1), a.b.c(2), z::NUMBER(3, 1) FROM t',
      snowflakeDialect,
    );
    expect(calls.map(({ path, name, isClause }) => [...path, name, isClause].join(' '))).toEqual([
      'SUM false',
      'OVER true',
      'OVER false',
      'A B C false',
      'NUMBER true',
    ]);
  });

  it('sees names as the engine folds them, with their place', () => {
    const sql = 'SELECT Pg_Sleep(1), "Now"()';
    expect(callsOf(sql, postgresDialect)).toEqual(['pg_sleep', 'Now']);
    expect(callsIn(sql, postgresDialect).map(({ start, end }) => sql.slice(start, end))).toEqual(['Pg_Sleep', '"Now"']);
  });
});
