import type { EvaluationResult, Verdict } from '../run/evaluation-result.ts';
import { groupsInOrder } from '../run/groups-in-order.ts';
import { type BootstrapOptions, pairedBootstrap } from '../statistics/bootstrap.ts';
import { exactMcNemar, holmAdjust } from '../statistics/p-values.ts';
import { DEFAULT_LEVEL, wilsonInterval } from '../statistics/wilson-interval.ts';
import { comparedRun } from './compared-run.ts';
import { pairedCosts, pairedMeans, sum } from './paired-means.ts';
import type { StoredRun } from './read-run.ts';
import type {
  CompareOptions,
  PairedCost,
  PairedGroup,
  PairedMetric,
  PairedQuestion,
  RunComparison,
} from './run-comparison.ts';

const COSTS: Readonly<Record<PairedCost['what'], (result: EvaluationResult) => number | undefined>> = {
  costUsd: (result) => result.costUsd,
  inputTokens: (result) => result.usage.inputTokens,
  outputTokens: (result) => result.usage.outputTokens,
  calls: (result) => result.calls,
  elapsedMs: (result) => result.elapsedMs,
};

/**
 * Compares two runs question by question: what both have and both could judge is paired, everything else is listed. The
 * first is what was there, the second what is new; differences are of the second less the first.
 *
 * @throws AskemaError `CONFIG_INVALID` for options out of range.
 */
export function compareRuns(a: StoredRun, b: StoredRun, options: CompareOptions = {}): RunComparison {
  const { level = DEFAULT_LEVEL, seed = 1, resamples = 10_000, resampleBy = 'question' } = options;
  const settled = { level, seed, resamples, resampleBy };
  const inB = new Map(b.results.map((result) => [result.id, result]));
  const inA = new Set(a.results.map((result) => result.id));
  const all = a.results.flatMap((result): readonly PairedQuestion[] => {
    const other = inB.get(result.id);
    return other === undefined ? [] : [{ id: result.id, a: result, b: other }];
  });
  const rewritten = all.filter(isRewritten);
  const same = all.filter((pair) => !isRewritten(pair));
  const goldFailed = same.filter((pair) => pair.a.verdict === 'goldFailed' || pair.b.verdict === 'goldFailed');
  const paired = same.filter((pair) => pair.a.verdict !== 'goldFailed' && pair.b.verdict !== 'goldFailed');
  const drifted = paired.filter(hasDrifted);
  const comparison: Omit<RunComparison, 'remarks'> = {
    schemaVersion: 1,
    a: comparedRun(a),
    b: comparedRun(b),
    options: settled,
    total: pairedGroup('all', paired, settled),
    byDifficulty: pairedGroups(paired, (pair) => pair.b.difficulty, settled),
    byCategory: pairedGroups(paired, (pair) => pair.b.category, settled),
    metrics: pairedMetrics(paired, settled),
    costs: pairedCosts(paired, COSTS, (known) => resampling(known, settled)),
    gained: paired.filter((pair) => !isRight(pair.a) && isRight(pair.b)),
    lost: paired.filter((pair) => isRight(pair.a) && !isRight(pair.b)),
    otherVerdict: paired.filter(({ a: x, b: y }) => !isRight(x) && !isRight(y) && x.verdict !== y.verdict),
    verdicts: countMoves(same),
    drifted,
    rewritten,
    goldFailed,
    onlyA: a.results.filter((result) => !inB.has(result.id)).map((result) => result.id),
    onlyB: b.results.filter((result) => !inA.has(result.id)).map((result) => result.id),
  };
  return { ...comparison, remarks: remarksOn(comparison, a, b) };
}

function isRight(result: EvaluationResult): boolean {
  return result.verdict === 'right';
}

function isRewritten({ a, b }: PairedQuestion): boolean {
  return a.question !== b.question || a.goldSql.join('\u0000') !== b.goldSql.join('\u0000');
}

/** Whether gold ran in both runs and gave something else. */
function hasDrifted({ a, b }: PairedQuestion): boolean {
  const before = a.goldHashes ?? [];
  const now = b.goldHashes ?? [];
  return before.length > 0 && now.length > 0 && [...before].sort().join() !== [...now].sort().join();
}

type Settled = RunComparison['options'];

function resampling(pairs: readonly PairedQuestion[], { resampleBy, ...options }: Settled): BootstrapOptions {
  return resampleBy === 'question' ? options : { ...options, groups: pairs.map((pair) => pair.a.databaseId) };
}

