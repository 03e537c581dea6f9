import type { Message } from '@askema/core';
import type { FlowDeps, FlowState } from '../../question/flow-spec.ts';
import type { reactTurnTask } from './tasks/react-turn.ts';

/** What the flow keeps: what the agent said, saw and still has to do. */
export interface ReactSlice {
  /** Input: model calls in all. */
  readonly maxTurns: number;
  /** The conversation so far; reasoning and vendor data stay in it, because providers want them back. */
  messages: readonly Message[];
  /** Model calls so far. */
  turns: number;
  /** Tool calls that have no result yet. */
  pending: readonly AgentCall[];
  /** The last statement that ran without an error while looking around. */
  lastGoodSql: string | null;
}

/** A tool call of the agent. `id` is undefined where the model has no tools and said it in text. */
export type AgentCall = { readonly id: string | undefined; readonly name: string } & (
  | { readonly type: 'execute'; readonly sql: string }
  | { readonly type: 'terminate' }
  /** A call that cannot be carried out; the model is told why. */
  | { readonly type: 'invalid'; readonly problem: string }
);

/** The prompts of the flow. */
export interface ReactTasks {
  /** With a model that has no tools. */
  readonly reactTurn: typeof reactTurnTask;
}

export type ReactState = FlowState<ReactSlice>;
export type ReactDeps = FlowDeps<{ readonly tasks: ReactTasks }>;
