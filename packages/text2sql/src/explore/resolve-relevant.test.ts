import { bigqueryDialect, postgresDialect, snowflakeDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { twoSchemas } from '../fixtures/two-schemas.ts';
import { resolveRelevant } from './resolve-relevant.ts';

describe('resolveRelevant', () => {
  it('finds names without quotes as the engine stores them, and keeps quoted ones as they are', () => {
    const catalog = twoSchemas(snowflakeDialect);
    const { relevant, unknown } = resolveRelevant(
      [{ relation: 'shop.archive.orders', attributes: ['total', 'orders.ORDER_ID', 'gone'] }],
      catalog,
      snowflakeDialect,
    );
    expect(relevant).toMatchObject([{ relation: 'SHOP.ARCHIVE.ORDERS', attributes: ['ORDER_ID', 'TOTAL'] }]);
    expect(unknown).toBe(1);
  });

  it.each([
    [postgresDialect, ['sales.orders', 'archive.orders']],
    [bigqueryDialect, ['shop.sales.orders', 'shop.archive.orders']],
  ])('takes a bare name for each relation that has it on $displayName', (dialect, names) => {
    const catalog = twoSchemas(dialect);
    const named = [{ relation: 'orders', attributes: ['total', 'archived_on'] }];
    const { relevant, unknown } = resolveRelevant(named, catalog, dialect);
    expect(relevant.map(({ relation }) => relation)).toEqual(names);
    expect(relevant.map(({ attributes }) => attributes)).toEqual([['total'], ['total', 'archived_on']]);
    expect(unknown).toBe(0);
  });

  it('takes a qualified name for the one that it names, and counts what is nowhere', () => {
    const catalog = twoSchemas(postgresDialect);
    const named = [
      { relation: '"archive"."orders"', attributes: [] },
      { relation: 'sales.gone', attributes: ['x'] },
    ];
    const { relevant, unknown } = resolveRelevant(named, catalog, postgresDialect);
    expect(relevant.map(({ relation }) => relation)).toEqual(['archive.orders']);
    expect(unknown).toBe(1);
  });
});
