import {
  type Attribute,
  type AttributeId,
  type CallContext,
  type Catalog,
  type Dialect,
  defineStep,
  isAskemaError,
  qualifiedName,
  quoteIfNeeded,
  type SerializedError,
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
} from '../../../question/question-input.ts';
import { knowledgeOf, renderSchema } from '../../../steps/render-schema.ts';
import type { ClauseAction } from '../clauses/clause-action.ts';
import type { InspectFlowState, InspectPlan, InspectTry } from '../state/inspect-state.ts';
import { REVISE_TOOLS } from '../tasks/action-tools.ts';
import type { InspectDeps } from '../tasks/inspect-tasks.ts';
import { type AskedActions, actionForm, askActions, keepsAll, readActions, readDecisions } from './ask-actions.ts';
import { chooseTry } from './choose-try.ts';
import { declineActions } from './generate-actions.ts';
import { blockingFindings, findingKey, showTry } from './open-findings.ts';

export interface ReviseStart {
  readonly asked: QuestionData;
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
  /**
   * Everything that was found stands in the answers of sub-questions: those are revised, and nobody is asked for the
   * sequence.
   */
  | { readonly type: 'answers' }
  | { readonly type: 'unusable'; readonly error: SerializedError; readonly spent: Spent };

/** Earlier sequences in a prompt, beside the one that is revised. */
const MAX_EARLIER = 3;

/**
 * Shows the model its sequence with what was found, clause by clause, and takes a decision on each finding and the
 * whole sequence anew (Tool-SQL, sections 2.1 and 2.2). `declined`: the question names what the database does not hold.
 * `stands`: the answer was of no use, and the best try stands.
 */
export const reviseActions = defineStep<InspectFlowState, InspectDeps>()({
  name: 'revise-actions',
  actions: ['default', 'declined', 'stands', 'failed'],
  prep: (state): ReviseStart => ({
    asked: readQuestion(state),
    plan: state.flow.plan,
    tries: state.flow.tries,
    base: state.flow.base,
  }),
  exec: (start, context): Promise<Revised> => revise(start, context),
  post: (state, { tries, base }, revised) => {
    const { flow } = state;
    const tried = tries[base] as InspectTry;
    flow.iterations += 1;
    state.executionError = null;
    if (revised.type === 'answers') {
      flow.sequence = sequenceOfTry(tried);
      return 'default';
    }
    if (revised.type === 'unusable') {
      recordCost(state, revised.spent);
      state.warnings.push(`The actions could not be revised: ${revised.error.message}`);
      return chooseTry(state) === 'failed' ? 'failed' : 'stands';
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
    flow.keeps = [...new Set([...flow.keeps, ...kept])];
    flow.decisions = decisions;
    flow.sequence = keepsAll(given) ? sequenceOfTry(tried) : readActions(given);
    return 'default';
  },
});

function sequenceOfTry({ actions, answers, unread }: InspectTry): Pick<InspectTry, 'actions' | 'answers' | 'unread'> {
  return { actions, answers, unread };
}

async function revise(start: ReviseStart, context: StepContext<InspectDeps>): Promise<Revised> {
  const { asked, plan, tries, base } = start;
  const { deps } = context;
  const tried = tries[base] as InspectTry;
  if (isAllInAnswers(tried, plan)) return { type: 'answers' };
  const { shown, order } = showTry(tried, plan);
  const earlier = tries.filter((_, position) => position !== base).slice(-MAX_EARLIER);
  const warnings: string[] = [];
  const { prompt, hiddenColumns } = await withoutTried(
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
    hiddenColumns,
  };
  try {
    const { maxTurns } = plan.limits;
    const given = await askActions(
      'revise',
      { task: deps.own.tasks.reviseActions, input, tools: REVISE_TOOLS, maxTurns },
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
  context: StepContext<InspectDeps> & CallContext,
  warnings: string[],
): Promise<{ readonly prompt: PromptInput; readonly hiddenColumns: readonly string[] }> {
  const whole = { prompt, hiddenColumns: [] };
  if (!plan.hideTriedColumns) return whole;
  const { deps } = context;
  const hidden = triedAttributes(tries, prompt.catalog, deps.adapter.dialect);
  if (hidden.size === 0) return whole;
  const knowledge = knowledgeOf(asked.evidence, asked.documents);
  const catalog = withoutAttributes(prompt.catalog, hidden);
  const { text } = await renderSchema(catalog, { question: asked.question, knowledge }, deps, context, warnings);
  const hiddenColumns = prompt.catalog.schema.attributes
    .filter(({ id }) => hidden.has(id))
    .map((attribute) => columnName(attribute, prompt.catalog, deps.adapter.dialect));
  return { prompt: { ...prompt, schemaText: text }, hiddenColumns };
}

/**
 * The attributes that leave the schema of the next try (Tool-SQL, section 2.2.1): those of conditions that were tried
 * and whose value was not found there, where that is more than a note. Keys stay, because joins need them, and so does what the last sequence shows,
 * groups or orders by.
 */
export function triedAttributes(
  tries: readonly InspectTry[],
  catalog: Catalog,
  dialect: Dialect,
): ReadonlySet<AttributeId> {
  const columns = new Set(
    tries.flatMap(({ findings }) =>
      findings.flatMap(({ code, severity, column }) =>
        code === 'value-not-found' && severity !== 'note' && column !== undefined ? [column] : [],
      ),
    ),
  );
  if (columns.size === 0) return new Set();
  const keys = keyAttributes(catalog);
  const shown = textOutsideConditions(tries.at(-1)?.actions ?? []);
  const hidden = catalog.schema.attributes.filter((attribute) => {
    if (keys.has(attribute.id) || shown.includes(attribute.name.toLowerCase())) return false;
    return columns.has(columnName(attribute, catalog, dialect));
  });
  return new Set(hidden.map(({ id }) => id));
}

/** As findings call it. */
function columnName({ relation, name }: Attribute, { relations }: Catalog, dialect: Dialect): string {
  const parts = relations[relation]?.nameParts;
  const column = quoteIfNeeded(name, dialect);
  return parts === undefined ? column : `${qualifiedName(parts, dialect)}.${column}`;
}

/**
 * The catalog without these attributes, for a prompt: it keeps its fingerprint, and keys that it cannot tell any more
 * are left out.
 */
export function withoutAttributes(catalog: Catalog, hidden: ReadonlySet<AttributeId>): Catalog {
  if (hidden.size === 0) return catalog;
  const { schema } = catalog;
  const stays = (id: AttributeId): boolean => !hidden.has(id);
  return {
    ...catalog,
    schema: {
      ...schema,
      attributes: schema.attributes.filter(({ id }) => stays(id)),
      domainConstraints: schema.domainConstraints.filter(({ attribute }) => stays(attribute)),
    },
    attributes: Object.fromEntries(Object.entries(catalog.attributes).filter(([id]) => stays(id as AttributeId))),
    uniqueKeys: catalog.uniqueKeys.filter(({ attributes }) => attributes.every(stays)),
  };
}

function keyAttributes({ schema }: Catalog): ReadonlySet<AttributeId> {
  return new Set([
    ...schema.primaryKeys.flatMap(({ attributes }) => attributes),
    ...schema.foreignKeys.flatMap(({ pairs }) => pairs.flatMap(({ from, to }) => [from, to])),
  ]);
}

/**
 * What is selected, grouped, ordered by and joined along. A name that only looks like one in it stays in sight, no
 * more.
 */
function textOutsideConditions(actions: readonly ClauseAction[]): string {
  const texts = actions.flatMap((action): readonly string[] => {
    switch (action.action) {
      case 'add_from':
        return action.joins.flatMap(({ on, condition = '' }) => [
          ...on.flatMap(({ left, right }) => [left, right]),
          condition,
        ]);
      case 'add_group_by':
        return action.expressions;
      case 'add_order_by':
        return action.keys.map(({ expression }) => expression);
      case 'add_select':
        return action.items.map(({ expression }) => expression);
      default:
        return [];
    }
  });
  return texts.join('\n').toLowerCase();
}
