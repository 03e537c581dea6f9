import { type Adapter, type Catalog, createCallContext } from '@askema/core';

/**
 * Begins to read the catalog at once: the database works on it while the rest of the command is loaded. The first call
 * for the whole catalog gets it, or the error of reading it.
 */
export function readCatalogEarly(inner: Adapter, signal: AbortSignal | undefined): Adapter {
  let early: Promise<Catalog> | undefined = inner.introspect({
    context: createCallContext({ path: 'catalog', signal }),
  });
  // A command that ends before it needs the catalog does not fail for it.
  early.catch(() => undefined);
  return {
    ...inner,
    introspect: async (options = {}) => {
      if (early === undefined || options.include !== undefined) return inner.introspect(options);
      const read = early;
      early = undefined;
      return read;
    },
  };
}
