import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { CallContext } from '../context/call-context.ts';

/** A tool as a model is told of it. */
export interface AgentToolSpec {
  /** Letters, digits, `_` and `-`. Not `answer`, which ends the work. */
  readonly name: string;
  /** What it does and when to use it, for the prompt. */
  readonly description: string;
  /** What it takes. Give one that implements Standard JSON Schema (zod 4 does), so that models are shown its form. */
  readonly input: StandardSchemaV1;
}

/** A tool that a role may use. Made by {@link defineTool}. */
export interface AgentTool extends AgentToolSpec {
  /**
   * What was observed, as text. Whatever it throws becomes a failed observation, an abort or an exceeded budget
   * excepted.
   */
  readonly run: (input: never, context: CallContext) => string | ToolObservation | Promise<string | ToolObservation>;
}

/** What a tool observed. `failed` marks it as an error for the model, which may try otherwise. */
export interface ToolObservation {
  readonly text: string;
  readonly failed?: boolean | undefined;
}

/** A tool whose `run` gets what its input schema gives out. */
export function defineTool<Input>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: StandardSchemaV1<unknown, Input>;
  readonly run: (
    input: NoInfer<Input>,
    context: CallContext,
  ) => string | ToolObservation | Promise<string | ToolObservation>;
}): AgentTool {
  return Object.freeze({ ...tool });
}
