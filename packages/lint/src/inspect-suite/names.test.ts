import type { Dialect } from '@askema/core';
import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { applyFixes } from '../inspect/findings.ts';
import { checkRule } from '../inspect/inspect-sql.ts';
import { BUILT_IN_RULES } from '../rules/built-in-rules.ts';
import { type ResolveStatementOptions, statementResolver } from './resolve-statement.ts';
import { catalogOf, shopCatalog } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { resolve } = statementResolver(sqliteDialect);

const NAMES = /^(unknown-relation|unknown-column|ambiguous-column)$/;

async function findingsOf(sql: string, options: ResolveStatementOptions = {}) {
  const query = await resolve(sql, options);
  return BUILT_IN_RULES.filter(({ code }) => NAMES.test(code)).flatMap((rule) => checkRule(rule, query));
}

/** Code, text of the span, message and the statement after the fix. */
async function report(sql: string, options: ResolveStatementOptions = {}) {
  const findings = await findingsOf(sql, options);
  return findings.map((finding) => ({
    code: finding.code,
    at: sql.slice(finding.span.start, finding.span.end),
    message: finding.message,
    advice: finding.advice,
    fixed: finding.fix === undefined ? undefined : applyFixes(sql, [finding]).sql,
  }));
}

describe('unknown-relation', () => {
  test('proposes the near name and follows it into the qualifiers', async () => {
    expect(await report('SELECT custmers.name FROM custmers WHERE custmers.city = 1')).toEqual([
      {
        code: 'unknown-relation',
        at: 'custmers',
        message: 'There is no relation custmers. Near names: customers.',
        advice: 'Replace custmers with customers or another relation of the schema.',
        fixed: 'SELECT customers.name FROM customers WHERE customers.city = 1',
      },
    ]);
  });

  test('has no fix without one near name, and says nothing about the columns beside it', async () => {
    expect(await report('SELECT flight_no FROM flights')).toMatchObject([
      { code: 'unknown-relation', at: 'flights', fixed: undefined },
    ]);
  });

  test('keeps quiet in a catalog that is not whole', async () => {
    const catalog = shopCatalog({ incomplete: [{ subject: 'catalog', reason: 'permission denied' }] });
    expect(await report('SELECT a FROM flights JOIN orders ON b = c', { catalog })).toEqual([]);
  });

  test('is less sure of a database that the catalog does not have', async () => {
    const catalog = catalogOf({ 'db.main.things': { attributes: ['a INTEGER'], key: [] } }, { dialect: 'bigquery' });
    const found = await findingsOf('SELECT 1 FROM other.main.things', { catalog, dialect: bigqueryDialect });
    expect(found).toMatchObject([{ code: 'unknown-relation', severity: 'warning', nearestNames: ['db.main.things'] }]);
    expect(await findingsOf('SELECT 1 FROM db.main.thigns', { catalog, dialect: bigqueryDialect })).toMatchObject([
      { code: 'unknown-relation', severity: 'error' },
    ]);
  });

  test('takes ONLY before a relation for the word of PostgreSQL that it is', async () => {
    expect(await report('SELECT name FROM ONLY customers')).toEqual([]);
    expect(await report('SELECT name FROM "ONLY" customers')).toMatchObject([{ code: 'unknown-relation' }]);
  });

  test('counts that are missing are no gap', async () => {
    const catalog = shopCatalog({ incomplete: [{ subject: 'catalog', reason: 'too slow', affects: 'counts' }] });
    expect(await report('SELECT 1 FROM flights', { catalog })).toHaveLength(1);
  });
});

