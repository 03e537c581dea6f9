import { ToolMessage } from '@langchain/core/messages';
import { type DynamicStructuredTool, type ToolRunnableConfig, tool } from '@langchain/core/tools';
import type { JSONSchema } from '@langchain/core/utils/json_schema';
import { type AgentToolsOptions, agentCalls } from '../agents/agent-options.ts';
import type { AskedBack } from '../agents/asked-back.ts';
import { stepsOfCall } from '../agents/steps-of-call.ts';
import type { Tool, ToolReply } from '../contract.ts';
import { toolDefinition } from '../tool-definitions.ts';
import { interruptedCalls } from './interrupted-calls.ts';

/** A tool as `createAgent`, `bindTools` and graphs take it. */
export type LangChainTool = DynamicStructuredTool<JSONSchema>;

export interface LangChainToolsOptions extends AgentToolsOptions {
  /**
   * `interrupt` of @langchain/langgraph: a question that is asked back then stops a graph that has a checkpointer, with an
   * {@link AskedBack}. `new Command({ resume: { resume, choice } })` goes on with its `resume` and the id of a
   * choice, or words; any other value declines. Default: the question is a reply, which the agent puts to the person.
   */
  readonly interrupt?: ((asked: AskedBack) => unknown) | undefined;
}

/**
 * Tools for agents of LangChain.js and graphs of LangGraph. The content of a message is what the model gets, its artifact
 * the whole reply. The signal of a call stops model calls and the statement on the server. Errors are messages with the
 * status `error`, so that the model reads them and can mend its call.
 *
 * ```ts
 * const tools = toLangChainTools(askemaTools({ databases: { shop: { text2sql, adapter } } }));
 * const agent = createAgent({ model, tools });
 * ```
 *
 * @throws AskemaError `CONFIG_INVALID` for `modelCharacters` out of range
 */
export function toLangChainTools(tools: readonly Tool[], options: LangChainToolsOptions = {}): LangChainTool[] {
  const { context, forModel } = agentCalls(options);
  const interrupted = options.interrupt === undefined ? undefined : interruptedCalls(options.interrupt);
  return tools.map((one) => {
    const { name, description, inputSchema: schema } = toolDefinition(one);
    async function* call(input: unknown, config: ToolRunnableConfig) {
      const begin = (given: unknown) => stepsOfCall(one, given, { ...context, signal: config.signal });
      const reply = yield* interrupted === undefined ? begin(input) : interrupted(input, config, begin);
      return messageOf(name, forModel(reply.text), reply, config);
    }
    // LangChain checks the input before the tool does, and else says only that it is wrong.
    const verboseParsingErrors = true;
    return tool(call, { name, description, schema, verboseParsingErrors, responseFormat: 'content_and_artifact' });
  });
}

/** Content and artifact. A message of its own says that it is an error; LangChain takes it for the content. */
function messageOf(
  name: string,
  content: string,
  artifact: ToolReply<unknown>,
  { toolCall }: ToolRunnableConfig,
): [string | ToolMessage, ToolReply<unknown>] {
  if (!artifact.isError || toolCall?.id === undefined) return [content, artifact];
  return [new ToolMessage({ name, content, artifact, status: 'error', tool_call_id: toolCall.id }), artifact];
}
