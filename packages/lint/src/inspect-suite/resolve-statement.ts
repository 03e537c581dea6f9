import type { Catalog, Dialect } from '@askema/core';
import { sqlparserTs } from '@askema/sql-parser';
import { resolveQuery } from '../resolve/resolve-query.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { shopCatalog } from './shop-catalog.ts';

export interface ResolveStatementOptions {
  readonly catalog?: Catalog;
  readonly dialect?: Dialect;
  readonly question?: string;
  readonly evidence?: string;
}

/**
 * For tests: a parser and what it resolves, in `ownDialect` unless a call names another; close it after all tests of a
 * file.
 */
export function statementResolver(ownDialect: Dialect) {
  const parser = sqlparserTs({ timeoutMs: 30_000 });
  const shop = shopCatalog();
  return {
    parser,
    catalog: shop,
    /** The statement resolved in the shop, unless another catalog is given. */
    async resolve(sql: string, options: ResolveStatementOptions = {}): Promise<ResolvedQuery> {
      const { catalog = shop, dialect = ownDialect, question, evidence } = options;
      const parsed = await parser.parse(sql, dialect);
      if (!parsed.ok) throw new Error(`${parsed.failure}: ${parsed.reason}`);
      return resolveQuery({ sql, shape: parsed.shape, catalog, dialect, question, evidence });
    },
    close: () => parser.close(),
  };
}
