import { type Adapter, type Catalog, createCallContext } from '@askema/core';
import type { CatalogCache } from '@askema/grounding';

export interface EarlyOptions {
  readonly signal: AbortSignal | undefined;
  /** Where the catalog may be on disk; then the database is not asked. */
  readonly cache?: CatalogCache | undefined;
  /** Read it anew all the same. */
  readonly refresh?: boolean | undefined;
}

/**
 * Begins to read the catalog at once: the database works on it while the rest of the command is loaded. The first call
 * for the whole catalog gets it, or the error of reading it.
 */
export function readCatalogEarly(inner: Adapter, { signal, cache, refresh }: EarlyOptions): Adapter {
  const context = createCallContext({ path: 'catalog', signal });
  const read = (): Promise<Catalog> => inner.introspect({ context });
  let early: Promise<Catalog> | undefined =
    cache === undefined ? read() : cache.find({ refresh, context }).then(({ catalog }) => catalog ?? read());
  // A command that ends before it needs the catalog does not fail for it.
  early.catch(() => undefined);
  return {
    ...inner,
    introspect: async (options = {}) => {
      if (early === undefined || options.include !== undefined) return inner.introspect(options);
      const reading = early;
      early = undefined;
      return reading;
    },
  };
}
