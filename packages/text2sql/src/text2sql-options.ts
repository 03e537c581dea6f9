import type {
  Access,
  Adapter,
  AdapterSpec,
  Budget,
  BudgetOptions,
  Catalog,
  Compression,
  EventSink,
  Journal,
  KnowledgeSource,
  LanguageModel,
  Outcome,
  RowStream,
  Runtime,
  Solver,
  ValueIndex,
} from '@askema/core';
import type { CatalogCache, CatalogCacheOptions } from '@askema/grounding';
import type { SqlParser } from '@askema/sql';
import type { ExternalDocument } from './documents/select-passages.ts';
import type { AskBack } from './question/ask-back.ts';
import type { Text2SqlFlow } from './question/flow-spec.ts';
import type { EarlierQuestion } from './question/question-state.ts';

export interface Text2SqlOptions {
  readonly adapter: AdapterSpec | Adapter;
  /** A language model, or any solver of `text2sql.generate-sql`. */
  readonly model: LanguageModel | Solver;
  /**
   * A flow that comes along (`refine({ limits: { threads: 5 } })`), or one of your own. Default: `auto()` where a
   * language model reads, with effort `low` where `sampleValues` is 0; else, and with `@askema/text2sql/ask`, `plain()`.
   */
  readonly flow?: Text2SqlFlow | undefined;
  /** Default: `read`. With `write`, statements that change data or structure may run. */
  readonly access?: Access | undefined;
  /**
   * Asked before a statement that changes anything runs; false ends the question as `refused`. Only with `access:
   * 'write'`.
   */
  readonly approve?: ((sql: string) => Promise<boolean>) | undefined;
  /**
   * When a question that can be read in two ways with different results is asked back: `never`, `equal` (nothing speaks
   * for one of them) or `always`. Where it is not asked, the answer names the others in `assumptions`. Default: `equal`.
   */
  readonly askBack?: AskBack | undefined;
  /** Rows of an answer. Default: 10,000. */
  readonly maxRows?: number | undefined;
  /** Bytes of an answer. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Each statement, from start to last row. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Executions in all: 3 means three executions and two repairs. Default: 3. */
  readonly maxDebugAttempts?: number | undefined;
  /**
   * Parses statements that are inspected. Default: `sqlparserTs()` of @askema/sql-parser, made when the first one is,
   * and closed by `close`.
   */
  readonly parser?: SqlParser | undefined;
  /**
   * Distinct values that the prompt shows of a text or date attribute that has more than ten; of an attribute that has
   * ten or fewer it shows all. They leave the house: the model's provider reads them. 0 shows none. Default: 3, unless
   * the flow says otherwise; 0 with a solver that wants values instead (`lexical`).
   */
  readonly sampleValues?: number | undefined;
  /**
   * A budget for the schema in the prompt, in tokens as `countTokens` counts them. What does not fit is chosen by the
   * question. Default: 8,000.
   */
  readonly maxSchemaTokens?: number | undefined;
  /**
   * How the schema is compressed: `lossless`, or `paper` or `v5`, which hide columns, for comparison. Default: lossless,
   * unless the flow says otherwise.
   */
  readonly compression?: Compression | undefined;
  /** A budget for the `documents` of a question in the prompt. Default: 8,000. */
  readonly maxDocumentTokens?: number | undefined;
  /** What a text costs. Default: a quarter of the characters. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Globs over qualified names: only these relations are shown. */
  readonly include?: readonly string[] | undefined;
  /**
   * Looks for foreign keys that nobody declared, by names and values, once for a catalog: with at most 100 statements and
   * 3 seconds, in databases of up to 1,000 relations. Prompts show them as inferred. Default: true.
   */
  readonly inferKeys?: boolean | undefined;
  /**
   * Where the catalog, samples and inferred keys are kept on disk, so that the next start need not read them: values of the
   * database get there, in files for this user alone. They are used while the database says that they still hold. Adapters
   * that cannot say it, and those of `restrict`, are not kept. Default: nothing is.
   */
  readonly catalogCache?: CatalogCacheOptions | CatalogCache | undefined;
  /**
   * Looks the words of the question up in the cells, and shows the model those that match. Default: true, unless
   * `sampleValues` is 0.
   */
  readonly linkValues?: boolean | undefined;
  /** Where cells are looked up; without one, the database is asked. */
  readonly valueIndex?: ValueIndex | undefined;
  /**
   * What the business means by its words: `createKnowledge` of @askema/knowledge makes it. Prompts show what of it a
   * question needs, `metric(…)` in a statement is computed as it is defined, and answers say in `basedOn` what they
   * stand on. Without it, prompts are as they were.
   */
  readonly knowledge?: KnowledgeSource | undefined;
  /**
   * A question that `knowledge` reads whole, as a verified query or as metrics, is answered without a model. Default: true
   * with the flow `auto` and where nobody reads a prompt (`lexical`), else false.
   */
  readonly knowledgeFirst?: boolean | undefined;
  /**
   * Before a statement that reads is run for an answer, a text of a condition that no cell of its column has gives way to
   * the cell that is clearly meant. `explanation` says each, `warnings` those in other words. Default: false.
   */
  readonly alignValues?: boolean | undefined;
  /** What each question may cost; or a budget that all questions share. Only with a language model. */
  readonly budget?: BudgetOptions | Budget | undefined;
  /** Where runs are recorded, so that they can be resumed. Default: nowhere. */
  readonly journal?: Journal | undefined;
  /** Hears each step and call of all runs, in order; never rows or prompts. What it throws is dropped. */
  readonly onEvent?: EventSink | undefined;
  /** Clock, sleep, random and logger. */
  readonly runtime?: Partial<Runtime> | undefined;
}

