import type {
  Access,
  Adapter,
  CallContext,
  Catalog,
  Compression,
  KnowledgeSource,
  LanguageModel,
  Solver,
  ValueIndex,
} from '@askema/core';
import type { SqlParser } from '@askema/sql';
import type { AskBack } from './ask-back.ts';
import type { CatalogSource } from './catalog-source.ts';

/** Caps of each statement that is run for an answer. */
export interface ExecutionLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  /** From start to last row. */
  readonly timeoutMs: number;
}

/** What the schema in the prompt holds. */
export interface SchemaOptions {
  /** False where nobody reads a prompt: then no schema is rendered. */
  readonly isPrompted: boolean;
  /** Distinct values shown of a text or date attribute with many; 0 shows no values at all. */
  readonly sampleValues: number;
  readonly maxSchemaTokens?: number | undefined;
  readonly compression?: Compression | undefined;
  /** Of the documents that belong to the question. Default: 8,000. */
  readonly maxDocumentTokens?: number | undefined;
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Whether words of the question are looked up in the cells. */
  readonly linkValues: boolean;
  readonly valueIndex?: ValueIndex | undefined;
}

/** Knowledge about a database, and how it is used. */
export interface KnowledgeInUse {
  readonly source: KnowledgeSource;
  /** A question that knowledge reads whole is answered by it, without a model. */
  readonly answers: boolean;
  /** A model may write `metric(…)`. */
  readonly metricCalls: boolean;
}

/** Asks a model with the schema that fits it. `warnings` say what was done for it. */
export type FitSchema = <In, Out>(
  input: In,
  context: CallContext,
  ask: (input: In) => Promise<Out>,
) => Promise<{ readonly answer: Out; readonly warnings: readonly string[] }>;

/** Who answers tasks. */
export interface Answerer {
  readonly solver: Solver;
  /** Undefined for a solver that is no language model. */
  readonly model: LanguageModel | undefined;
}

/** Everything that is not data: what the steps of every flow work with. New for each run. */
export interface QuestionDeps {
  readonly adapter: Adapter;
  /** Answers the tasks. */
  readonly solver: Solver;
  /** Where the solver is a language model: for flows that talk to it themselves. */
  readonly model?: LanguageModel | undefined;
  /**
   * Another one, for a part of a flow: a model is put under the budget of the run. Without a model, that of
   * `createText2Sql`. Equal requests of two `sample`s are kept apart by caches and recordings. The same arguments give
   * the same solver.
   */
  readonly answerer: (
    model: LanguageModel | Solver | undefined,
    options?: { readonly sample?: number | undefined },
  ) => Answerer;
  readonly catalogs: CatalogSource;
  readonly access: Access;
  /** Asked before a statement that changes anything runs. */
  readonly approve?: ((sql: string) => Promise<boolean>) | undefined;
  readonly limits: ExecutionLimits;
  readonly askBack: AskBack;
  readonly schemaOptions: SchemaOptions;
  /** For prompts that are sent without a solver: solvers are asked so already. */
  readonly fitSchema: FitSchema;
  /**
   * Where statements are written with the values that are stored: the cells of a catalog. Undefined without
   * `alignValues`.
   */
  readonly alignBy?: ((catalog: Catalog) => ValueIndex) | undefined;
  /** What the business means by its words. */
  readonly knowledge?: KnowledgeInUse | undefined;
  /** Parses statements; starts with the first one. */
  readonly parser: SqlParser;
}
