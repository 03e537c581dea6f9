import { type Tool, type ToolReply, toolDefinitions } from '@askema/tools';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ANSWER, ANSWER_KEY, askedBackIn, formOf } from './clarification.ts';
import type { McpServed } from './contract.ts';
import { progressOf } from './progress.ts';
import type { RememberedReplies } from './remembered-replies.ts';
import { shownSchema } from './tool-schema.ts';
import { withinTrace } from './within-trace.ts';

/** Registers a tool: progress, cancelling, and questions to the person behind the client where the client can ask. */
export function registerTool(server: McpServer, tool: Tool, served: McpServed, replies: RememberedReplies): void {
  const [definition] = toolDefinitions([tool]);
  if (definition === undefined) return;
  const { name, inputSchema, outputSchema, ...named } = definition;
  const described = { ...named, inputSchema: shownSchema(inputSchema), outputSchema: shownSchema(outputSchema) };
  server.registerTool(name, described, async (given: unknown, context: ServerContext) => {
    const { mcpReq } = context;
    const call = (parameters: unknown): Promise<ToolReply<unknown>> =>
      withinTrace(served.within, context, () =>
        tool.call(parameters, { ...served.context, signal: mcpReq.signal, onEvent: progressOf(context) }),
      );
    // What the client sends back is signed, and was verified before this runs.
    const resume = mcpReq.requestState<string>();
    if (resume === undefined) return toResult(await call(given), elicitationOf(server, context), replies);
    const answer = acceptedContent(mcpReq.inputResponses, ANSWER_KEY, ANSWER);
    if (answer === undefined && inputResponse(mcpReq.inputResponses, ANSWER_KEY).kind === 'missing')
      return askAgain(resume, replies);
    if (answer === undefined) return resultOf(replies.of(resume));
    const { database } = given as { readonly database?: unknown };
    const answers = { resume, choice: answer.choice };
    const reply = await call(database === undefined ? { answers } : { database, answers });
    return toResult(reply, elicitationOf(server, context), replies);
  });
}

/** A client that came back without an answer to the question. */
function askAgain(resume: string, replies: RememberedReplies): CallToolResult | InputRequiredResult {
  const reply = replies.of(resume);
  const asked = askedBackIn(reply);
  return asked === undefined ? resultOf(reply) : requireAnswer(asked);
}

function toResult(
  reply: ToolReply<unknown>,
  elicitation: Elicitation,
  replies: RememberedReplies,
): CallToolResult | InputRequiredResult {
  const asked = askedBackIn(reply);
  if (asked === undefined || !canAsk(elicitation)) return resultOf(reply);
  replies.keep(asked.resume, reply);
  return requireAnswer(asked);
}

type Elicitation = ClientCapabilities['elicitation'];

/** Since 2026-07-28 each request says what its client can; before, the connection did. */
function elicitationOf({ server }: McpServer, { mcpReq }: ServerContext): Elicitation {
  const envelope = mcpReq.envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities())?.elicitation;
}

/** Forms are what a client without `form` and without `url` can show: before 2025-11-25 there were no others. */
function canAsk(elicitation: Elicitation): boolean {
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

function requireAnswer(asked: NonNullable<ReturnType<typeof askedBackIn>>): InputRequiredResult {
  return inputRequired({ inputRequests: { [ANSWER_KEY]: formOf(asked) }, requestState: asked.resume });
}

function resultOf({ structured, text, isError }: ToolReply<unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: structured as NonNullable<CallToolResult['structuredContent']>,
    ...(isError ? { isError } : {}),
  };
}
