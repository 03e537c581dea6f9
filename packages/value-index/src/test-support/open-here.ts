import type { Catalog } from '@askema/core';
import { openSearch, type SearchIndex } from '../search/search-index.ts';
import { identityOf } from '../store/check-catalog.ts';
import { loadDriver } from '../store/driver.ts';

/** Opens an index in the process of the test, so that none has to be started. */
export async function openHere(path: string, catalog?: Catalog): Promise<SearchIndex & Disposable> {
  const identity = catalog === undefined ? undefined : identityOf(catalog);
  const index = await openSearch(await loadDriver(), { path, catalog: identity, model: undefined });
  return { ...index, [Symbol.dispose]: index.close };
}
