import {
  AskemaError,
  addUsage,
  type LanguageModel,
  type Message,
  modelName,
  parseStructured,
  type StepContext,
  type Task,
  type ToolCallPart,
  type ToolDefinition,
  type ToolResultPart,
  textOf,
  type Usage,
  userMessage,
} from '@askema/core';
import { type Spent, sumSpent, withWarnings } from '../../../question/question-input.ts';
import { callModel } from '../../../steps/call-model.ts';
import { parseActions } from '../clauses/parse-actions.ts';
import type { ActionSequence, FindingDecision, InspectPlan, InspectStage } from '../state/inspect-state.ts';
import type { ActionForm } from '../tasks/action-rules.ts';
import {
  DECIDE,
  DECLINE,
  decideArguments,
  declineArguments,
  OTHER_READINGS,
  readingsArguments,
} from '../tasks/action-tools.ts';
import type { GenerateActionsOutput } from '../tasks/generate-actions.ts';
import type { InspectDeps } from '../tasks/inspect-tasks.ts';
import type { ReviseActionsOutput } from '../tasks/revise-actions.ts';

/** What a model answered: a sequence as it wrote it, or why there is none. */
export type GivenActions = Omit<GenerateActionsOutput, 'thinking'> & Pick<ReviseActionsOutput, 'decisions'>;

export type AskedActions = GivenActions & { readonly spent: Spent };

/** A task that gives actions. */
type ActionTask<In> = Task<
  In,
  Partial<Pick<GivenActions, 'decisions' | 'other_readings'>> & Omit<GivenActions, 'decisions' | 'other_readings'>
>;

/** How the stage is asked: with tools where it is a model that has them, unless the plan says otherwise. */
export function actionForm(stage: InspectStage, plan: InspectPlan, { own }: Pick<InspectDeps, 'own'>): ActionForm {
  if (plan.actions === 'structured') return 'structured';
  const { solver, model } = own.answererOf(stage);
  if (plan.actions === 'auto') return model?.capabilities.tools === true ? 'tools' : 'structured';
  if (model !== undefined && model.capabilities.tools !== false) return 'tools';
  throw new AskemaError(
    'CAPABILITY_UNSUPPORTED',
    `\`inspect.actions\` is tools, but ${model === undefined ? solver.name : modelName(model)} has none. Use \`auto\` or \`structured\`.`,
  );
}

/**
 * Asks a stage for a sequence of actions, in one form or the other; in structured form as well where the turns of a
 * model with tools do not suffice.
 *
 * Rejects with the errors of the model, and with `MODEL_OUTPUT_INVALID` when it gives nothing that can be read.
 */
export async function askActions<In extends { readonly form: ActionForm }>(
  stage: InspectStage,
  { task, input, tools, maxTurns }: ActionRequest<In>,
  context: StepContext<InspectDeps>,
): Promise<AskedActions> {
  const { solver, model } = context.deps.own.answererOf(stage);
  const isTools = input.form === 'tools' && model !== undefined;
  const called = isTools ? await talkWithin(model, { task, input, tools, maxTurns }, context) : undefined;
  if (called !== undefined && !('unfinished' in called)) return called;
  // A model that makes one call a turn never comes to the end of a long sequence.
  const { value, ...spent } = await solver.solve(task, { ...input, form: 'structured' }, context);
  const all = called === undefined ? spent : sumSpent(called.unfinished, spent);
  return { ...value, ...listsOf(value), spent: all };
}

/** What an answer of one of the tasks has no place for is empty. */
export function listsOf({
  decisions = [],
  other_readings = [],
}: Partial<Pick<GivenActions, 'decisions' | 'other_readings'>>): Pick<GivenActions, 'decisions' | 'other_readings'> {
  return { decisions, other_readings };
}

interface ActionRequest<In> {
  readonly task: ActionTask<In>;
  readonly input: In;
  readonly tools: readonly ToolDefinition[];
  readonly maxTurns: number;
}

