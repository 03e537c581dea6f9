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
 * For tests: one parser for all files of a process, since its thread takes long to start. It keeps no process alive, so
 * nobody closes it.
 */
export const suiteParser = sqlparserTs({ timeoutMs: 30_000 });

/** For tests: what `suiteParser` resolves, in `ownDialect` unless a call names another. */
export function statementResolver(ownDialect: Dialect) {
  const shop = shopCatalog();
  return {
    catalog: shop,
    /** The statement resolved in the shop, unless another catalog is given. */
    async resolve(sql: string, options: ResolveStatementOptions = {}): Promise<ResolvedQuery> {
      const { catalog = shop, dialect = ownDialect, question, evidence } = options;
      const parsed = await suiteParser.parse(sql, dialect);
      if (!parsed.ok) throw new Error(`${parsed.failure}: ${parsed.reason}`);
      return resolveQuery({ sql, shape: parsed.shape, catalog, dialect, question, evidence });
    },
  };
}
