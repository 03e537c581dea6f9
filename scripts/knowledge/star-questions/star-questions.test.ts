import { DatabaseSync } from 'node:sqlite';
import { sqliteDialect } from '@askema/dialects';
import { expect, it } from 'vitest';
import { isSettled } from '../../../packages/knowledge/src/test-support/agreement.ts';
import { bindStar, faultOf } from '../../../packages/knowledge/src/test-support/check-star.ts';
import type { Row } from '../../../packages/knowledge/src/test-support/plain-star.ts';
import { starStatements } from '../../../packages/knowledge/src/test-support/star-tables.ts';
import { DEVELOPED } from './developed.ts';
import { goldResult } from './gold.ts';
import { HELD_OUT } from './held-out.ts';
import { openStar } from './open-star.ts';
import { STAR } from './star.ts';

const ALL = [...DEVELOPED, ...HELD_OUT];

it('asks 150 different questions, a fifth of which the definitions do not answer', () => {
  expect(new Set(ALL.map(({ question }) => question)).size).toBe(150);
  const others = ALL.filter(({ means }) => means.length === 0);
  expect(others.length).toBe(30);
  expect(others.filter(({ sql, isUnanswerable }) => sql.length === 0 && !isUnanswerable)).toEqual([]);
});

it('has statements that give what loops over the rows give', () => {
  const rowsOf = (name: string) => STAR.tables.find((table) => table.name === name)?.rows ?? [];
  const sales = rowsOf('sales').filter((sale) => sale.status_cd !== 'C');
  const sum = (some: readonly Row[]): number => some.reduce((total, { amount }) => total + Number(amount), 0);
  const isIn2023 = (day: unknown): boolean => String(day).startsWith('2023');
  const complained = (some: readonly Row[]) => new Set(some.map(({ customer_id }) => customer_id));
  const [ever, lately] = [rowsOf('complaints'), rowsOf('complaints').filter((one) => isIn2023(one.opened_on))].map(
    (some) => sales.filter(({ customer_id }) => complained(some).has(customer_id ?? null)),
  );
  const in2023 = (some: readonly Row[] = []) => some.filter(({ sold_on }) => isIn2023(sold_on));
  const amounts = sales.map(({ amount }) => Number(amount)).sort((a, b) => a - b);
  const middle = amounts.slice((amounts.length - 1) / 2, amounts.length / 2 + 1);
  const buyers = (by: (sale: Row) => unknown) =>
    new Set(
      [...Map.groupBy([...sales], by).values()].flatMap(([sale, ...more]) =>
        more.length >= 2 && sale?.customer_id != null ? sale.customer_id : [],
      ),
    ).size;
  const sold = new Set(sales.map(({ product_id }) => product_id));
  const unsold = rowsOf('products').filter(({ product_id }) => !sold.has(product_id ?? null));
  const expected: Readonly<Record<string, readonly unknown[]>> = {
    'How many sales were cancelled?': [rowsOf('sales').length - sales.length],
    'Revenue of customers who complained last year': [sum(lately ?? []), sum(in2023(ever)), sum(in2023(lately))],
    'What is the median basket?': [middle.reduce((total, amount) => total + amount, 0) / middle.length],
    'How many customers bought something at least three times?': [
      buyers(({ customer_id }) => customer_id),
      buyers(({ customer_id, product_id }) => `${customer_id} ${product_id}`),
    ],
    'Which products were never sold?': unsold.map(({ product_name }) => product_name),
  };
  const tables = openStar();
  for (const [question, values] of Object.entries(expected)) {
    const { sql = [] } = ALL.find((asked) => asked.question === question) ?? {};
    const cells = sql.map((statement) => tables.run(statement).rows.flat());
    expect(cells.length).toBe(values.length);
    for (const [at, value] of values.entries())
      expect(cells[at]).toEqual([typeof value === 'number' ? expect.closeTo(value, 4) : value]);
  }
  tables.close();
});

it('has one right answer for each meaning, and metrics compile to it', { timeout: 60_000 }, async () => {
  const database = new DatabaseSync(':memory:');
  for (const sql of starStatements(STAR, sqliteDialect)) database.exec(sql);
  const run = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  const bound = bindStar(STAR, sqliteDialect);
  const faults: string[] = [];
  for (const { id, means } of ALL)
    for (const request of means) {
      if (!isSettled(STAR, request)) faults.push(`${id} may mean several things.`);
      const fault = await faultOf(bound, request, run);
      if (fault !== undefined) faults.push(`${id}: ${fault}`);
    }
  database.close();
  expect(faults).toEqual([]);
});

it('has no ties where the first are asked for', () => {
  for (const request of ALL.flatMap(({ means }) => means)) {
    const { limit } = request;
    if (limit === undefined) continue;
    const rows = goldResult(STAR, { ...request, limit: limit + 1 }).rows.map((row) => row.at(-1));
    expect(rows[limit - 1]).not.toBe(rows[limit]);
  }
});
