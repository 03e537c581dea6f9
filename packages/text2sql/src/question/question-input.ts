import {
  addUsage,
  type CallContext,
  type Catalog,
  type GenerateSqlInput,
  isAskemaError,
  type RelationId,
  type SerializedError,
  type Solved,
  type ValueMatch,
} from '@askema/core';
import { sumCosts } from './call-cost.ts';
import type { QuestionDeps } from './question-deps.ts';
import type { QuestionState } from './question-state.ts';

/** What the steps that ask a model read from the state. */
export interface QuestionData {
  readonly question: string;
  readonly schemaText: string;
  readonly evidence: string | null;
  /** What of the documents of the question stands in the prompt. */
  readonly documents?: string | null | undefined;
  /** What of the knowledge stands in the prompt. */
  readonly meanings?: GenerateSqlInput['meanings'];
  readonly follows?: GenerateSqlInput['follows'];
  readonly values: readonly ValueMatch[];
  readonly unsearched?: readonly RelationId[] | undefined;
  readonly today: string;
  readonly catalogFingerprint: string | null;
}

/** For `prep`. */
export function readQuestion(state: Readonly<QuestionState>): QuestionData {
  return {
    question: state.naturalQuery,
    schemaText: state.schema ?? '',
    evidence: evidenceOf(state),
    documents: state.documentText,
    ...meaningsOf(state),
    ...(state.follows === undefined ? {} : { follows: state.follows }),
    values: state.values,
    unsearched: state.unsearched,
    today: state.today,
    catalogFingerprint: state.catalogFingerprint,
  };
}

function meaningsOf({ known }: Readonly<QuestionState>): Pick<QuestionData, 'meanings'> {
  if (known?.selected === undefined) return {};
  const { text, hasMetrics, metricCalls } = known.selected;
  return { meanings: { text, hasMetrics, metricCalls } };
}

/** What whoever asks said beside the question: definitions, and answers to what the question was asked back. */
export function evidenceOf({ evidence, clarified }: Pick<QuestionState, 'evidence' | 'clarified'>): string | null {
  if (clarified.length === 0) return evidence;
  const answers = clarified.map(({ ask, answer }) => `Asked back: ${ask}\nAnswered: ${answer}`);
  return [...(evidence === null ? [] : [evidence]), ...answers].join('\n\n');
}

/**
 * The input of the generate task: what the state holds, with the catalog that its fingerprint stands for. What a flow
 * has put beside it in `prep` stays beside it.
 */
export async function sqlInput<Asked extends QuestionData>(
  asked: Asked,
  deps: QuestionDeps,
  context: CallContext,
): Promise<GenerateSqlInput & Omit<Asked, keyof QuestionData>> {
  const { catalogFingerprint, evidence, documents, ...rest } = asked;
  const input: GenerateSqlInput = {
    ...rest,
    catalog: await catalogOf(catalogFingerprint, deps, context),
    dialect: deps.adapter.dialect,
    evidence: evidence ?? undefined,
    documents: documents ?? undefined,
    allowWrite: deps.access === 'write',
  };
  return input as GenerateSqlInput & Omit<Asked, keyof QuestionData>;
}

/** The catalog that a fingerprint of the state stands for. */
export function catalogOf(
  fingerprint: string | null,
  { catalogs }: Pick<QuestionDeps, 'catalogs'>,
  context: CallContext,
): Promise<Catalog> {
  return fingerprint === null ? catalogs.read(context) : catalogs.withFingerprint(fingerprint, context);
}

/** What an answer cost, for `post`. */
export type Spent = Pick<Solved<unknown>, 'usage' | 'calls' | 'solvedBy' | 'warnings'>;

/** Adds what an answer cost to the state. */
export function recordSpent(state: QuestionState, spent: Spent): void {
  recordCost(state, spent);
  state.solvedBy = spent.solvedBy;
}

/** Adds what calls cost that wrote no SQL, to the state of a question or of a thread. */
export function recordCost(
  state: Pick<QuestionState, 'usage' | 'calls' | 'warnings'>,
  { usage, calls, warnings }: Pick<Spent, 'usage' | 'calls' | 'warnings'>,
): void {
  state.usage = addUsage(state.usage, usage);
  state.calls += calls;
  state.warnings.push(...warnings);
}

/** What a model call gave, or why it gave nothing that can be used. */
export type TaskAnswer<Out> =
  | { readonly type: 'answer'; readonly value: Out; readonly spent: Spent }
  | { readonly type: 'unusable'; readonly error: SerializedError; readonly spent: Spent };

/**
 * Asks, and takes an answer that cannot be used for what it is: something that this model says to this prompt. Errors
 * of provider, budget and caller are thrown.
 */
export async function askOrUnusable<Out>(
  ask: () => Promise<{ readonly value: Out } & Spent>,
): Promise<TaskAnswer<Out>> {
  try {
    const { value, ...spent } = await ask();
    const { usage, calls, solvedBy, warnings } = spent;
    return { type: 'answer', value, spent: { usage, calls, solvedBy, warnings } };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    if (thrown.code !== 'MODEL_OUTPUT_INVALID' && thrown.code !== 'MODEL_CONTENT_FILTERED') throw thrown;
    const { usage, calls } = thrown.details as Partial<Pick<Spent, 'usage' | 'calls'>>;
    const spent = { usage: usage ?? {}, calls: calls ?? 1, solvedBy: '', warnings: [] };
    return { type: 'unusable', error: thrown.toJSON(), spent };
  }
}

/** Nothing asked. */
export const NOTHING_SPENT: Spent = { usage: {}, calls: 0, solvedBy: '', warnings: [] };

/** What an answer cost, with more to say of it. */
export function withWarnings(spent: Spent, warnings: readonly string[]): Spent {
  return warnings.length === 0 ? spent : { ...spent, warnings: [...spent.warnings, ...warnings] };
}

/** What several answers cost together; the last one that wrote something counts as its writer. */
export function sumSpent(...all: readonly Spent[]): Spent {
  return {
    ...sumCosts(...all),
    solvedBy: all.findLast(({ solvedBy }) => solvedBy !== '')?.solvedBy ?? '',
    warnings: all.flatMap(({ warnings }) => warnings),
  };
}
