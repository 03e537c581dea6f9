import type { RelationId } from '@askema/core';
import type { ChosenConditions } from './choose-conditions.ts';
import {
  addEvidence,
  type Evidence,
  evidenceOf,
  isEnough,
  noEvidence,
  runsOfAll,
  shareOf,
  together,
} from './evidence.ts';
import type { AggregateUse, GatheredAggregate, GatheredFacts } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';

/** An aggregate with the conditions that belong to it. */
export interface ChosenMetric {
  readonly relation: RelationId;
  /** Of its expression and its conditions. */
  readonly text: string;
  readonly conditions: readonly string[];
  /** Best known first. */
  readonly aliases: readonly { readonly alias: string; readonly evidence: Evidence }[];
  readonly evidence: Evidence;
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
  const isName = namesIn(facts, limits);
  for (const aggregate of facts.aggregates.values()) {
    for (const metric of metricsOf(aggregate, chosen, isName, limits)) {
      if (!isEnough(metric.evidence, limits)) continue;
      if (metric.conditions.every(chosen.mayShow) && chosen.mayShowIn(aggregate.expression, metric.evidence))
        metrics.push(metric);
      else withheld += 1;
    }
  }
  return { metrics, withheld };
}

/** Whether an alias is the name of an aggregate. */
type IsName = (alias: string, of: readonly AggregateUse[]) => boolean;

function namesIn({ aggregates }: GatheredFacts, { minUsers }: MineLimits): IsName {
  const named = new Map<string, Evidence[]>();
  for (const { uses } of aggregates.values())
    for (const [alias, same] of Map.groupBy(uses.values(), (use) => use.alias))
      if (alias !== undefined) named.set(alias, [...(named.get(alias) ?? []), ofUses(same)]);
  return (alias, of) => {
    const numbers = named.get(alias) ?? [];
    const all = together(numbers);
    // What one user alone calls so takes no name from the others.
    const usual = numbers.filter(({ users }) => users.size >= Math.min(minUsers, all.users.size));
    const here = ofUses(of.filter((use) => use.alias === alias));
    return usual.length < MANY_NUMBERS && shareOf(here, all) >= MOSTLY;
  };
}

interface Variant {
  readonly conditions: readonly string[];
  readonly evidence: Evidence;
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
  const usual = candidates.filter((one) => belongs(one, uses));
  const byName = Map.groupBy(uses, ({ alias }) => alias);
  byName.delete(undefined);
  const defining = new Set(
    candidates.filter((one) => {
      // Synonyms have it alike.
      const having = [...byName.values()].filter((same) => share(one, same) >= BELONGS).flat();
      return !usual.includes(one) && isEnough(ofUses(having), limits) && belongs(one, having);
    }),
  );
  const variants = new Map<string, Variant>();
  for (const use of uses) {
    const conditions = [...usual, ...use.conditions.filter((one) => defining.has(one))].sort();
    const key = conditions.join('\n');
    const variant = variants.get(key) ?? {
      conditions,
      evidence: noEvidence(),
      aliases: new Map<string, Evidence>(),
      unknown: 0,
    };
    variants.set(key, variant);
    addEvidence(variant.evidence, use.evidence);
    variant.unknown += use.unknown;
    if (use.alias !== undefined) addEvidence(evidenceOf(variant.aliases, use.alias), use.evidence);
  }
  // What always holds stands in each metric as well, so that it is right by itself.
  const held = [...always].filter((text) => share(text, uses) >= BELONGS);
  return [...variants.values()].map((variant) => ({
    relation: aggregate.relation,
    text: aggregate.text,
    conditions: [...variant.conditions, ...held].sort(),
    evidence: variant.evidence,
    isPicked: variant.unknown >= BELONGS * variant.evidence.count,
    aliases: aliasesOf(variant, [...variants.values()]),
  }));
}

/** A name goes to the variant that has it most: somebody may have forgotten a condition. */
function aliasesOf({ aliases }: Variant, all: readonly Variant[]): ChosenMetric['aliases'] {
  return [...aliases]
    .filter(([alias, evidence]) => {
      const others = all.flatMap((other) => other.aliases.get(alias) ?? []);
      const whole = together(others);
      return others.every((other) => shareOf(other, whole) <= shareOf(evidence, whole));
    })
    .map(([alias, evidence]) => ({ alias, evidence }))
    .sort((a, b) => b.evidence.users.size - a.evidence.users.size || b.evidence.count - a.evidence.count);
}

function ofUses(uses: readonly AggregateUse[]): Evidence {
  return together(uses.map(({ evidence }) => evidence));
}

function belongs(condition: string, uses: readonly AggregateUse[]): boolean {
  return share(condition, uses) >= (runsOfAll(ofUses(uses)) < SAFE ? 1 : BELONGS);
}

/** In how much of the uses it stands. */
function share(condition: string, uses: readonly AggregateUse[]): number {
  return shareOf(ofUses(uses.filter(({ conditions }) => conditions.includes(condition))), ofUses(uses));
}
