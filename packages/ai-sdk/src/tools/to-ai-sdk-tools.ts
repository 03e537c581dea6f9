import { checkWhole, type EventSink, iterateEvents } from '@askema/core';
import { cutReply } from './cut-reply.ts';

/** What is used of a tool; those of `askemaTools` of `@askema/tools` are such. */
export interface AgentTool<Name extends string = string, Input = unknown> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  // biome-ignore lint/suspicious/noExplicitAny: each tool checks its input itself
  call(input: any, context?: AgentToolContext): Promise<AgentToolReply>;
}

interface AgentToolContext {
  readonly signal?: AbortSignal | undefined;
  readonly tenant?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly onEvent?: EventSink | undefined;
}

interface AgentToolReply {
  readonly structured: unknown;
  readonly text: string;
  readonly isError: boolean;
}

/** What a page gets of a call: the step that it is at, as often as that changes, and in the end the reply. */
export type AiSdkToolOutput =
  | { readonly state: 'working'; readonly step: string }
  | ({ readonly state: 'done' } & AgentToolReply);

/** A tool as `generateText`, `streamText` and the agents of the AI SDK take it. */
export interface AiSdkTool<Input = unknown> {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Input;
  execute(
    input: unknown,
    options: { readonly abortSignal?: AbortSignal | undefined },
  ): AsyncGenerator<AiSdkToolOutput, void, undefined>;
  /** What the model gets: the reply in words, in which data stands in a marked block. */
  toModelOutput(made: { readonly output: AiSdkToolOutput }): {
    readonly type: 'text' | 'error-text';
    readonly value: string;
  };
}

export interface AiSdkToolsOptions extends Pick<AgentToolContext, 'tenant' | 'tags'> {
  /** Characters of a reply that the model gets; the page gets all of it. Default: 10,000, from 1,000. */
  readonly modelCharacters?: number | undefined;
}

const DEFAULT_MODEL_CHARACTERS = 10_000;
const LEAST_MODEL_CHARACTERS = 1_000;

/**
 * Tools of Askema for agents of the AI SDK, by their names.
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
export function toAiSdkTools<const Tool extends AgentTool>(
  tools: readonly Tool[],
  options: AiSdkToolsOptions = {},
): { readonly [Name in Tool['name']]: AiSdkTool<Tool['input']> } {
  const { modelCharacters = DEFAULT_MODEL_CHARACTERS, tenant, tags } = options;
  checkWhole('modelCharacters', modelCharacters, LEAST_MODEL_CHARACTERS);
  const made = tools.map((tool): readonly [string, AiSdkTool] => [
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema: tool.input,
      execute: (input, { abortSignal }) => progress(tool, input, { signal: abortSignal, tenant, tags }),
      toModelOutput: ({ output }) =>
        output.state === 'done'
          ? { type: output.isError ? 'error-text' : 'text', value: cutReply(output.text, modelCharacters) }
          : { type: 'error-text', value: 'The tool was stopped before it had a result.' },
    },
  ]);
  return Object.fromEntries(made) as { [Name in Tool['name']]: AiSdkTool<Tool['input']> };
}

async function* progress(
  tool: AgentTool,
  input: unknown,
  { signal, ...context }: AgentToolContext,
): AsyncGenerator<AiSdkToolOutput, void, undefined> {
  const left = new AbortController();
  const signals = signal === undefined ? [left.signal] : [left.signal, signal];
  const run = iterateEvents((onEvent) => tool.call(input, { ...context, signal: AbortSignal.any(signals), onEvent }));
  try {
    for await (const event of run) if (event.type === 'step-started') yield { state: 'working', step: event.step };
    yield { state: 'done', ...(await run.result) };
  } finally {
    // Whoever leaves early wants no more of it.
    left.abort();
  }
}