describe('unknown-column', () => {
  test('says in which relation the column is and how to join it', async () => {
    expect(await report('SELECT o.order_id FROM orders o WHERE o.email = 1')).toEqual([
      {
        code: 'unknown-column',
        at: 'o.email',
        message: 'o (orders) has no column email. email is in customers, which is not joined.',
        advice: 'Add JOIN customers ON o.customer_id = customers.customer_id.',
        fixed: undefined,
      },
    ]);
  });

  test('gives the whole way over a bridge', async () => {
    const [finding] = await report('SELECT name FROM products WHERE label = 1');
    expect(finding?.advice).toBe(
      'Add JOIN product_tags ON products.product_id = product_tags.product_id JOIN tags ON product_tags.tag_id = tags.tag_id.',
    );
  });

  test('corrects the qualifier where one relation of FROM has the column', async () => {
    const sql = 'SELECT o.email, c.status FROM orders o JOIN customers c ON o.customer_id = c.customer_id';
    expect(await report(sql)).toMatchObject([
      {
        at: 'o.email',
        message: 'o (orders) has no column email. c has email.',
        fixed: sql.replace('o.email', 'c.email'),
      },
      { at: 'c.status', fixed: sql.replace('c.status', 'o.status') },
    ]);
  });

  test('corrects a name that an alias hides, also where several relations have the column', async () => {
    const sql = 'SELECT customers.name FROM products p JOIN customers c ON p.name = c.name';
    expect(await report(sql)).toMatchObject([
      {
        at: 'customers.name',
        message: 'No relation in FROM is called customers. c has name.',
        fixed: sql.replace('customers.name', 'c.name'),
      },
    ]);
  });

  test('corrects a near name', async () => {
    expect(await report('SELECT signedup FROM customers')).toMatchObject([
      { at: 'signedup', fixed: 'SELECT signed_up FROM customers' },
    ]);
  });

  test('writes near names as the dialect needs them', async () => {
    const catalog = catalogOf(
      { EVENTS: { attributes: ['EventId INTEGER'], key: [] } },
      { dialect: 'snowflake', nameComparison: 'sensitive' },
    );
    expect(await report('SELECT EventId FROM events', { catalog, dialect: snowflakeDialect })).toMatchObject([
      {
        message: 'No relation in FROM has a column EventId. Near names: "EventId".',
        advice: 'Use "EventId" in its place.',
        fixed: 'SELECT "EventId" FROM events',
      },
    ]);
  });

  test('knows the columns of CTEs', async () => {
    expect(await report('WITH t AS (SELECT SUM(total) AS revenue FROM orders) SELECT t.revenu FROM t')).toMatchObject([
      {
        message: 't has no column revenu. Near names: revenue.',
        fixed: expect.stringContaining('SELECT t.revenue FROM'),
      },
    ]);
  });

  test('says that a comma hides a relation from ON, and writes CROSS JOIN', async () => {
    const catalog = catalogOf(
      { A: { attributes: ['X INTEGER'], key: [] }, B: { attributes: ['Y INTEGER'], key: [] } },
      { dialect: 'snowflake', nameComparison: 'sensitive' },
    );
    const sql = 'SELECT 1 FROM a, b JOIN b c ON c.y = a.x';
    expect(await report(sql, { catalog, dialect: snowflakeDialect })).toMatchObject([
      {
        at: 'a.x',
        message: 'a is not visible in this ON: JOIN binds tighter than the comma between a and it.',
        fixed: 'SELECT 1 FROM a CROSS JOIN b JOIN b c ON c.y = a.x',
      },
    ]);
  });

  test('tells an alias in a clause that must not use it', async () => {
    const dialect: Dialect = { ...bigqueryDialect, identifiers: { ...bigqueryDialect.identifiers, qualifiers: [] } };
    expect(await report('SELECT price * 2 AS twice FROM products WHERE twice > 3', { dialect })).toMatchObject([
      { at: 'twice', message: expect.stringContaining('is a name that the select list gives'), fixed: undefined },
    ]);
  });
});

describe('ambiguous-column', () => {
  test('is qualified where a join makes both columns equal', async () => {
    const sql = 'SELECT customer_id, status FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id';
    expect(await report(sql)).toEqual([
      {
        code: 'ambiguous-column',
        at: 'customer_id',
        message: 'customer_id is ambiguous: o and c have it.',
        advice: 'Write o.customer_id or c.customer_id.',
        fixed: sql.replace('SELECT customer_id', 'SELECT o.customer_id'),
      },
    ]);
  });

  test.each([
    ['the columns differ', 'SELECT name FROM orders o JOIN customers c ON c.customer_id = o.customer_id, products'],
    [
      'a full join fills either',
      'SELECT customer_id FROM orders o FULL JOIN customers c ON c.customer_id = o.customer_id',
    ],
  ])('has no fix where %s', async (_, sql) => {
    expect(await report(sql)).toMatchObject([{ code: 'ambiguous-column', fixed: undefined }]);
  });
});
