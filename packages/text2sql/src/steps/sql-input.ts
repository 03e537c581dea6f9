import type { CallContext, Catalog, GenerateSqlInput, Solved, ValueMatch } from '@askema/core';
import { addUsage } from '@askema/core';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';

/** What the steps that ask a model read from the state. */
export interface AskedInput {
  readonly question: string;
  readonly schemaText: string;
  readonly evidence: string | null;
  /** What of the documents of the question stands in the prompt. */
  readonly documents?: string | null | undefined;
  readonly values: readonly ValueMatch[];
  readonly today: string;
  readonly catalogFingerprint: string | null;
}

/** For `prep`. */
export function readAsked(state: Readonly<Text2SqlState>): AskedInput {
  return {
    question: state.naturalQuery,
    schemaText: state.schema ?? '',
    evidence: state.evidence,
    documents: state.documentText,
    values: state.values,
    today: state.today,
    catalogFingerprint: state.catalogFingerprint,
  };
}

/** The input of the generate task: what the state holds, with the catalog that its fingerprint stands for. */
export async function sqlInput(asked: AskedInput, deps: Text2SqlDeps, context: CallContext): Promise<GenerateSqlInput> {
  const { catalogFingerprint, evidence, documents, ...rest } = asked;
  return {
    ...rest,
    catalog: await catalogOf(catalogFingerprint, deps, context),
    dialect: deps.adapter.dialect,
    evidence: evidence ?? undefined,
    documents: documents ?? undefined,
    allowWrite: deps.access === 'write',
  };
}

/** The catalog that a fingerprint of the state stands for. */
export function catalogOf(
  fingerprint: string | null,
  { catalogs }: Pick<Text2SqlDeps, 'catalogs'>,
  context: CallContext,
): Promise<Catalog> {
  return fingerprint === null ? catalogs.read(context) : catalogs.withFingerprint(fingerprint, context);
}

/** What an answer cost, for `post`. */
export type Spent = Pick<Solved<unknown>, 'usage' | 'calls' | 'solvedBy' | 'warnings'>;

/** Adds what an answer cost to the state. */
export function recordSpent(state: Text2SqlState, spent: Spent): void {
  recordCost(state, spent);
  state.solvedBy = spent.solvedBy;
}

/** Adds what calls cost that wrote no SQL, to the state of a question or of a thread. */
export function recordCost(
  state: Pick<Text2SqlState, 'usage' | 'calls' | 'warnings'>,
  { usage, calls, warnings }: Pick<Spent, 'usage' | 'calls' | 'warnings'>,
): void {
  state.usage = addUsage(state.usage, usage);
  state.calls += calls;
  state.warnings.push(...warnings);
}
