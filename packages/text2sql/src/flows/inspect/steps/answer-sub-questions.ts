import {
  AskemaError,
  type Catalog,
  defineStep,
  type InspectionFinding,
  isAskemaError,
  type StepContext,
} from '@askema/core';
import type { PromptInput } from '../../../prompts/prompt-sections.ts';
import {
  NOTHING_SPENT,
  type QuestionData,
  readQuestion,
  recordCost,
  type Spent,
  sqlInput,
  sumSpent,
} from '../../../question/question-input.ts';
import type { AskSubQuestion } from '../clauses/clause-action.ts';
import type { ActionSequence, InspectFlowState, InspectPlan, InspectSlice, SubAnswer } from '../state/inspect-state.ts';
import { REVISE_TOOLS, SUB_QUESTION_TOOLS } from '../tasks/action-tools.ts';
import type { InspectDeps } from '../tasks/inspect-tasks.ts';
import { type AskedActions, actionForm, askActions, keepsAll, readActions, readDecisions } from './ask-actions.ts';
import { assembleSequence } from './inspect-sequence.ts';
import { blockingFindings, findingKey, showAnswer } from './open-findings.ts';

export interface AnswerStart extends SubQuestionsInput {
  /** The statement that the findings of known answers were made on. */
  readonly inspectedSql: string;
}

/**
 * Answers the sub-questions of the sequence (`qa`), each by a sequence of its own; asks nothing where there are none,
 * or where all are known.
 */
export const answerQuestions = defineStep<InspectFlowState, InspectDeps>()({
  name: 'answer-sub-questions',
  prep: (state): AnswerStart => ({
    asked: readQuestion(state),
    plan: state.flow.plan,
    sequence: sequenceOf(state.flow),
    known: knownAnswers(state.flow),
    inspectedSql: state.flow.tries.at(-1)?.sql ?? '',
  }),
  exec: (start, context: StepContext<InspectDeps>): Promise<SubQuestionsAnswered> => answerSubQuestions(start, context),
  post: (state, { sequence, inspectedSql }, { answers, kept, spent }) => {
    recordCost(state, spent);
    state.flow.sequence = { ...sequence, answers };
    state.flow.keeps = [...state.flow.keeps, ...kept.map((finding) => findingKey(finding, inspectedSql))];
  },
});

/** The sequence that a step works on. */
export function sequenceOf({ sequence }: Pick<InspectSlice, 'sequence'>): ActionSequence {
  if (sequence !== null) return sequence;
  throw new AskemaError('INTERNAL', 'There are no actions to go on with; `generate-actions` has to come first.');
}

/** Answers of the last try, with what was found in each and was not answered with `keep`. */
function knownAnswers({ tries, plan, keeps }: InspectSlice): readonly KnownAnswer[] {
  const last = tries.at(-1);
  if (last === undefined) return [];
  const open = blockingFindings(last, plan).flatMap((position) => last.findings[position] ?? []);
  const kept = new Set(keeps);
  return last.actions.flatMap((action, position): KnownAnswer[] => {
    const answer =
      action.action === 'qa' && Object.hasOwn(last.answers, action.id) ? last.answers[action.id] : undefined;
    if (action.action !== 'qa' || answer === undefined) return [];
    const findings = open.filter((finding) => finding.action === position && !kept.has(findingKey(finding, last.sql)));
    // Its action is that of the sub-question here, and none of its own sequence.
    return [{ use: action.use, answer, findings: findings.map(({ action: _, ...finding }) => finding) }];
  });
}

interface SubQuestionsInput {
  readonly asked: QuestionData;
  readonly plan: InspectPlan;
  readonly sequence: ActionSequence;
  /**
   * Answers of the try before: each is taken again for the same sub-question, or revised where something was found in
   * it.
   */
  readonly known: readonly KnownAnswer[];
}

export interface KnownAnswer {
  readonly use: AskSubQuestion['use'];
  readonly answer: SubAnswer;
  /** What was found in it and has to be decided. */
  readonly findings: readonly InspectionFinding[];
}

export interface SubQuestionsAnswered {
  readonly answers: Readonly<Record<string, SubAnswer>>;
  /** Findings that were answered with `keep`. */
  readonly kept: readonly InspectionFinding[];
  readonly spent: Spent;
}

interface Level {
  readonly prompt: PromptInput;
  readonly plan: InspectPlan;
  /** 1 for the sub-questions of the question itself. */
  readonly depth: number;
  /** What was answered so far, at whatever depth: the same sub-question is answered once. */
  readonly given: Map<string, SubAnswer>;
}

/** Answers the sub-questions of a sequence, and theirs, each by a sequence of its own in a call of its own. */
async function answerSubQuestions(
  { asked, plan, sequence, known }: SubQuestionsInput,
  context: StepContext<InspectDeps>,
): Promise<SubQuestionsAnswered> {
  if (!sequence.actions.some(({ action }) => action === 'qa')) return { answers: {}, kept: [], spent: NOTHING_SPENT };
  // A part of the question does not follow what the whole one does.
  const prompt = { ...(await sqlInput(asked, context.deps, context)), follows: undefined, allowWrite: false };
  return answerLevel(sequence, known, { prompt, plan, depth: 1, given: new Map() }, context);
}

