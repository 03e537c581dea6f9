import { comparedRun } from '../../compare/compared-run.ts';
import { pairedCosts, pairedMeans, sum } from '../../compare/paired-means.ts';
import type { PairedCost, PairedMetric } from '../../compare/run-comparison.ts';
import { quantileOfSorted } from '../../statistics/quantile.ts';
import { DEFAULT_LEVEL } from '../../statistics/wilson-interval.ts';
import type { DesignResult } from '../design-result.ts';
import { summariseFeedback } from '../design-summary.ts';
import { SCHEMA_METRICS, SCORER_NAMES, type SchemaMetric, type SchemaScore, type ScorerName } from '../schema-score.ts';
import type {
  CompareDesignsOptions,
  DesignComparison,
  Distribution,
  PairedDistribution,
  PairedRole,
  PairedScorer,
  PairedSize,
} from './design-comparison.ts';
import type { StoredDesignRun } from './read-design-run.ts';

interface PairedDesign {
  readonly a: DesignResult;
  readonly b: DesignResult;
}

type Settled = DesignComparison['options'];

const COSTS: Readonly<Record<PairedCost['what'], (result: DesignResult) => number | undefined>> = {
  costUsd: (result) => result.costUsd,
  inputTokens: (result) => result.outcome?.usage.inputTokens,
  outputTokens: (result) => result.outcome?.usage.outputTokens,
  calls: (result) => result.outcome?.calls,
  elapsedMs: (result) => result.elapsedMs,
};

/** What the judge says, by the names of a comparison. */
const JUDGED: Readonly<Record<string, (result: DesignResult) => number | undefined>> = {
  judge: ({ judgement }) => judgement?.total,
  'judge.functionalCoverage': ({ judgement }) => judgement?.scores.functionalCoverage,
  'judge.normalization': ({ judgement }) => judgement?.scores.normalization,
  'judge.integrity': ({ judgement }) => judgement?.scores.integrity,
};

/** Scores whose distribution is told: the others are 1 or 0, or follow these. */
const SPREAD: readonly SchemaMetric[] = ['tableF1', 'attributeF1', 'primaryKeyAccuracy', 'foreignKeyF1'];

/**
 * Compares two runs of designs requirement by requirement, by the scores that they hold: means with a bootstrap interval
 * of the difference, by the size of gold (SchemaAgent, Figure 7), turns and tool calls of the roles (Figure 8), and how
 * scores lie (Figure 9). The first is what was there, the second what is new; differences are of the second less the
 * first. A design that failed counts as its scorer counted it: 0, or not at all.
 *
 * @throws AskemaError `CONFIG_INVALID` for options out of range.
 */
export function compareDesigns(
  a: StoredDesignRun,
  b: StoredDesignRun,
  options: CompareDesignsOptions = {},
): DesignComparison {
  const { level = DEFAULT_LEVEL, seed = 1, resamples = 10_000 } = options;
  const settled = { level, seed, resamples };
  const inB = new Map(b.results.map((result) => [result.id, result]));
  const inA = new Set(a.results.map((result) => result.id));
  const all = a.results.flatMap((result): readonly PairedDesign[] => {
    const other = inB.get(result.id);
    return other === undefined ? [] : [{ a: result, b: other }];
  });
  const paired = all.filter((pair) => !isRewritten(pair));
  const scorers = SCORER_NAMES.flatMap((scorer) => pairedScorer(scorer, paired, settled) ?? []);
  const first = scorers[0]?.scorer;
  const comparison = {
    schemaVersion: 1 as const,
    a: comparedRun(a),
    b: comparedRun(b),
    options: settled,
    requirements: paired.length,
    scorers,
    bySize: pairedSizes(first, paired, settled),
    distributions: distributions(first, paired),
    judge: pairedMetrics(Object.keys(JUDGED), (result, id) => JUDGED[id]?.(result), paired, settled),
    roles: pairedRoles(paired),
    costs: pairedCosts(paired, COSTS, () => settled),
    rewritten: all.filter(isRewritten).map((pair) => pair.a.id),
    onlyA: a.results.filter((result) => !inB.has(result.id)).map((result) => result.id),
    onlyB: b.results.filter((result) => !inA.has(result.id)).map((result) => result.id),
  };
  return { ...comparison, remarks: remarksOn(comparison, a, b) };
}

/** Whether both designed for other words. A design that threw has none. */
function isRewritten({ a, b }: PairedDesign): boolean {
  if (a.goldTables !== b.goldTables) return true;
  return a.outcome !== undefined && b.outcome !== undefined && a.outcome.requirement !== b.outcome.requirement;
}

function pairedScorer(scorer: ScorerName, pairs: readonly PairedDesign[], settled: Settled): PairedScorer | undefined {
  const scored = pairs.filter(({ a, b }) => a.scores[scorer] !== undefined && b.scores[scorer] !== undefined);
  if (scored.length === 0) return undefined;
  const isSame = (x: SchemaScore | undefined, y: SchemaScore | undefined): boolean =>
    SCHEMA_METRICS.every((metric) => x?.[metric] === y?.[metric]);
  return {
    scorer,
    requirements: scored.length,
    same: scored.filter(({ a, b }) => isSame(a.scores[scorer], b.scores[scorer])).length,
    metrics: schemaMetrics(scorer, scored, settled),
  };
}

function schemaMetrics(scorer: ScorerName, pairs: readonly PairedDesign[], settled: Settled): readonly PairedMetric[] {
  return pairedMetrics(SCHEMA_METRICS, (result, metric) => result.scores[scorer]?.[metric], pairs, settled);
}

