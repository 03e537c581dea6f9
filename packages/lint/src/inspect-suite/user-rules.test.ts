import { sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { applyFixes } from '../inspect/findings.ts';
import { checkRule } from '../inspect/inspect-sql.ts';
import type { InspectionRule } from '../rules/rule.ts';
import { requireFilter, requireFormat } from '../rules/user-rules.ts';
import { statementResolver } from './resolve-statement.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { resolve } = statementResolver(sqliteDialect);

async function check(rule: InspectionRule, sql: string) {
  const findings = checkRule(rule, await resolve(sql));
  return findings.map((finding) => ({
    at: sql.slice(finding.span.start, finding.span.end),
    message: finding.message,
    fixed: finding.fix === undefined ? undefined : applyFixes(sql, [finding]).sql,
  }));
}

describe('requireFilter', () => {
  const revenue = requireFilter({
    code: 'custom/revenue-of-active-customers',
    attribute: 'orders.total',
    filter: { attribute: 'customers.is_active', condition: '= 1' },
    message: 'Revenue counts active customers only.',
  });

  test('finds the aggregate and adds the condition', async () => {
    const sql = 'SELECT SUM(o.total) FROM orders o JOIN customers c ON c.customer_id = o.customer_id';
    expect(await check(revenue, sql)).toEqual([
      { at: 'SUM(o.total)', message: 'Revenue counts active customers only.', fixed: `${sql} WHERE c.is_active = 1` },
    ]);
  });

  test('keeps conditions with OR together', async () => {
    const sql =
      "SELECT SUM(total) FROM orders NATURAL JOIN customers WHERE city = 'Rome' OR city = 'Bonn' GROUP BY status";
    expect(await check(revenue, sql)).toMatchObject([
      {
        fixed:
          "SELECT SUM(total) FROM orders NATURAL JOIN customers WHERE (city = 'Rome' OR city = 'Bonn') AND customers.is_active = 1 GROUP BY status",
      },
    ]);
  });

  test('has no fix where the relation is not joined', async () => {
    expect(await check(revenue, 'SELECT SUM(total) FROM orders')).toMatchObject([{ fixed: undefined }]);
  });

  test.each([
    ['in WHERE', 'SELECT SUM(total) FROM orders NATURAL JOIN customers WHERE is_active = 1'],
    ['in ON', 'SELECT SUM(total) FROM orders o JOIN customers c ON c.customer_id = o.customer_id AND c.is_active'],
    [
      'in the CTE that the rows come from',
      'WITH a AS (SELECT total FROM orders NATURAL JOIN customers WHERE is_active = 1) SELECT SUM(total) FROM a',
    ],
    [
      'in a sub-query that tests the rows',
      'SELECT SUM(total) FROM orders WHERE customer_id IN (SELECT customer_id FROM customers WHERE is_active = 1)',
    ],
    ['nowhere, without an aggregate', 'SELECT total FROM orders'],
  ])('is content with the condition %s', async (_, sql) => {
    expect(await check(revenue, sql)).toEqual([]);
  });

  test('a condition under OR does not hold for every row', async () => {
    const sql = 'SELECT SUM(total) FROM orders NATURAL JOIN customers WHERE is_active = 1 OR credit > 0';
    expect(await check(revenue, sql)).toHaveLength(1);
  });

  test('may be about any use of a relation, and ask for a certain test', async () => {
    const current = requireFilter({
      code: 'custom/current-products',
      relation: 'products',
      filter: {
        attribute: 'products.discontinued',
        condition: '= 0',
        accepts: ({ operator, right }) => operator === '=' && right[0]?.literal?.value === '0',
      },
      message: 'Only products that are still sold count.',
    });
    const sql = 'SELECT name FROM products WHERE discontinued = 1';
    expect(await check(current, sql)).toMatchObject([
      { at: 'products', fixed: `${sql} AND products.discontinued = 0` },
    ]);
    expect(await check(current, 'SELECT name FROM products p WHERE p.discontinued = 0')).toEqual([]);
    expect(await check(current, 'SELECT name FROM customers')).toEqual([]);
  });

  test('an attribute that the database does not have is told, not passed over', async () => {
    const rule = requireFilter({
      code: 'custom/x',
      attribute: 'orders.totl',
      filter: { attribute: 'orders.status', condition: 'IS NOT NULL' },
      message: 'x',
    });
    expect((await check(rule, 'SELECT 1'))[0]?.message).toContain('Did you mean `total`?');
  });

  test('is about an attribute or a relation', () => {
    const filter = { attribute: 'a.b', condition: '= 1' };
    expect(() => requireFilter({ code: 'custom/x', filter, message: 'x' })).toThrow(
      'either an attribute or a relation',
    );
  });
});

describe('requireFormat', () => {
  const code = requireFormat({
    attribute: 'addresses.postal_code',
    pattern: /\d{5}/,
    message: 'Postal codes have five digits.',
    example: '53113',
  });

  test('holds every value that the attribute is compared with against the pattern, also through a CTE', async () => {
    const sql =
      "WITH a AS (SELECT postal_code AS p FROM addresses) SELECT 1 FROM a WHERE p IN ('53113', 'D-53113') OR '1' = p";
    expect(await check(code, sql)).toEqual([
      {
        at: "'D-53113'",
        message: 'Postal codes have five digits. addresses.postal_code is compared with "D-53113".',
        fixed: undefined,
      },
      {
        at: "'1'",
        message: 'Postal codes have five digits. addresses.postal_code is compared with "1".',
        fixed: undefined,
      },
    ]);
  });

  test('says nothing of patterns and of other columns', async () => {
    expect(await check(code, "SELECT 1 FROM addresses WHERE postal_code LIKE '53%' AND city = 'Bonn'")).toEqual([]);
  });
});
