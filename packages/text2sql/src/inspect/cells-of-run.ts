import { type Adapter, type Catalog, scanCells, type ValueIndex } from '@askema/core';

/** The given index; or, for each catalog, one that reads cells from the database and keeps them as long as the run lasts. */
export function cellsOfRun(adapter: Adapter, given: ValueIndex | undefined): (catalog: Catalog) => ValueIndex {
  let scanned: { readonly fingerprint: string; readonly cells: ValueIndex } | undefined;
  return (catalog) => {
    if (given !== undefined) return given;
    if (scanned?.fingerprint !== catalog.fingerprint)
      scanned = { fingerprint: catalog.fingerprint, cells: scanCells({ adapter, catalog }) };
    return scanned.cells;
  };
}
