import type { RelationId } from '@askema/core';
import type { ChosenConditions } from './choose-conditions.ts';
import { addEvidence, type Evidence, evidenceOf, isEnough, noEvidence } from './evidence.ts';
import type { AggregateUse, GatheredAggregate, GatheredFacts } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';
import { shareOfUses, together } from './uses.ts';

/** An aggregate with the conditions that belong to it. */
export interface ChosenMetric {
  readonly relation: RelationId;
  /** Of its expression and its conditions. */
  readonly text: string;
  readonly conditions: readonly string[];
  /** Best known first. */
  readonly aliases: readonly { readonly alias: string; readonly evidence: Evidence }[];
  readonly evidence: Evidence;
  /** Of the uses that have all of its own conditions. */
  readonly exact: Evidence;
  /** In most of its uses, a condition could not be told. */
  readonly isPicked: boolean;
}

export interface ChosenMetrics {
  readonly metrics: readonly ChosenMetric[];
  /** Metrics whose conditions have values that may not be shown. */
  readonly withheld: number;
}

/** A condition that stands in so many uses belongs to what is used. */
const BELONGS = 0.8;
/** With fewer uses than that, in all of them. */
const SAFE = 8;
const NOTABLE = 4;
/** What names one number in less of its uses, or so many numbers, names none: `total`, `n`. */
const MOSTLY = 0.6;
const MANY_NUMBERS = 3;

/**
 * What is asked for again and again. Conditions belong to an aggregate that stand in nearly all of its uses, or in nearly
 * all of those under some of its names; the rest are what somebody asked at the time.
 */
export function chooseMetrics(facts: GatheredFacts, chosen: ChosenConditions, limits: MineLimits): ChosenMetrics {
  const metrics: ChosenMetric[] = [];
  let withheld = 0;
  const isName = namesIn(facts);
  for (const aggregate of facts.aggregates.values()) {
    for (const metric of metricsOf(aggregate, chosen, isName, limits)) {
      if (!isEnough(metric.exact, limits) || isLook(metric, limits)) continue;
      if (metric.conditions.every(chosen.mayShow)) metrics.push(metric);
      else withheld += 1;
    }
  }
  return { metrics, withheld };
}

/** Everybody counts the rows of a table now and then; it is a number of its own if they name it, or do so often. */
function isLook({ text, conditions, aliases, evidence }: ChosenMetric, { minCount }: MineLimits): boolean {
  return text === 'COUNT(*)' && conditions.length + aliases.length === 0 && evidence.count < NOTABLE * minCount;
}

/** Whether an alias is the name of an aggregate. */
type IsName = (alias: string, of: readonly AggregateUse[]) => boolean;

function namesIn({ aggregates }: GatheredFacts): IsName {
  const totals = new Map<string, { runs: number; numbers: number }>();
  for (const { uses } of aggregates.values())
    for (const [alias, same] of Map.groupBy(uses.values(), (use) => use.alias)) {
      if (alias === undefined) continue;
      const total = totals.get(alias) ?? { runs: 0, numbers: 0 };
      totals.set(alias, { runs: total.runs + runsOf(same), numbers: total.numbers + 1 });
    }
  return (alias, of) => {
    const { runs, numbers } = totals.get(alias) ?? { runs: 0, numbers: 0 };
    return numbers < MANY_NUMBERS && runsOf(of.filter((use) => use.alias === alias)) >= MOSTLY * runs;
  };
}

interface Variant {
  readonly conditions: readonly string[];
  readonly evidence: Evidence;
  readonly exact: Evidence;
  readonly aliases: Map<string, Evidence>;
  unknown: number;
}

function metricsOf(
  aggregate: GatheredAggregate,
  chosen: ChosenConditions,
  isName: IsName,
  limits: MineLimits,
): readonly ChosenMetric[] {
  // A name that says nothing is none.
  const uses = [...aggregate.uses.values()].map((use, _, all) =>
    use.alias === undefined || isName(use.alias, all) ? use : { ...use, alias: undefined },
  );
  const always = new Set(chosen.always.map(({ text }) => text));
  const candidates = [...new Set(uses.flatMap(({ conditions }) => conditions))].filter((text) => !always.has(text));
  const byName = Map.groupBy(uses, ({ alias }) => alias);
  byName.delete(undefined);
  // Another number that is asked for by a name of its own, and more rarely, has it not.
  const isMissed = (one: string): boolean => {
    const without = [...byName.values()].filter((same) => shareOfUses(one, same) <= 1 - BELONGS).flat();
    return isEnough(together(without), limits);
  };
  const usual = candidates.filter((one) => belongs(one, uses) && !isMissed(one));
  const defining = new Set(
    candidates.filter((one) => {
      // Synonyms have it alike.
      const having = [...byName.values()].filter((same) => shareOfUses(one, same) >= BELONGS).flat();
      return !usual.includes(one) && isEnough(together(having), limits) && belongs(one, having);
    }),
  );
  const variants = new Map<string, Variant>();
  for (const use of uses) {
    const conditions = [...usual, ...use.conditions.filter((one) => defining.has(one))].sort();
    const key = conditions.join('\n');
    const variant = variants.get(key) ?? {
      conditions,
      evidence: noEvidence(),
      exact: noEvidence(),
      aliases: new Map<string, Evidence>(),
      unknown: 0,
    };
    variants.set(key, variant);
    addEvidence(variant.evidence, use.evidence);
    if (conditions.every((one) => use.conditions.includes(one))) addEvidence(variant.exact, use.evidence);
    variant.unknown += use.unknown;
    if (use.alias !== undefined) addEvidence(evidenceOf(variant.aliases, use.alias), use.evidence);
  }
  // What always holds stands in each metric as well, so that it is right by itself.
  const held = [...always].filter((text) => shareOfUses(text, uses) >= BELONGS);
  return [...variants.values()].map((variant) => ({
    relation: aggregate.relation,
    text: aggregate.text,
    conditions: [...variant.conditions, ...held].sort(),
    evidence: variant.evidence,
    exact: variant.exact,
    isPicked: variant.unknown >= BELONGS * variant.evidence.count,
    aliases: aliasesOf(variant, [...variants.values()]),
  }));
}

/** A name goes to the variant that has it most: somebody may have forgotten a condition. */
function aliasesOf({ aliases }: Variant, all: readonly Variant[]): ChosenMetric['aliases'] {
  return [...aliases]
    .filter(([alias, { count }]) => all.every((other) => (other.aliases.get(alias)?.count ?? 0) <= count))
    .map(([alias, evidence]) => ({ alias, evidence }))
    .sort((a, b) => b.evidence.users.size - a.evidence.users.size || b.evidence.count - a.evidence.count);
}

function runsOf(uses: readonly AggregateUse[]): number {
  return uses.reduce((sum, { evidence }) => sum + evidence.count, 0);
}

function belongs(condition: string, uses: readonly AggregateUse[]): boolean {
  return shareOfUses(condition, uses) >= (runsOf(uses) < SAFE ? 1 : BELONGS);
}
