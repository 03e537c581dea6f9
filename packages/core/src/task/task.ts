import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { CallContext } from '../context/call-context.ts';
import type { Message } from '../model/language-model.ts';
import type { Usage } from '../model/usage.ts';

/**
 * What a pipeline wants to know: typed input, prompt, typed output. Prompts live in `render` and can be replaced by
 * replacing the task: `{ ...generateSql, render: mine }`.
 */
export interface Task<In, Out> {
  /** Dotted and stable: `text2sql.generate-sql`. Solvers decide by it whether they can answer. */
  readonly id: string;
  /** Raised when the meaning of input or output changes, or the prompt changes materially. */
  readonly version: number;
  /** One sentence for tools and traces. */
  readonly description?: string | undefined;
  /** A pure function of the input. Data goes inside fences (`fence()`), schema first, question last. */
  readonly render: (input: In) => readonly Message[];
  /**
   * Any Standard Schema (zod, valibot, arktype). Where it also implements Standard JSON Schema, providers get it as
   * their native structured output.
   */
  readonly output: StandardSchemaV1<unknown, Out>;
}

/** A task's answer and what it cost. */
export interface Solved<Out> {
  readonly value: Out;
  readonly usage: Usage;
  /** How many model calls it took; 0 for a solver without a model. */
  readonly calls: number;
  /** Who answered: `openai:gpt-…`, `lexical`. */
  readonly solvedBy: string;
  readonly warnings: readonly string[];
  /** Where the answer asks back: the statements that can be meant, likeliest first, each with its meaning. */
  readonly readings?: readonly { readonly meaning: string; readonly sql: string }[] | undefined;
  /** Where the answer is a statement: what it takes for granted, see `Outcome`. */
  readonly assumptions?: readonly { readonly text: string; readonly concerns?: string | undefined }[] | undefined;
}

/**
 * Answers tasks. A language model is one (`fromModel`), the lexical parser another.
 *
 * `solve` rejects with `TASK_UNSUPPORTED`, `MODEL_OUTPUT_INVALID`, any `MODEL_*` code, `BUDGET_EXCEEDED` or `ABORTED`.
 */
export interface Solver {
  readonly name: string;
  /** What a pipeline must put into the input for this solver to do its work. */
  readonly needs?: readonly 'values'[] | undefined;
  supports(taskId: string): boolean;
  solve<In, Out>(task: Task<In, Out>, input: In, context: CallContext): Promise<Solved<Out>>;
}
