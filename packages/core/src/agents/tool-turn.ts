import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { AskemaError } from '../errors/askema-error.ts';
import type { Message } from '../model/language-model.ts';
import type { JsonValue } from '../values/value.ts';
import type { AgentToolSpec } from './agent-tool.ts';
import type { ChatToolCall } from './chat-message.ts';

/** What a turn of an agent with tools decides: to use a tool, or to answer (ReAct: thought, action, observation). */
export type ToolTurn<Out> =
  | { readonly kind: 'call'; readonly thought: string; readonly tool: string; readonly input: JsonValue }
  | { readonly kind: 'answer'; readonly thought: string; readonly answer: Out };

/** What `solveWithTools` adds to the input of the task at every turn; `toolMessages` renders it. */
export interface ToolProgress {
  /** What was asked and observed so far. */
  readonly toolCalls: readonly ChatToolCall[];
  /** How many uses are left; 0 means: answer now. */
  readonly toolCallsLeft: number;
}

/**
 * The output schema of a task that may use tools. The model writes `{ thought, step: { tool, input } }`, where `tool` is the name of a tool
 * or `answer`, and `input` is what that one takes, so strict structured output can hold it to the form. Read leniently: a tool that does
 * not exist and input that does not fit reach `solveWithTools`, which answers with an observation; only the final answer is validated here.
 */
export function toolTurnOutput<Out>(
  _tools: readonly AgentToolSpec[],
  _answer: StandardSchemaV1<unknown, Out>,
): StandardSchemaV1<unknown, ToolTurn<Out>> & StandardJSONSchemaV1<unknown, ToolTurn<Out>> {
  throw new AskemaError('INTERNAL', 'Not built yet.');
}

/** The turns so far as messages, to stand behind the prompt: each call as the model's own, each observation fenced; and what is left. */
export function toolMessages(_progress: ToolProgress): readonly Message[] {
  throw new AskemaError('INTERNAL', 'Not built yet.');
}
