import type { Adapter, AdapterSpec, Compressor, CteParser, Dialect, Explorer } from '@askema/core';
import { splitCtes } from '@askema/sql';
import { compress } from './compress/compress.ts';
import { createExplorer } from './explore/create-explorer.ts';

/** What pipelines ask of an adapter beside its queries. */
export interface Services {
  readonly compressor: Compressor;
  readonly explorer: Explorer;
  readonly cteParser: CteParser;
}

/**
 * Compression, exploration and CTE parsing for a dialect, as the parts of an adapter. Spread it into the `AdapterSpec`
 * and replace what the engine does better.
 */
export function dialectServices(dialect: Dialect): {
  readonly [Name in keyof Services]: NonNullable<AdapterSpec[Name]>;
} {
  return {
    compressor: (catalog, options) => compress(catalog, { dialect, ...options }),
    explorer: (query) => createExplorer(dialect, query),
    cteParser: { split: (sql) => splitCtes(sql, dialect.lexer) },
  };
}

/** The three services of an adapter; what its author left out is that of {@link dialectServices}. */
export function servicesOf(
  adapter: Pick<Adapter, 'dialect' | 'query' | 'compressor' | 'explorer' | 'cteParser'>,
): Services {
  const standard = dialectServices(adapter.dialect);
  return {
    compressor: adapter.compressor ?? standard.compressor,
    explorer: adapter.explorer ?? standard.explorer(adapter.query),
    cteParser: adapter.cteParser ?? standard.cteParser,
  };
}
