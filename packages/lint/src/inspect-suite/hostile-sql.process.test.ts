import { sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { inspectSql } from '../inspect/inspect-sql.ts';
import { defineRule } from '../rules/rule.ts';
import { statementResolver, suiteParser } from './resolve-statement.ts';

const { resolve, catalog } = statementResolver(sqliteDialect);

const inspect = (sql: string, more = {}) =>
  inspectSql(sql, { catalog, dialect: sqliteDialect, parser: suiteParser, ...more });

const listOf = (count: number, write: (index: number) => string, between = ', '): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(between);

describe('statements that are made to cost', () => {
  it('stars that double with each CTE end in a result that cannot be told', async () => {
    const doubled = listOf(40, (at) => `t${at + 1} AS (SELECT a.*, b.* FROM t${at} AS a, t${at} AS b)`);
    const query = await resolve(`WITH t0 AS (SELECT * FROM customers), ${doubled} SELECT nme FROM t40`);
    const outputs = query.blocks.map((block) => block.outputs?.length);
    expect(outputs).toContain(16);
    expect(Math.max(...outputs.map((count) => count ?? 0))).toBeLessThan(100_000);
    expect(query.blocks[0]?.columns).toEqual([{ kind: 'opaque' }]);
  });

  it('keys do not double with each CTE that joins the one before with itself', { timeout: 30_000 }, async () => {
    const doubled = listOf(60, (at) => `t${at + 1} AS (SELECT a.x FROM t${at} AS a JOIN t${at} AS b ON a.x = b.x)`);
    const { findings } = await inspect(`WITH t0 AS (SELECT 1 AS x), ${doubled} SELECT nme FROM t60`);
    expect(findings.map(({ code }) => code)).toContain('unknown-column');
  });

  it('stars of a few CTEs over each other are still told apart', async () => {
    const passed = listOf(200, (at) => `t${at + 1} AS (SELECT * FROM t${at})`);
    const { findings } = await inspect(`WITH t0 AS (SELECT * FROM customers), ${passed} SELECT nme FROM t200`);
    expect(findings.map(({ code }) => code)).toEqual(['unknown-column']);
  });

  it('a rule lists its first hundred findings', async () => {
    const { findings } = await inspect(`SELECT ${listOf(300, (at) => `nothing_${at}`)} FROM customers`);
    expect(findings).toHaveLength(100);
    expect(findings[99]?.message).toContain('nothing_99');
  });

  it('a rule without an end is left after its first hundred findings', async () => {
    const endless = defineRule({
      code: 'custom/endless',
      severity: 'note',
      title: 'Never ends.',
      *check({ shape }) {
        for (;;) yield { message: 'Again.', advice: 'Nothing.', span: shape.statement };
      },
    });
    expect((await inspect('SELECT name FROM customers', { rules: [endless] })).findings).toHaveLength(100);
  });

  it('no message quotes a name of a megabyte, and no character of it is cut in two', async () => {
    const { findings } = await inspect(`SELECT "${'😀'.repeat(200_000)}" FROM customers`);
    expect(findings.map(({ code }) => code)).toEqual(['unknown-column']);
    for (const { message, advice } of findings) {
      expect(message.length).toBeLessThan(2_100);
      expect(advice.length).toBeLessThan(2_100);
      expect(message + advice).not.toMatch(/\p{Cs}/u);
    }
  });

  it.each([
    ['5,000 items with aliases', `SELECT ${listOf(5_000, (at) => `name AS n${at}`)} FROM customers`],
    ['2,000 relations', `SELECT 1 FROM ${listOf(2_000, (at) => `customers AS c${at}`)}`],
    [
      '1,000 joins',
      `SELECT COUNT(c.name) FROM customers AS c ${listOf(1_000, (at) => `JOIN addresses AS a${at} ON a${at}.customer_id = c.customer_id`, ' ')}`,
    ],
    [
      '1,000 sub-queries',
      `SELECT ${listOf(1_000, () => '(SELECT COUNT(*) FROM addresses AS a WHERE a.customer_id = c.customer_id)')} FROM customers AS c`,
    ],
    ['20,000 values', `SELECT name FROM customers WHERE city NOT IN (${listOf(20_000, (at) => `'v${at}'`)})`],
    ['a date of a megabyte', `SELECT name FROM customers WHERE signed_up > '${'1-'.repeat(450_000)}'`],
    ['blanks of a megabyte', `SELECT${' '.repeat(900_000)}name FROM customers`],
  ])(
    '%s are inspected in seconds',
    async (_, sql) => {
      expect((await inspect(sql, { question: 'What are the names of the customers?' })).parsed).toBe(true);
    },
    20_000,
  );
});
