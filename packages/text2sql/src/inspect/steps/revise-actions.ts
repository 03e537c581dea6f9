import { type CallContext, defineStep, isAskemaError, type SerializedError, type StepContext } from '@askema/core';
import { renderSchema } from '../../schema-text.ts';
import { type AskedInput, readAsked, recordCost, type Spent, sqlInput } from '../../steps/sql-input.ts';
import { REVISE_TOOLS } from '../../tasks/action-tools.ts';
import type { PromptInput } from '../../tasks/prompt-sections.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';
import { type AskedActions, actionForm, askActions } from '../ask-actions.ts';
import { settle } from '../choose-try.ts';
import { declineActions } from '../decline-actions.ts';
import { triedAttributes, withoutAttributes } from '../hide-attributes.ts';
import type { InspectPlan } from '../inspect-options.ts';
import type { InspectTry } from '../inspect-state.ts';
import { blockingFindings, findingKey } from '../open-findings.ts';
import { keepsAll, readActions, readDecisions } from '../read-actions.ts';
import { showTry } from '../shown-sequence.ts';
import { NOTHING_SPENT } from '../sum-spent.ts';

export interface ReviseStart {
  readonly asked: AskedInput;
  readonly plan: InspectPlan;
  readonly tries: readonly InspectTry[];
  /** Index of the try that is revised. */
  readonly base: number;
}

/** What a revision gave. */
export type Revised =
  | {
      readonly type: 'actions';
      readonly given: AskedActions;
      readonly order: readonly number[];
      readonly warnings: readonly string[];
    }
  /** Everything that was found stands in the answers of sub-questions: those are revised, and nobody is asked for the sequence. */
  | { readonly type: 'answers' }
  | { readonly type: 'unusable'; readonly error: SerializedError; readonly spent: Spent };

/** Earlier sequences in a prompt, beside the one that is revised. */
const MAX_EARLIER = 3;

/**
 * Shows the model its sequence with what was found, clause by clause, and takes a decision on each finding and the whole sequence anew (Tool-SQL,
 * sections 2.1 and 2.2). `declined`: the question names what the database does not hold. `stands`: the answer was of no use, and the best try stands.
 */
export const reviseActions = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'revise-actions',
  actions: ['default', 'declined', 'stands', 'failed'],
  prep: (state): ReviseStart => ({
    asked: readAsked(state),
    plan: state.inspect.plan,
    tries: state.inspect.tries,
    base: state.inspect.base,
  }),
  exec: (start, context): Promise<Revised> => revise(start, context),
  post: (state, { tries, base }, revised) => {
    const { inspect } = state;
    const tried = tries[base] as InspectTry;
    inspect.iterations += 1;
    state.executionError = null;
    if (revised.type === 'answers') {
      inspect.sequence = sequenceOfTry(tried);
      return 'default';
    }
    if (revised.type === 'unusable') {
      recordCost(state, revised.spent);
      state.warnings.push(`The actions could not be revised: ${revised.error.message}`);
      return settle(state) === 'failed' ? 'failed' : 'stands';
    }
    const { given, order } = revised;
    recordCost(state, { ...given.spent, warnings: [...given.spent.warnings, ...revised.warnings] });
    if (given.outcome !== 'actions') {
      state.explanation = given.explanation.trim() || state.explanation;
      return declineActions(state, given, tried.findings);
    }
    state.solvedBy = given.spent.solvedBy;
    state.explanation = given.explanation.trim() || state.explanation;
    const decisions = readDecisions(given, order.length).map((one) => ({ ...one, finding: order[one.finding] ?? 0 }));
    const kept = decisions.flatMap(({ decision, finding }) => {
      const about = tried.findings[finding];
      return decision === 'keep' && about !== undefined ? [findingKey(about, tried.sql)] : [];
    });
    inspect.keeps = [...new Set([...inspect.keeps, ...kept])];
    inspect.decisions = decisions;
    inspect.sequence = keepsAll(given) ? sequenceOfTry(tried) : readActions(given);
    return 'default';
  },
});

function sequenceOfTry({ actions, answers, unread }: InspectTry): Pick<InspectTry, 'actions' | 'answers' | 'unread'> {
  return { actions, answers, unread };
}

async function revise(start: ReviseStart, context: StepContext<Text2SqlDeps>): Promise<Revised> {
  const { asked, plan, tries, base } = start;
  const { deps } = context;
  const tried = tries[base] as InspectTry;
  if (isAllInAnswers(tried, plan)) return { type: 'answers' };
  const { shown, order } = showTry(tried, plan);
  const earlier = tries.filter((_, position) => position !== base).slice(-MAX_EARLIER);
  const warnings: string[] = [];
  const prompt = await withoutTried(
    start,
    { ...(await sqlInput(asked, deps, context)), allowWrite: false },
    context,
    warnings,
  );
  const input = {
    ...prompt,
    form: actionForm('revise', plan, deps),
    maySplit: plan.limits.maxDepth > 0,
    earlier: earlier.map((one) => showTry(one, plan).shown),
    last: shown,
    hidesColumns: prompt.schemaText !== asked.schemaText,
  };
  try {
    const { maxTurns } = plan.limits;
    const given = await askActions(
      'revise',
      { task: deps.tasks.reviseActions, input, tools: REVISE_TOOLS, maxTurns },
      context,
    );
    return { type: 'actions', given, order, warnings };
  } catch (thrown) {
    if (!isAskemaError(thrown) || thrown.code !== 'MODEL_OUTPUT_INVALID') throw thrown;
    const { usage, calls } = thrown.details as Partial<Pick<Spent, 'usage' | 'calls'>>;
    const spent = { ...NOTHING_SPENT, usage: usage ?? {}, calls: calls ?? 1 };
    return { type: 'unusable', error: thrown.toJSON(), spent };
  }
}

/** True where each finding that has to be decided stands in the answer of a sub-question. */
function isAllInAnswers(tried: InspectTry, plan: InspectPlan): boolean {
  return blockingFindings(tried, plan).every((position) => {
    const at = tried.findings[position]?.action;
    const action = at === undefined ? undefined : tried.actions[at];
    if (action?.action !== 'qa') return false;
    return Object.hasOwn(tried.answers, action.id) && tried.answers[action.id]?.sql !== '';
  });
}

/** The prompt without the columns of conditions that were tried (section 2.2.1); what they hold is in the findings. */
async function withoutTried(
  { asked, plan, tries }: ReviseStart,
  prompt: PromptInput,
  context: StepContext<Text2SqlDeps> & CallContext,
  warnings: string[],
): Promise<PromptInput> {
  if (!plan.hideTriedColumns) return prompt;
  const { deps } = context;
  const hidden = triedAttributes(tries, prompt.catalog, deps.adapter.dialect);
  if (hidden.size === 0) return prompt;
  const knowledge = [asked.evidence ?? '', asked.documents ?? ''].filter((text) => text.trim() !== '').join('\n\n');
  const catalog = withoutAttributes(prompt.catalog, hidden);
  const { text } = await renderSchema(catalog, { question: asked.question, knowledge }, deps, context, warnings);
  return { ...prompt, schemaText: text };
}