const NOTED = 'Noted.';
const GO_ON = 'The sequence is not whole yet: make all calls that are missing now, in one turn, up to `add_select`.';
const NO_CALL = `Answer by calling the tools: the whole sequence of actions, or \`${DECLINE}\`.`;

interface Talk {
  readonly conversation: readonly Message[];
  readonly calls: readonly ToolCallPart[];
  readonly usage: Usage;
  readonly warnings: readonly string[];
  readonly said: string;
}

/** A conversation whose prompt fits the model. */
async function talkWithin<In>(
  model: LanguageModel,
  request: ActionRequest<In>,
  context: StepContext<InspectDeps>,
): Promise<AskedActions | { readonly unfinished: Spent }> {
  const { answer, warnings } = await context.deps.fitSchema(request.input, context, (input) =>
    converse(model, { ...request, input }, context),
  );
  return 'unfinished' in answer
    ? { unfinished: withWarnings(answer.unfinished, warnings) }
    : { ...answer, spent: withWarnings(answer.spent, warnings) };
}

/**
 * Native tool calls: those of all turns make one sequence, until it is whole; `unfinished`, when the turns are used up
 * before.
 */
async function converse<In>(
  model: LanguageModel,
  { task, input, tools, maxTurns }: ActionRequest<In>,
  context: StepContext<InspectDeps>,
): Promise<AskedActions | { readonly unfinished: Spent }> {
  let talk: Talk = { conversation: task.render(input), calls: [], usage: {}, warnings: [], said: '' };
  for (let turn = 1; ; turn += 1) {
    const result = await callModel(model, { messages: talk.conversation, tools }, context);
    const parts = result.content.filter((part) => part.type === 'tool-call');
    const text = textOf(result.content).trim();
    talk = {
      ...talk,
      calls: sequenceOf(talk.calls, parts),
      usage: addUsage(talk.usage, result.usage),
      warnings: [...talk.warnings, ...result.warnings],
      said: parts.length > 0 && text !== '' ? text : talk.said,
    };
    const spent = {
      usage: talk.usage,
      calls: turn,
      solvedBy: result.answeredBy ?? modelName(model),
      warnings: talk.warnings,
    };
    const declined = parts.flatMap(declinedBy)[0];
    if (declined !== undefined)
      return { ...declined, actions: [], decisions: [], other_readings: readingsOf(talk.calls), spent };
    if (isWhole(talk.calls)) return { ...given(talk), spent };
    if (parts.length === 0 && text !== '') {
      const parsed = await parseStructured(text, task.output, { cut: result.finishReason.unified === 'length' });
      if (parsed.ok) return { ...parsed.value, ...listsOf(parsed.value), spent };
    }
    if (turn >= maxTurns) {
      if (talk.calls.length > 0) return { unfinished: spent };
      throw noActions(model, task.id, spent);
    }
    const said: Message[] = result.content.length === 0 ? [] : [{ role: 'assistant', content: result.content }];
    talk = { ...talk, conversation: [...talk.conversation, ...said, ...answersTo(parts)] };
  }
}

/** A turn that begins its query again begins the sequence again. */
function sequenceOf(before: readonly ToolCallPart[], fresh: readonly ToolCallPart[]): readonly ToolCallPart[] {
  const open = before.slice(before.findLastIndex(({ name }) => name === 'add_merge') + 1);
  const isAgain = open.some(({ name }) => name === 'add_from') && fresh.some(({ name }) => name === 'add_from');
  return isAgain && !startsWithMerge(fresh) ? fresh : [...before, ...fresh];
}

function startsWithMerge(calls: readonly ToolCallPart[]): boolean {
  const first = calls.find(({ name }) => name === 'add_from' || name === 'add_merge');
  return first?.name === 'add_merge';
}

