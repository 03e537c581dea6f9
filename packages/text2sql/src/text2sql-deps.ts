import type { Access, Adapter, LanguageModel, Solver, ValueIndex } from '@askema/core';
import type { CatalogSource } from './catalog-source.ts';
import type { InspectSettings } from './inspect/inspect-options.ts';
import type { RefineSettings } from './refine/refine-options.ts';
import type { Text2SqlTasks } from './text2sql-tasks.ts';

/** Caps of each statement that is run for an answer. */
export interface ExecutionLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  /** From start to last row. */
  readonly timeoutMs: number;
}

/** What the schema in the prompt holds. */
export interface SchemaOptions {
  /** Distinct values shown per text-like attribute; 0 shows none. */
  readonly sampleValues: number;
  readonly maxSchemaTokens?: number | undefined;
  /** Of the documents that belong to the question. Default: 8,000. */
  readonly maxDocumentTokens?: number | undefined;
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Whether words of the question are looked up in the cells. */
  readonly linkValues: boolean;
  readonly valueIndex?: ValueIndex | undefined;
}

/** Everything that is not data: what the steps of text2sql work with. */
export interface Text2SqlDeps {
  readonly adapter: Adapter;
  /** Answers the tasks. */
  readonly solver: Solver;
  /** Where the solver is a language model: for flows that talk to it themselves. */
  readonly model?: LanguageModel | undefined;
  readonly tasks: Text2SqlTasks;
  readonly catalogs: CatalogSource;
  readonly access: Access;
  /** Asked before a statement that changes anything runs. */
  readonly approve?: ((sql: string) => Promise<boolean>) | undefined;
  readonly limits: ExecutionLimits;
  readonly schemaOptions: SchemaOptions;
  /** Model turns of the `react` flow. */
  readonly maxTurns: number;
  /** Of the `refine` flow. */
  readonly refine: RefineSettings;
  /** Of the `inspect` flow, and of the inspection of `refine`. */
  readonly inspect: InspectSettings;
}
