import type { CallContext } from '../context/call-context.ts';
import { childContext } from '../context/child-context.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { checkWhole } from '../errors/check-option.ts';
import { addUsage, type Usage } from '../model/usage.ts';
import type { Solver, Task } from '../task/task.ts';
import type { AgentTool } from './agent-tool.ts';
import { applyTool } from './apply-tool.ts';
import type { ChatToolCall } from './chat-message.ts';
import type { ToolProgress, ToolTurn } from './tool-turn.ts';

/** Limits of {@link solveWithTools}. */
export interface SolveWithToolsOptions {
  /** Uses of tools before the model is told to answer; 6 by default. */
  readonly maxToolCalls?: number | undefined;
  /** What a model is shown of one observation, in UTF-16 code units; 12,000 by default. */
  readonly maxObservationLength?: number | undefined;
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

/**
 * Solves a task whose output lets the solver use tools before it answers (ReAct): thought, use of a tool, observation,
 * and again, until it answers. The task's output is made by {@link toolTurnOutput}, and its `render` puts
 * {@link toolMessages} behind the prompt, so every solver and every recording can do it. Turns and uses of tools are
 * journaled: a resumed run repeats none.
 *
 * An unknown tool, input that does not fit and a tool that fails are observations, from which the model can go on; so
 * is the same use twice in a row, which is not done again. Each use emits a `tool-call` event with name and sizes.
 *
 * Rejects with `MODEL_OUTPUT_INVALID` when it uses a tool again although it was told to answer, with `CONFIG_INVALID`
 * for limits that make no sense, with what the solver rejects with, and with an abort, an exceeded budget or an error
 * of the flow from inside a tool.
 */
export async function solveWithTools<In extends object, Out>(
  solver: Solver,
  task: Task<In & ToolProgress, ToolTurn<Out>>,
  input: In,
  tools: readonly AgentTool[],
  options: SolveWithToolsOptions,
  context: CallContext,
): Promise<SolvedWithTools<Out>> {
  const maxToolCalls = checkWhole('solveWithTools.maxToolCalls', options.maxToolCalls ?? 6);
  const maxLength = checkWhole('solveWithTools.maxObservationLength', options.maxObservationLength ?? 12_000);
  const toolCalls: ChatToolCall[] = [];
  const usages: Usage[] = [];
  const warnings = new Set<string>();
  let calls = 0;
  for (let turn = 1; ; turn += 1) {
    const progress: ToolProgress = { toolCalls: [...toolCalls], toolCallsLeft: maxToolCalls - toolCalls.length };
    const solved = await solver.solve(task, { ...input, ...progress }, childContext(context, `turn-${turn}`));
    usages.push(solved.usage);
    calls += solved.calls;
    for (const warning of solved.warnings) warnings.add(warning);
    const { value } = solved;
    const cost = { usage: addUsage(...usages), calls };
    if (value.kind === 'answer')
      return {
        value: value.answer,
        thought: value.thought,
        toolCalls,
        ...cost,
        solvedBy: solved.solvedBy,
        warnings: [...warnings],
      };
    if (progress.toolCallsLeft === 0)
      throw new AskemaError(
        'MODEL_OUTPUT_INVALID',
        `${solved.solvedBy} gave no answer to ${task.id} after ${maxToolCalls} uses of tools, also when it was told to. Raise \`maxToolCalls\`, or take a stronger model.`,
        { details: { ...cost, attempts: turn } },
      );
    const before = toolCalls.at(-1);
    toolCalls.push(await applyTool(tools, value, { before, maxLength, number: toolCalls.length + 1 }, context));
  }
}