export interface AskOptions {
  /** Stops the model call, and the statement on the server; the outcome is `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Definitions, enum meanings, anything that the question takes for granted. */
  readonly evidence?: string | undefined;
  /**
   * Glossaries, formulas, manuals: shown whole up to `maxDocumentTokens`, else the passages nearest to the question.
   */
  readonly documents?: readonly ExternalDocument[] | undefined;
  /**
   * For a follow-up: the question before, and the statement that answered it. The model edits that one where it helps.
   * The question has to stand alone all the same, see `conversation`.
   */
  readonly follows?: EarlierQuestion | undefined;
  /** Default: a random one. An id that the journal already holds is resumed. */
  readonly runId?: string | undefined;
  /** For query tags and traces. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /**
   * For whom the question is: in each call, so that caches are kept apart and vendors can be told. It grants nothing, see
   * `adapter.scope`.
   */
  readonly tenant?: string | undefined;
  /** Reads the catalog again, even when it is known. */
  readonly refreshCatalog?: boolean | undefined;
  /** The date for "today", ISO 8601. Default: the runtime's clock. */
  readonly today?: string | undefined;
  /** As that of `createText2Sql`, for this run alone. */
  readonly onEvent?: EventSink | undefined;
}

export interface ResumeQuestionOptions extends Pick<AskOptions, 'signal' | 'onEvent'> {
  /**
   * For a run that ended with `needsClarification`: the id of a choice, or words of one's own. Plain data of any form for
   * a run that a step of your own has suspended.
   */
  readonly answer?: unknown;
}

export interface StreamOptions extends Pick<AskOptions, 'signal' | 'tags' | 'tenant'> {
  /** Rows in all; `end.truncated` says when there were more. Default: no cap, because rows are not held. */
  readonly maxRows?: number | undefined;
  /** Bytes in all. Default: no cap. */
  readonly maxBytes?: number | undefined;
  /** From start to last row; the time that the reader takes counts. Default: `timeoutMs` of `createText2Sql`. */
  readonly timeoutMs?: number | undefined;
}

/** Answers questions about one database: what every `createText2Sql` gives. */
export interface OpenText2Sql {
  /**
   * Never rejects for what an outcome can say.
   *
   * @throws AskemaError `INPUT_INVALID` for an empty or a far too long question.
   */
  ask(question: string, options?: AskOptions): Promise<Outcome>;
  /**
   * Goes on with a run that the journal holds: after a crash, after a failure, or with an `answer`. Nothing that was paid
   * for is asked again. An answer to `needsClarification` begins a run of its own, `RUN~2`, with the same question; it
   * needs no journal in the process that asked.
   *
   * @throws AskemaError `CONFIG_INVALID` without a journal; `INPUT_INVALID` when it has no such run, for an answer that is
   * no choice where nobody reads words, and for a second, different answer.
   */
  resume(runId: string, options?: ResumeQuestionOptions): Promise<Outcome>;
  /**
   * The rows of one statement that reads, batch by batch and with exact values; no journal gets them. SQL runs once. The
   * rows of an answered outcome that holds all of them are handed over and nothing runs; where its result was cut, the
   * statement runs anew from its first row, now to its last. Leaving the loop stops the statement on the server.
   *
   * ```ts
   * const stream = await text2sql.stream(outcome);
   * for await (const rows of stream) for (const row of rows) console.log(row);
   * ```
   *
   * @throws AskemaError `INPUT_INVALID` for an outcome that is not `answered` and for empty SQL, `QUERY_NOT_READ_ONLY` or
   * `QUERY_REFUSED` for SQL that is not one read; the other codes of a query also while rows are read.
   */
  stream(source: Outcome | string, options?: StreamOptions): Promise<RowStream>;
  /**
   * What questions are asked with: read once, then known. Structure and comments, no rows.
   *
   * @throws AskemaError the codes of a database that cannot be read, and `DATABASE_CLOSED`.
   */
  catalog(options?: Pick<AskOptions, 'signal' | 'tenant'>): Promise<Catalog>;
  /** Stops what runs and closes the adapter. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
