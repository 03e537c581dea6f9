import type { RelationId } from '@askema/core';
import type { ChosenConditions } from './choose-conditions.ts';
import { addEvidence, type Evidence, evidenceOf, isEnough, noEvidence } from './evidence.ts';
import type { AggregateUse, GatheredAggregate, GatheredFacts } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';
import { type NamesOfNumbers, namesOfNumbers } from './names-of-numbers.ts';
import { isPeriod } from './period.ts';
import { unsettledUses } from './unsettled-uses.ts';
import { runsOf, shareOfUses, together } from './uses.ts';

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
  /** Those whose conditions people write in ways that do not agree. */
  readonly unsettled: number;
}

/** A condition that stands in so many uses belongs to what is used. */
const BELONGS = 0.8;
/** With fewer uses than that, in all of them. */
const SAFE = 8;
const NOTABLE = 4;

/**
 * What is asked for again and again. Conditions belong to an aggregate that stand in nearly all of its uses, or in nearly
 * all of those under some of its names; the rest are what somebody asked at the time.
 */
export function chooseMetrics(facts: GatheredFacts, chosen: ChosenConditions, limits: MineLimits): ChosenMetrics {
  const metrics: ChosenMetric[] = [];
  let withheld = 0;
  let unsettled = 0;
  const names = namesOfNumbers(facts);
  for (const aggregate of facts.aggregates.values()) {
    const found = metricsOf(aggregate, { facts, chosen, names, limits });
    unsettled += found.unsettled;
    for (const metric of found.metrics) {
      if (!isEnough(metric.exact, limits) || isLook(metric, limits)) continue;
      if (metric.conditions.every(chosen.mayShow)) metrics.push(metric);
      else withheld += 1;
    }
  }
  return { metrics, withheld, unsettled };
}

/** Everybody counts the rows of a table now and then; it is a number of its own if they name it, or do so often. */
function isLook({ text, conditions, aliases, evidence }: ChosenMetric, { minCount }: MineLimits): boolean {
  return text === 'COUNT(*)' && conditions.length + aliases.length === 0 && evidence.count < NOTABLE * minCount;
}

interface Variant {
  readonly conditions: readonly string[];
  readonly evidence: Evidence;
  readonly exact: Evidence;
  readonly aliases: Map<string, Evidence>;
  unknown: number;
}

interface Choosing {
  readonly facts: GatheredFacts;
  readonly chosen: ChosenConditions;
  readonly names: NamesOfNumbers;
  readonly limits: MineLimits;
}

function metricsOf(
  aggregate: GatheredAggregate,
  { facts, chosen, names, limits }: Choosing,
): { readonly metrics: readonly ChosenMetric[]; readonly unsettled: number } {
  // A name that says nothing is none.
  const uses = [...aggregate.uses.values()]
    .filter(({ alias }) => alias === undefined || !names.isOfAnother(alias, aggregate))
    .map((use) => (use.alias === undefined || names.isName(use.alias, aggregate) ? use : { ...use, alias: undefined }));
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
  const columnOf = (condition: string): string | undefined => {
    const known = facts.conditions.get(condition);
    return known === undefined || always.has(condition) || isPeriod(known.expression)
      ? undefined
      : known.columns.join();
  };
  const unsettled = unsettledUses(uses, columnOf, (one) => usual.includes(one) || defining.has(one));
  const own = (use: AggregateUse): readonly string[] =>
    [...usual, ...use.conditions.filter((one) => defining.has(one))].sort();
  const variants = variantsOf(
    uses.filter((use) => !unsettled.has(use)),
    own,
  );
  // What always holds stands in each metric as well, so that it is right by itself.
  const held = [...always].filter((text) => shareOfUses(text, uses) >= BELONGS);
  const metrics = variants.map((variant) => ({
    relation: aggregate.relation,
    text: aggregate.text,
    conditions: [...variant.conditions, ...held].sort(),
    evidence: variant.evidence,
    exact: variant.exact,
    isPicked: variant.unknown >= BELONGS * variant.evidence.count,
    aliases: aliasesOf(variant),
  }));
  return { metrics, unsettled: isEnough(together(unsettled), limits) ? 1 : 0 };
}

/** By the conditions that are their own. Uses under the name of another variant forgot what that has. */
function variantsOf(uses: readonly AggregateUse[], own: (use: AggregateUse) => readonly string[]): readonly Variant[] {
  const keys = new Map(uses.map((use) => [use, own(use).join('\n')]));
  const runs = new Map(
    [...Map.groupBy(uses, ({ alias }) => alias)].map(([alias, same]) => {
      const byKey = Map.groupBy(same, (use) => keys.get(use) ?? '');
      return [alias, new Map([...byKey].map(([key, those]) => [key, runsOf(those)]))] as const;
    }),
  );
  const variants = new Map<string, Variant>();
  for (const use of uses) {
    const key = keys.get(use) ?? '';
    const named = use.alias === undefined ? undefined : runs.get(use.alias);
    if (named !== undefined && (named.get(key) ?? 0) < Math.max(...named.values())) continue;
    const variant = variants.get(key) ?? {
      conditions: own(use),
      evidence: noEvidence(),
      exact: noEvidence(),
      aliases: new Map<string, Evidence>(),
      unknown: 0,
    };
    variants.set(key, variant);
    addEvidence(variant.evidence, use.evidence);
    if (variant.conditions.every((one) => use.conditions.includes(one))) addEvidence(variant.exact, use.evidence);
    variant.unknown += use.unknown;
    if (use.alias !== undefined) addEvidence(evidenceOf(variant.aliases, use.alias), use.evidence);
  }
  return [...variants.values()];
}

/** Best known first. */
function aliasesOf({ aliases }: Variant): ChosenMetric['aliases'] {
  return [...aliases]
    .map(([alias, evidence]) => ({ alias, evidence }))
    .sort((a, b) => b.evidence.users.size - a.evidence.users.size || b.evidence.count - a.evidence.count);
}

function belongs(condition: string, uses: readonly AggregateUse[]): boolean {
  return shareOfUses(condition, uses) >= (runsOf(uses) < SAFE ? 1 : BELONGS);
}
