import type { Access, Adapter, Solver } from '@askema/core';

/** Everything that is not data: what the steps of text2sql work with. */
export interface Text2SqlDeps {
  readonly adapter: Adapter;
  readonly solver: Solver;
  readonly access: Access;
}