function pairedMetrics<Id extends string>(
  ids: readonly Id[],
  numberOf: (result: DesignResult, id: Id) => number | undefined,
  pairs: readonly PairedDesign[],
  settled: Settled,
): readonly PairedMetric[] {
  return ids.flatMap((id) => {
    const means = pairedMeans(
      pairs,
      (result) => numberOf(result, id),
      () => settled,
    );
    return means === undefined ? [] : { id, ...means };
  });
}

function pairedSizes(
  scorer: ScorerName | undefined,
  pairs: readonly PairedDesign[],
  settled: Settled,
): readonly PairedSize[] {
  const sizes = [...new Set(pairs.map(({ b }) => b.goldTables))].sort((x, y) => x - y);
  return sizes.map((tables) => {
    const group = pairs.filter(({ b }) => b.goldTables === tables);
    return {
      tables,
      requirements: group.length,
      metrics: scorer === undefined ? [] : schemaMetrics(scorer, group, settled),
      feedbackA: summariseFeedback(group.map(({ a }) => a)),
      feedbackB: summariseFeedback(group.map(({ b }) => b)),
    };
  });
}

function distributions(scorer: ScorerName | undefined, pairs: readonly PairedDesign[]): readonly PairedDistribution[] {
  const scores = scorer === undefined ? [] : SPREAD;
  return [
    ...scores.flatMap((metric) =>
      distribution(
        metric,
        pairs,
        (result) => result.scores[scorer as ScorerName]?.[metric],
        (value) => value * PARTS,
      ),
    ),
    ...Object.entries(JUDGED).flatMap(([what, numberOf]) => distribution(what, pairs, numberOf, (value) => value - 1)),
  ];
}

/** Equal parts of a scale; the judge has as many points. */
const PARTS = 10;

function distribution(
  what: string,
  pairs: readonly PairedDesign[],
  numberOf: (result: DesignResult) => number | undefined,
  partOf: (value: number) => number,
): readonly PairedDistribution[] {
  const known = pairs.filter(({ a, b }) => numberOf(a) !== undefined && numberOf(b) !== undefined);
  if (known.length === 0) return [];
  const side = (of: (pair: PairedDesign) => DesignResult): Distribution =>
    distributionOf(
      known.map((pair) => numberOf(of(pair)) ?? 0),
      partOf,
    );
  return [{ what, requirements: known.length, a: side(({ a }) => a), b: side(({ b }) => b) }];
}

function distributionOf(values: readonly number[], partOf: (value: number) => number): Distribution {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => quantileOfSorted(sorted, share) ?? 0;
  const parts = new Array<number>(PARTS).fill(0);
  for (const value of values) {
    const part = Math.min(PARTS - 1, Math.max(0, Math.floor(partOf(value))));
    parts[part] = (parts[part] ?? 0) + 1;
  }
  return { least: at(0), quarter: at(0.25), median: at(0.5), threeQuarters: at(0.75), most: at(1), parts };
}

function pairedRoles(pairs: readonly PairedDesign[]): readonly PairedRole[] {
  const known = pairs.filter(({ a, b }) => a.outcome !== undefined && b.outcome !== undefined);
  const did = (result: DesignResult, role: string): { readonly turns: number; readonly toolCalls: number } => {
    // What a nested chat hands on repeats words that were said inside.
    const own = (result.outcome?.transcript ?? []).filter(
      ({ from, leaves }) => from === role && leaves?.repeats === undefined,
    );
    return { turns: own.length, toolCalls: sum(own.map(({ toolCalls }) => toolCalls?.length ?? 0)) };
  };
  const speakers = known.flatMap(({ a, b }) =>
    [...(a.outcome?.transcript ?? []), ...(b.outcome?.transcript ?? [])].map(({ from }) => from),
  );
  return [...new Set(speakers)].flatMap((role) => {
    if (role === 'user') return [];
    const ofA = known.map(({ a }) => did(a, role));
    const ofB = known.map(({ b }) => did(b, role));
    const mean = (numbers: readonly number[]): number => sum(numbers) / known.length;
    return {
      role,
      requirements: known.length,
      turnsA: mean(ofA.map(({ turns }) => turns)),
      turnsB: mean(ofB.map(({ turns }) => turns)),
      toolCallsA: mean(ofA.map(({ toolCalls }) => toolCalls)),
      toolCallsB: mean(ofB.map(({ toolCalls }) => toolCalls)),
    };
  });
}

function remarksOn(
  comparison: Omit<DesignComparison, 'remarks'>,
  a: StoredDesignRun,
  b: StoredDesignRun,
): readonly string[] {
  const { requirements, scorers, rewritten, onlyA, onlyB } = comparison;
  const remarks: string[] = [];
  const leftOut = (count: number, which: string): void => {
    if (count > 0) remarks.push(`Left out: ${count} ${count === 1 ? 'requirement' : 'requirements'} ${which}.`);
  };
  if (requirements === 0) remarks.push('The runs have no requirement in common, so that nothing can be compared.');
  else if (scorers.length === 0)
    remarks.push('The runs have no scorer in common; design once more with the same --scorer.');
  if (a.run.dataset.fingerprint !== b.run.dataset.fingerprint)
    remarks.push(
      `The datasets are not the same: ${a.run.dataset.name} has changed between the runs, or another one was used.`,
    );
  if (a.run.runId === b.run.runId) remarks.push('Both are the same run.');
  leftOut(rewritten.length, 'with another text or another number of gold tables');
  leftOut(onlyA.length, `only in ${a.name}`);
  leftOut(onlyB.length, `only in ${b.name}`);
  return remarks;
}
