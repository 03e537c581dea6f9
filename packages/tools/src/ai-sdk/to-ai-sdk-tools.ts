import { type AgentToolsOptions, agentCalls, type ModelOutput, toolsByName } from '../agents/agent-options.ts';
import { stepsOfCall, type ToolStep } from '../agents/steps-of-call.ts';
import type { Tool, ToolName, ToolReply } from '../contract.ts';

/** What a page gets of a call: the step that it is at, as often as that changes, and in the end the reply. */
export type AiSdkToolOutput = ToolStep | ({ readonly state: 'done' } & ToolReply<unknown>);

/** A tool as `generateText`, `streamText` and the agents of the AI SDK take it. */
export interface AiSdkTool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Tool['input'];
  execute(
    input: unknown,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ): AsyncGenerator<AiSdkToolOutput, void, undefined>;
  /** What the model gets: the reply in words, in which data stands in a marked block. */
  toModelOutput(made: { readonly output: AiSdkToolOutput }): ModelOutput;
}

/**
 * Tools for agents of the AI SDK, by their names.
 *
 * ```ts
 * const tools = toAiSdkTools(askemaTools({ databases: { shop: { text2sql, adapter } } }));
 * const { text } = await generateText({ model, tools, stopWhen: isStepCount(5), prompt: 'How many orders?' });
 * ```
 *
 * An abort of the SDK stops model calls and the statement on the server. Errors are replies, so that the model reads
 * them and can mend its call.
 *
 * @throws AskemaError `CONFIG_INVALID` for `modelCharacters` out of range
 */
export function toAiSdkTools(
  tools: readonly Tool[],
  options: AgentToolsOptions = {},
): Readonly<Record<ToolName, AiSdkTool>> {
  const { context, modelOutput } = agentCalls(options);
  return toolsByName(tools, (tool) => ({
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input,
    execute: (input, { abortSignal }) => untilDone(tool, input, { ...context, signal: abortSignal }),
    toModelOutput: ({ output }) =>
      modelOutput(output) ?? { type: 'error-text', value: 'The tool was stopped before it had a result.' },
  }));
}

async function* untilDone(...call: Parameters<typeof stepsOfCall>): AsyncGenerator<AiSdkToolOutput, void, undefined> {
  yield { state: 'done', ...(yield* stepsOfCall(...call)) };
}