async function answerLevel(
  sequence: ActionSequence,
  known: readonly KnownAnswer[],
  level: Level,
  context: StepContext<InspectDeps>,
): Promise<SubQuestionsAnswered> {
  const { limits } = level.plan;
  const answers: Record<string, SubAnswer> = {};
  const kept: InspectionFinding[] = [];
  const spent: Spent[] = [];
  for (const action of sequence.actions) {
    if (action.action !== 'qa' || Object.hasOwn(answers, action.id)) continue;
    const { id, question, use } = action;
    const key = `${use} ${question.replaceAll(/\s+/g, ' ').replace(/[?.\s]+$/, '')}`;
    const again = level.given.get(key);
    if (again !== undefined) {
      answers[id] = again;
      continue;
    }
    if (level.depth > limits.maxDepth) {
      answers[id] = unanswered(question, 'No sub-question is answered here: say it without one.');
      continue;
    }
    if (new Set(Object.values(answers)).size >= limits.maxSubQuestions) {
      answers[id] = unanswered(
        question,
        `Only ${limits.maxSubQuestions} sub-questions are answered: say it with fewer.`,
      );
      continue;
    }
    const before = known.find((one) => one.use === use && one.answer.question === question && one.answer.sql !== '');
    if (before !== undefined && before.findings.length === 0) {
      answers[id] = before.answer;
      level.given.set(key, before.answer);
      continue;
    }
    const one = await answerOne({ question, use, before }, level, context);
    answers[id] = one.answer;
    level.given.set(key, one.answer);
    kept.push(...one.kept);
    spent.push(one.spent);
  }
  return { answers, kept, spent: sumSpent(...spent) };
}

interface OneQuestion {
  readonly question: string;
  readonly use: AskSubQuestion['use'];
  readonly before: KnownAnswer | undefined;
}

async function answerOne(
  one: OneQuestion,
  level: Level,
  context: StepContext<InspectDeps>,
): Promise<{ readonly answer: SubAnswer; readonly kept: readonly InspectionFinding[]; readonly spent: Spent }> {
  const { question, before } = one;
  const asked = await ask(one, level, context);
  if ('problem' in asked) return { answer: unanswered(question, asked.problem), kept: [], spent: asked.spent };
  const findings = before?.findings ?? [];
  const kept = readDecisions(asked, findings.length).flatMap(({ finding, decision }) => {
    const about = findings[finding];
    return decision === 'keep' && about !== undefined ? [about] : [];
  });
  if (asked.outcome !== 'actions') {
    const why = asked.explanation.trim();
    const problem = `The sub-question was not answered (${asked.outcome})${why === '' ? '.' : `: ${why}`}`;
    return { answer: unanswered(question, problem), kept, spent: asked.spent };
  }
  if (before !== undefined && keepsAll(asked)) return { answer: before.answer, kept, spent: asked.spent };
  const sequence = readActions(asked);
  const known = Object.entries(before?.answer.answers ?? {}).flatMap(([id, answer]): KnownAnswer[] => {
    const use = before?.answer.actions.flatMap((action) =>
      action.action === 'qa' && action.id === id ? [action.use] : [],
    )[0];
    return use === undefined ? [] : [{ use, answer, findings: [] }];
  });
  const below = await answerLevel(sequence, known, { ...level, depth: level.depth + 1 }, context);
  const answer = withSql({ ...sequence, answers: below.answers }, question, level.prompt.catalog, context);
  return { answer, kept: [...kept, ...below.kept], spent: sumSpent(asked.spent, below.spent) };
}

async function ask(
  { question, use, before }: OneQuestion,
  { prompt, plan, depth }: Level,
  context: StepContext<InspectDeps>,
): Promise<AskedActions | { readonly problem: string; readonly spent: Spent }> {
  const { tasks } = context.deps.own;
  const { maxTurns, maxDepth } = plan.limits;
  const shared = { ...prompt, question, use, maySplit: depth < maxDepth };
  try {
    if (before === undefined) {
      const input = { ...shared, form: actionForm('generate', plan, context.deps) };
      return await askActions(
        'generate',
        { task: tasks.generateActions, input, tools: SUB_QUESTION_TOOLS, maxTurns },
        context,
      );
    }
    const input = {
      ...shared,
      form: actionForm('revise', plan, context.deps),
      earlier: [],
      last: showAnswer(before.answer, before.findings),
      hiddenColumns: [],
    };
    return await askActions('revise', { task: tasks.reviseActions, input, tools: REVISE_TOOLS, maxTurns }, context);
  } catch (thrown) {
    if (!isAskemaError(thrown) || thrown.code !== 'MODEL_OUTPUT_INVALID') throw thrown;
    const { usage, calls } = thrown.details as Partial<Pick<Spent, 'usage' | 'calls'>>;
    const spent = { ...NOTHING_SPENT, usage: usage ?? {}, calls: calls ?? 1 };
    return { problem: `The sub-question was not answered: ${thrown.message}`, spent };
  }
}

function withSql(
  sequence: ActionSequence,
  question: string,
  catalog: Catalog,
  context: StepContext<InspectDeps>,
): SubAnswer {
  const { sql, problems } = assembleSequence(sequence, { dialect: context.deps.adapter.dialect, catalog });
  const unread = [
    ...sequence.unread,
    ...problems.map(({ message, nearestNames }) => ({ message, nearest: nearestNames })),
  ];
  return { ...sequence, unread, question, sql };
}

function unanswered(question: string, problem: string): SubAnswer {
  return { question, sql: '', problem, actions: [], answers: {}, unread: [] };
}
