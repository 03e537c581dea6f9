/** The value indexes that `bars:recall` can measure, by name. */
import { type Adapter, type Catalog, scanCells, type ValueIndex } from '@askema/core';

export type OpenValueIndex = (adapter: Adapter, catalog: Catalog) => Promise<ValueIndex>;

export const VALUE_INDEXES: Readonly<Record<string, OpenValueIndex>> = {
  scan: async (adapter, catalog) => scanCells({ adapter, catalog }),
};
