import { buildCatalog, type Catalog, createCallContext, type Dialect, type NameParts } from '@askema/core';
import { bigqueryDialect, duckdbDialect, postgresDialect, snowflakeDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { lexical } from './lexical.ts';
import { generateTask } from './testing/small-database.ts';

/** Orders in two places, customers in one; names as each engine stores them. */
function twice(dialect: Dialect, upper: boolean): Catalog {
  const cased = (text: string): string => (upper ? text.toUpperCase() : text);
  const hasDatabase = dialect.identifiers.qualifiers.includes('database');
  const place = (schema: string, relation: string): NameParts => ({
    ...(hasDatabase ? { database: cased('shop') } : {}),
    schema: cased(schema),
    relation: cased(relation),
  });
  const numeric = dialect.types.native.NUMERIC;
  const orders = (schema: string) => ({
    nameParts: place(schema, 'orders'),
    kind: 'table' as const,
    attributes: [
      { name: cased('order_id'), nativeType: numeric },
      { name: cased('customer_id'), nativeType: numeric },
      { name: cased('total'), nativeType: numeric },
      { name: cased('placed_on'), nativeType: 'DATE' },
    ],
    primaryKey: [cased('order_id')],
    foreignKeys: [{ attributes: [cased('customer_id')], target: place('sales', 'customers') }],
  });
  return buildCatalog({
    dialect,
    name: 'shop',
    relations: [
      {
        nameParts: place('sales', 'customers'),
        kind: 'table',
        attributes: [
          { name: cased('customer_id'), nativeType: numeric },
          { name: cased('name'), nativeType: dialect.types.native.TEXT },
        ],
        primaryKey: [cased('customer_id')],
      },
      orders('sales'),
      orders('archive'),
    ],
  });
}

const ENGINES: readonly (readonly [Dialect, boolean, string, string])[] = [
  [postgresDialect, false, 'archive.orders', 'sales.customers'],
  [duckdbDialect, false, 'shop.archive.orders', 'shop.sales.customers'],
  [snowflakeDialect, true, 'SHOP.ARCHIVE.ORDERS', 'SHOP.SALES.CUSTOMERS'],
  [bigqueryDialect, false, 'shop.archive.orders', 'shop.sales.customers'],
];

describe.each(ENGINES)('relations of one name on $displayName', (dialect, upper, archive, customers) => {
  const catalog = twice(dialect, upper);
  const ask = async (question: string) => {
    const input = { question, catalog, dialect, schemaText: '', values: [], today: '2024-06-15', allowWrite: false };
    return (await lexical().solve(generateTask, input, createCallContext())).value;
  };

  it('are told apart in the question back', async () => {
    const answer = await ask('How many orders are there?');
    expect(answer.outcome).toBe('needs_clarification');
    expect(answer.explanation.toLowerCase()).toContain(
      'count of rows in sales.orders; or count of rows in archive.orders',
    );
  });

  it('are meant by their schema', async () => {
    expect(await ask('How many archive orders are there?')).toMatchObject({
      outcome: 'sql',
      sql: `SELECT COUNT(*) FROM ${archive}`,
    });
  });

  it('are joined by their whole names', async () => {
    const { outcome, sql } = await ask('How many archive orders does each customer have?');
    expect(outcome).toBe('sql');
    expect(sql).toContain(`FROM ${archive} `);
    expect(sql).toContain(`JOIN ${customers} `);
    expect(sql.toLowerCase()).not.toContain('sales.orders');
  });

  it('need no more words where only one has the name', async () => {
    expect(await ask('How many customers are there?')).toMatchObject({ sql: `SELECT COUNT(*) FROM ${customers}` });
  });
});
