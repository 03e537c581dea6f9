import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { AskemaError } from '../errors/askema-error.ts';
import { assistantMessage, type Message, userMessage } from '../model/language-model.ts';
import { fence } from '../task/fence.ts';
import type { JsonValue } from '../values/value.ts';
import type { AgentToolSpec } from './agent-tool.ts';
import type { ChatToolCall } from './chat-message.ts';
import { foldRoleName } from './role-profile.ts';
import { toolTurnSchema } from './tool-turn-schema.ts';

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

/** What a tool or an answer takes is shallow. */
const MAX_DEPTH = 64;

/** In the place of a tool's name: the end of the work. */
const ANSWER = 'answer';

/**
 * The output schema of a task that may use tools. The model writes `{ thought, step: { tool, input } }`, where `tool`
 * is the name of a tool or `answer`, and `input` is what that one takes, so strict structured output can hold it to the
 * form. Read leniently: a tool that does not exist and input that does not fit reach `solveWithTools`, which answers
 * with an observation; only the final answer is validated here.
 *
 * @throws AskemaError `CONFIG_INVALID` for tool names that a model could not tell apart or from `answer`.
 */
export function toolTurnOutput<Out>(
  tools: readonly AgentToolSpec[],
  answer: StandardSchemaV1<unknown, Out>,
): StandardSchemaV1<unknown, ToolTurn<Out>> & StandardJSONSchemaV1<unknown, ToolTurn<Out>> {
  checkTools(tools);
  return {
    '~standard': {
      version: 1,
      vendor: 'askema',
      validate: (value) => readTurn(value, answer),
      jsonSchema: {
        input: ({ target }) => toolTurnSchema(tools, answer, target),
        output: () => {
          throw new AskemaError(
            'CAPABILITY_UNSUPPORTED',
            'The output of a turn with tools has no JSON Schema; use its input.',
          );
        },
      },
    },
  };
}

/**
 * The turns so far as messages, to stand behind the prompt: each call as the model's own, each observation fenced; and
 * how many uses are left. Nothing before the first call.
 */
export function toolMessages({ toolCalls, toolCallsLeft }: ToolProgress): readonly Message[] {
  return toolCalls.flatMap(({ thought, tool, input, observation, failed }, index) => {
    const left = index < toolCalls.length - 1 ? '' : `\n\n${leftText(toolCallsLeft)}`;
    const head = `Observation ${index + 1}${failed ? ' (failed)' : ''}:`;
    return [
      assistantMessage(JSON.stringify({ thought, step: { tool, input } })),
      userMessage(`${head}\n${fence(`observation ${index + 1}`, observation)}${left}`),
    ];
  });
}

function leftText(left: number): string {
  if (left === 0) return `No use of a tool is left. Give your answer now: \`step.tool\` must be \`${ANSWER}\`.`;
  return `You can use tools ${left === 1 ? 'once more' : `${left} more times`}, or answer.`;
}

function checkTools(tools: readonly AgentToolSpec[]): void {
  const taken = new Set([ANSWER]);
  for (const { name } of tools) {
    const folded = foldRoleName(name);
    if (!/^[A-Za-z0-9_-]+$/.test(name) || taken.has(folded))
      throw new AskemaError(
        'CONFIG_INVALID',
        `The tool name \`${name}\` is taken, or holds more than letters, digits, \`_\` and \`-\`; choose another one.`,
      );
    taken.add(folded);
  }
}

async function readTurn<Out>(
  value: unknown,
  answer: StandardSchemaV1<unknown, Out>,
): Promise<StandardSchemaV1.Result<ToolTurn<Out>>> {
  if (isDeeperThan(value, MAX_DEPTH)) return issue(`nested in more than ${MAX_DEPTH} levels`, []);
  if (!isRecord(value)) return issue('expected an object with `thought` and `step`', []);
  // Models without structured output at times leave the inner object out.
  const step = isRecord(value.step) ? value.step : value;
  const path = step === value ? [] : ['step'];
  const thought = typeof value.thought === 'string' ? value.thought : '';
  const { tool } = step;
  if (typeof tool !== 'string' || tool.trim() === '')
    return issue(`expected the name of a tool, or \`${ANSWER}\``, ['step', 'tool']);
  if (foldRoleName(tool) !== ANSWER)
    return { value: { kind: 'call', thought, tool: tool.trim(), input: (step.input ?? null) as JsonValue } };
  const result = await answer['~standard'].validate(step.input);
  if (result.issues === undefined) return { value: { kind: 'answer', thought, answer: result.value } };
  return { issues: result.issues.map((one) => ({ ...one, path: [...path, 'input', ...(one.path ?? [])] })) };
}

function issue(message: string, path: readonly string[]): StandardSchemaV1.FailureResult {
  return { issues: [{ message, path }] };
}

/** Without recursion: a model may write ten thousand brackets. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
