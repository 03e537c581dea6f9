import type { RelationId } from '@askema/core';
import type { ChosenConditions } from './choose-conditions.ts';
import { BELONGS, belongs, ConditionShares } from './condition-shares.ts';
import { addEvidence, type Evidence, evidenceOf, isEnough, noEvidence, shareOf, together } from './evidence.ts';
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
  /** Of the uses that have all of its own conditions, and none that one user alone has in most runs. */
  readonly exact: Evidence;
  /** In most of its uses, a condition could not be told. */
  readonly isPicked: boolean;
}

export interface ChosenMetrics {
  readonly metrics: readonly ChosenMetric[];
  /** Metrics whose conditions have values that may not be shown. */
  readonly withheld: number;
}

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
  const namesOf = namesIn(facts, limits);
  for (const aggregate of facts.aggregates.values()) {
    for (const metric of metricsOf(aggregate, chosen, namesOf, limits)) {
      if (!isEnough(metric.exact, limits) || isLook(metric, limits)) continue;
      if (metric.conditions.every(chosen.mayShow) && chosen.mayShowIn(aggregate.expression, metric.evidence))
        metrics.push(metric);
      else withheld += 1;
    }
  }
  return { metrics, withheld };
}

/** Everybody counts the rows of a table now and then; it is a number of its own if they name it, or do so often. */
function isLook({ text, conditions, aliases, evidence }: ChosenMetric, { minCount }: MineLimits): boolean {
  return text === 'COUNT(*)' && conditions.length + aliases.length === 0 && evidence.count < NOTABLE * minCount;
}

/** The names of an aggregate among those that its uses have. */
type NamesOf = (uses: Iterable<AggregateUse>) => ReadonlySet<string>;

function namesIn({ aggregates }: GatheredFacts, { minUsers }: MineLimits): NamesOf {
  const totals = new Map<string, { all: Evidence; usual: number }>();
  const numbers = [...aggregates.values()].flatMap(({ uses }) => [...byAlias(uses.values())]);
  for (const [alias, same] of Map.groupBy(numbers, ([one]) => one)) {
    const all = together(same.map(([, evidence]) => evidence));
    // What one user alone calls so takes no name from the others.
    const usual = same.filter(([, { users }]) => users.size >= Math.min(minUsers, all.users.size));
    totals.set(alias, { all, usual: usual.length });
  }
  return (uses) => {
    const names = [...byAlias(uses)].filter(([alias, evidence]) => {
      const { all, usual } = totals.get(alias) ?? { all: evidence, usual: 0 };
      return usual < MANY_NUMBERS && shareOf(evidence, all) >= MOSTLY;
    });
    return new Set(names.map(([alias]) => alias));
  };
}

function byAlias(uses: Iterable<AggregateUse>): ReadonlyMap<string, Evidence> {
  const named = new Map<string, Evidence>();
  for (const { alias, evidence } of uses) if (alias !== undefined) addEvidence(evidenceOf(named, alias), evidence);
  return named;
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
  namesOf: NamesOf,
  limits: MineLimits,
): readonly ChosenMetric[] {
  // A name that says nothing is none.
  const names = namesOf(aggregate.uses.values());
  const uses = [...aggregate.uses.values()].map((use) =>
    use.alias === undefined || names.has(use.alias) ? use : { ...use, alias: undefined },
  );
  const always = new Set(chosen.always.map(({ text }) => text));
  const all = new ConditionShares(uses);
  const named = sharesByName(uses);
  const open = all.conditions.filter((one) => !always.has(one));
  const usual = open.filter((one) => belongs(one, [all]) && !isMissed(one, named, limits));
  const defining = new Set(
    [...byCondition(named)].flatMap(([one, having]) => {
      const isOpen = !always.has(one) && !usual.includes(one);
      const whole = together(having.map((group) => group.whole));
      return isOpen && isEnough(whole, limits) && belongs(one, having) ? [one] : [];
    }),
  );
  // Stands in most runs, but one user's: those say nothing about the number without it.
  const lone = open.filter((one) => !usual.includes(one) && !defining.has(one) && isLone(one, all));
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
    if (conditions.every((one) => use.conditions.includes(one)) && !lone.some((one) => use.conditions.includes(one)))
      addEvidence(variant.exact, use.evidence);
    variant.unknown += use.unknown;
    if (use.alias !== undefined) addEvidence(evidenceOf(variant.aliases, use.alias), use.evidence);
  }
  // What always holds stands in each metric as well, so that it is right by itself.
  const held = [...always].filter((text) => all.of(text) >= BELONGS);
  const aliases = aliasesOf([...variants.values()]);
  return [...variants.values()].map((variant) => ({
    relation: aggregate.relation,
    text: aggregate.text,
    conditions: [...variant.conditions, ...held].sort(),
    evidence: variant.evidence,
    exact: variant.exact,
    isPicked: variant.unknown >= BELONGS * variant.evidence.count,
    aliases: aliases(variant),
  }));
}

/** The uses under one name each. */
function sharesByName(uses: readonly AggregateUse[]): readonly ConditionShares[] {
  const byName = Map.groupBy(uses, ({ alias }) => alias);
  byName.delete(undefined);
  return [...byName.values()].map((same) => new ConditionShares(same));
}

/** Another number that several ask for by a name of its own, and more rarely, has it not. */
function isMissed(condition: string, named: readonly ConditionShares[], limits: MineLimits): boolean {
  const without = named.filter((group) => group.of(condition) <= 1 - BELONGS);
  const evidence = together(without.map(({ whole }) => whole));
  return isEnough(evidence, limits) && (evidence.users.size >= limits.minUsers || evidence.users.size === 0);
}

/** Who runs it most of all has it, and nearly nobody else. */
function isLone(condition: string, all: ConditionShares): boolean {
  return all.having(condition).count >= BELONGS * all.whole.count && all.of(condition) < BELONGS;
}

/** Names by the conditions that nearly all of their uses have: synonyms have them alike. */
function byCondition(named: readonly ConditionShares[]): ReadonlyMap<string, readonly ConditionShares[]> {
  const groups = new Map<string, ConditionShares[]>();
  for (const shares of named)
    for (const one of shares.conditions)
      if (shares.of(one) >= BELONGS) groups.set(one, [...(groups.get(one) ?? []), shares]);
  return groups;
}

/** A name goes to the variant that has it most: somebody may have forgotten a condition. */
function aliasesOf(all: readonly Variant[]): (variant: Variant) => ChosenMetric['aliases'] {
  const most = new Map<string, { whole: Evidence; share: number }>();
  for (const [alias, same] of Map.groupBy(
    all.flatMap(({ aliases }) => [...aliases]),
    ([one]) => one,
  )) {
    const whole = together(same.map(([, evidence]) => evidence));
    most.set(alias, { whole, share: Math.max(...same.map(([, evidence]) => shareOf(evidence, whole))) });
  }
  return ({ aliases }) =>
    [...aliases]
      .filter(([alias, evidence]) => {
        const { whole, share } = most.get(alias) ?? { whole: evidence, share: 0 };
        return shareOf(evidence, whole) >= share;
      })
      .map(([alias, evidence]) => ({ alias, evidence }))
      .sort((a, b) => b.evidence.users.size - a.evidence.users.size || b.evidence.count - a.evidence.count);
}
