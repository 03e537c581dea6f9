import type { CallContext } from '../context/call-context.ts';
import { childContext } from '../context/child-context.ts';
import { type AskemaError, isAskemaError, throwIfAborted, toAskemaError } from '../errors/askema-error.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import { didYouMean } from '../errors/nearest-names.ts';
import { issueText, type ValidatedOutput, validateOutput } from '../task/structured/validate-output.ts';
import { shortened } from '../text/shortened.ts';
import type { JsonValue } from '../values/value.ts';
import type { AgentTool } from './agent-tool.ts';
import type { ChatToolCall } from './chat-message.ts';
import { foldRoleName } from './role-profile.ts';
import type { ToolTurn } from './tool-turn.ts';

/** Errors that no other use of a tool can mend: they end the turn. */
const FATAL: ReadonlySet<ErrorCode> = new Set([
  'ABORTED',
  'BUDGET_EXCEEDED',
  'RECORDING_MISSING',
  'FLOW_INVALID',
  'FLOW_STEP_LIMIT',
  'FLOW_CHANGED',
  'FLOW_NOT_DETERMINISTIC',
  'FLOW_SUSPENDED',
  'JOURNAL_INVALID',
  'JOURNAL_LOCKED',
]);
const MAX_NAME_LENGTH = 60;
const MAX_ISSUES = 5;
const MAX_ISSUE_LENGTH = 300;

type Observation = Pick<ChatToolCall, 'observation' | 'failed'>;

/** One use of a tool, as it stands in the transcript. */
export async function applyTool(
  tools: readonly AgentTool[],
  call: Extract<ToolTurn<unknown>, { readonly kind: 'call' }>,
  limits: { readonly before: ChatToolCall | undefined; readonly maxLength: number; readonly number: number },
  context: CallContext,
): Promise<ChatToolCall> {
  const tool =
    tools.find(({ name }) => name === call.tool) ??
    tools.find(({ name }) => foldRoleName(name) === foldRoleName(call.tool));
  const name = tool?.name ?? shortened(call.tool, MAX_NAME_LENGTH);
  const { before, number, maxLength } = limits;
  const repeated =
    before !== undefined && before.tool === name && JSON.stringify(before.input) === JSON.stringify(call.input);
  const child = childContext(context, `tool-${number}`);
  const work = (inner: CallContext): Promise<Observation> => observe(tools, tool, name, call.input, inner);
  const seen = repeated
    ? { observation: repeatedText(before), failed: true }
    : tool === undefined || child.memo === undefined
      ? await work(child)
      : await child.memo(name, work);
  const observation = shortened(seen.observation, maxLength);
  context.emit?.({
    type: 'tool-call',
    data: { tool: name, number, failed: seen.failed, repeated, observationLength: observation.length },
  });
  return { tool: name, thought: call.thought, input: call.input, observation, failed: seen.failed };
}

async function observe(
  tools: readonly AgentTool[],
  tool: AgentTool | undefined,
  name: string,
  input: JsonValue,
  context: CallContext,
): Promise<Observation> {
  if (tool === undefined) return failure(unknownText(name, tools));
  const validated = await validateInput(tool, input);
  if (!validated.ok) {
    const issues = validated.issues
      .slice(0, MAX_ISSUES)
      .map((one) => `- ${shortened(issueText(one), MAX_ISSUE_LENGTH)}`);
    return failure(`The input does not fit \`${name}\`:\n${issues.join('\n')}`);
  }
  throwIfAborted(context.signal, `The tool \`${name}\``);
  try {
    const observed = await tool.run(validated.value as never, context);
    if (typeof observed === 'string') return { observation: observed, failed: false };
    return { observation: observed.text, failed: observed.failed ?? false };
  } catch (thrown) {
    throwIfAborted(context.signal, `The tool \`${name}\``);
    const error: AskemaError = toAskemaError(thrown);
    if (isAskemaError(thrown) && FATAL.has(error.code)) throw thrown;
    return failure(`\`${name}\` failed: ${error.message}`);
  }
}

/** Models at times write the object as a text that holds JSON. */
async function validateInput(tool: AgentTool, input: JsonValue): Promise<ValidatedOutput<unknown>> {
  const validated = await validateOutput(tool.input, input);
  if (validated.ok || typeof input !== 'string') return validated;
  try {
    const parsed = await validateOutput(tool.input, JSON.parse(input));
    return parsed.ok ? parsed : validated;
  } catch {
    return validated;
  }
}

function unknownText(name: string, tools: readonly AgentTool[]): string {
  const names = tools.map((tool) => tool.name);
  const known =
    names.length === 0 ? 'There are no tools.' : `There are: ${names.map((one) => `\`${one}\``).join(', ')}.`;
  return `There is no tool \`${name}\`. ${didYouMean(name, names)} ${known}`.replaceAll(/ +/g, ' ');
}

/** What was observed is already in the conversation, one message up. */
function repeatedText({ failed }: ChatToolCall): string {
  return `You have just made the same call with the same input, and it was not made again: ${failed ? 'it would fail in the same way' : 'what you observed still holds'}. Use another tool or another input, or answer.`;
}

function failure(observation: string): Observation {
  return { observation, failed: true };
}
