import { AskemaError } from '../errors/askema-error.ts';
import type { Usage } from '../model/usage.ts';
import type { CallContext } from '../task/call-context.ts';
import type { Solver, Task } from '../task/task.ts';
import type { AgentTool } from './agent-tool.ts';
import type { ChatToolCall } from './chat-message.ts';
import type { ToolProgress, ToolTurn } from './tool-turn.ts';

export interface SolveWithToolsOptions {
  /** Uses of tools before the model is told to answer; 6 by default. */
  readonly maxToolCalls?: number | undefined;
}

/** A final answer, how it was found, and what it cost. */
export interface SolvedWithTools<Out> {
  readonly value: Out;
  /** The thought that came with the answer. */
  readonly thought: string;
  /** In their order, for the transcript. */
  readonly toolCalls: readonly ChatToolCall[];
  /** Of all turns. */
  readonly usage: Usage;
  readonly calls: number;
  readonly solvedBy: string;
  readonly warnings: readonly string[];
}

export async function solveWithTools<In, Out>(
  _solver: Solver,
  task: Task<In & ToolProgress, ToolTurn<Out>>,
  _input: In,
  _tools: readonly AgentTool[],
  _options: SolveWithToolsOptions,
  _context: CallContext,
): Promise<SolvedWithTools<Out>> {
  throw new AskemaError('INTERNAL', `${task.id} cannot be solved yet.`);
}
