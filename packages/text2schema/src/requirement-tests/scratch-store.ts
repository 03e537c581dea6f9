import type { AdapterSpec, CallContext, Schema } from '@askema/core';
import type { RowStore } from './row-store.ts';

export interface ScratchStore extends RowStore {
  close(): Promise<void>;
}

export interface ScratchStoreOptions {
  readonly schema: Schema;
  /** An empty database, opened for writing; called once. */
  readonly scratch: () => AdapterSpec | Promise<AdapterSpec>;
  /** For each statement, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  readonly context: CallContext;
}

export async function openScratchStore(_options: ScratchStoreOptions): Promise<ScratchStore> {
  throw new Error('Not written yet.');
}