function pairedGroups(
  pairs: readonly PairedQuestion[],
  nameOf: (pair: PairedQuestion) => string,
  settled: Settled,
): readonly PairedGroup[] {
  const groups = groupsInOrder(pairs, nameOf).map(([name, members]) => pairedGroup(name, members, settled));
  const adjusted = holmAdjust(groups.map((group) => group.pValue));
  return groups.map((group, index) => ({ ...group, adjustedPValue: adjusted[index] ?? 1 }));
}

function pairedGroup(name: string, pairs: readonly PairedQuestion[], settled: Settled): PairedGroup {
  const a = pairs.map((pair) => Number(isRight(pair.a)));
  const b = pairs.map((pair) => Number(isRight(pair.b)));
  const rightA = sum(a);
  const rightB = sum(b);
  const bothRight = pairs.filter((pair) => isRight(pair.a) && isRight(pair.b)).length;
  const gained = rightB - bothRight;
  const lost = rightA - bothRight;
  const pValue = exactMcNemar(gained, lost);
  return {
    name,
    questions: pairs.length,
    bothRight,
    neitherRight: pairs.length - bothRight - gained - lost,
    gained,
    lost,
    accuracyA: wilsonInterval(rightA, pairs.length, settled.level),
    accuracyB: wilsonInterval(rightB, pairs.length, settled.level),
    difference: pairedBootstrap(a, b, resampling(pairs, settled)),
    pValue,
    adjustedPValue: pValue,
  };
}

function pairedMetrics(pairs: readonly PairedQuestion[], settled: Settled): readonly PairedMetric[] {
  const ids = new Set(pairs.flatMap((pair) => Object.keys(pair.b.scores ?? {})));
  return [...ids].sort().flatMap((id) => {
    const means = pairedMeans(
      pairs,
      (result) => scoreOf(result, id),
      (known) => resampling(known, settled),
    );
    return means === undefined ? [] : { id, ...means };
  });
}

function scoreOf(result: EvaluationResult, id: string): number | undefined {
  return result.scores !== undefined && Object.hasOwn(result.scores, id) ? result.scores[id] : undefined;
}

function countMoves(pairs: readonly PairedQuestion[]): RunComparison['verdicts'] {
  const row = (): Record<Verdict, number> => ({ right: 0, wrong: 0, declined: 0, failed: 0, goldFailed: 0 });
  const moves = { right: row(), wrong: row(), declined: row(), failed: row(), goldFailed: row() };
  for (const { a, b } of pairs) moves[a.verdict][b.verdict] += 1;
  return moves;
}

/** Below it, a percentile interval over databases is too narrow. */
const FEWEST_DATABASES = 10;

/** What a reader should know before the figures: why they may compare unlike things. A sentence each. */
function remarksOn(comparison: Omit<RunComparison, 'remarks'>, a: StoredRun, b: StoredRun): readonly string[] {
  const { total, rewritten, drifted, goldFailed, onlyA, onlyB, options } = comparison;
  const remarks: string[] = [];
  const leftOut = (count: number, which: string): void => {
    if (count > 0) remarks.push(`Left out: ${questions(count)} ${which}.`);
  };
  if (total.questions === 0)
    remarks.push('The runs have no question in common that counts, so that nothing can be compared.');
  if (a.run.dataset.fingerprint !== b.run.dataset.fingerprint)
    remarks.push(
      `The datasets are not the same: ${a.run.dataset.name} has changed between the runs, or another one was asked.`,
    );
  if (a.run.runId === b.run.runId) remarks.push('Both are the same run.');
  if (drifted.length > 0)
    remarks.push(`Gold gave other results in the second run on ${questions(drifted.length)}: databases have changed.`);
  leftOut(rewritten.length, 'with another text or other gold SQL under the same id');
  leftOut(goldFailed.length, 'whose gold did not run in one of the runs');
  leftOut(onlyA.length, `only in ${a.name}`);
  leftOut(onlyB.length, `only in ${b.name}`);
  for (const side of [a, b]) {
    const unfinished = side.summary?.unfinished ?? 0;
    if (unfinished > 0) remarks.push(`${side.name} was stopped with ${questions(unfinished)} not asked.`);
    if (side.unreadable.length > 0)
      remarks.push(`${side.name} has ${side.unreadable.length} lines that cannot be read.`);
  }
  const databases = new Set(b.results.map((result) => result.databaseId)).size;
  if (options.resampleBy === 'database' && databases < FEWEST_DATABASES)
    remarks.push(
      `Intervals over ${databases} databases are too narrow to be relied on; they want ${FEWEST_DATABASES} or more.`,
    );
  return remarks;
}

function questions(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'question' : 'questions'}`;
}