function isWhole(calls: readonly ToolCallPart[]): boolean {
  const last = calls.slice(calls.findLastIndex(({ name }) => name === 'add_merge') + 1);
  return last.some(({ name }) => name === 'add_select');
}

function given({ calls, said }: Talk): GivenActions {
  return {
    outcome: 'actions',
    actions: calls
      .filter(({ name }) => name !== DECIDE && name !== DECLINE && name !== OTHER_READINGS)
      .map((call) => ({ name: call.name, arguments: call.arguments ?? call.invalidArguments ?? {} })),
    decisions: calls.flatMap((call) => {
      const read = call.name === DECIDE ? decideArguments.safeParse(call.arguments) : undefined;
      return read?.success === true ? [read.data] : [];
    }),
    explanation: said,
    not_understood: [],
    other_readings: readingsOf(calls),
  };
}

function readingsOf(calls: readonly ToolCallPart[]): GivenActions['other_readings'] {
  return calls.flatMap((call) => {
    const read = call.name === OTHER_READINGS ? readingsArguments.safeParse(call.arguments) : undefined;
    return read?.success === true ? read.data.readings : [];
  });
}

function declinedBy(call: ToolCallPart): Omit<GivenActions, 'actions' | 'decisions' | 'other_readings'>[] {
  if (call.name !== DECLINE) return [];
  const read = declineArguments.safeParse(call.arguments);
  if (read.success) return [read.data];
  const { outcome, explanation } = (call.arguments ?? {}) as Readonly<Record<string, unknown>>;
  return [
    {
      outcome: outcome === 'needs_clarification' ? outcome : 'unanswerable',
      explanation: typeof explanation === 'string' ? explanation : '',
      not_understood: [],
    },
  ];
}

/** Providers refuse a conversation in which the result of a call is missing. */
function answersTo(parts: readonly ToolCallPart[]): readonly Message[] {
  if (parts.length === 0) return [userMessage(NO_CALL)];
  const results = parts.map(
    ({ id, name }, position): ToolResultPart => ({
      type: 'tool-result',
      toolCallId: id,
      name,
      text: position === parts.length - 1 ? `${NOTED} ${GO_ON}` : NOTED,
    }),
  );
  return [{ role: 'tool', content: results }];
}

function noActions(model: LanguageModel, taskId: string, { usage, calls }: Spent): AskemaError {
  return new AskemaError(
    'MODEL_OUTPUT_INVALID',
    `${modelName(model)} gave no actions for ${taskId} in ${calls} ${calls === 1 ? 'turn' : 'turns'}. Use \`inspect.actions: 'structured'\`, or a stronger model.`,
    { details: { usage, calls } },
  );
}

/** What a model wrote, as a sequence whose sub-questions are not answered yet. */
export function readActions(given: Pick<GivenActions, 'actions'>): ActionSequence {
  const { actions, problems } = parseActions(given.actions);
  // Their numbers are those of the list that the model wrote, not of the actions that could be read.
  const unread = problems.map(({ action, message, nearestNames }) => ({
    message: action === undefined ? message : `Action ${action + 1} of the list could not be read. ${message}`,
    nearest: nearestNames,
  }));
  return { actions, answers: {}, unread };
}

/** True for who keeps everything: the sequence may be left out then. */
export function keepsAll({ actions, decisions }: Pick<GivenActions, 'actions' | 'decisions'>): boolean {
  return actions.length === 0 && decisions.length > 0 && decisions.every(({ decision }) => decision === 'keep');
}

/** Decisions on findings that were shown, each by its index there; the last word on one counts. */
export function readDecisions(given: Pick<GivenActions, 'decisions'>, shown: number): readonly FindingDecision[] {
  const byFinding = new Map<number, FindingDecision>();
  for (const { finding, decision, reason } of given.decisions) {
    const position = finding - 1;
    if (Number.isInteger(position) && position >= 0 && position < shown)
      byFinding.set(position, { finding: position, decision, reason: reason.trim() });
  }
  return [...byFinding.values()];
}
