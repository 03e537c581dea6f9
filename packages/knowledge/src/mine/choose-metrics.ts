import type { RelationId } from '@askema/core';
import type { ChosenConditions } from './choose-conditions.ts';
import { BELONGS, belongs, ConditionShares } from './condition-shares.ts';
import { addEvidence, type Evidence, evidenceOf, isEnough, noEvidence, shareOf, together } from './evidence.ts';
import type { AggregateUse, GatheredAggregate, GatheredFacts } from './gather-facts.ts';
import type { MineLimits } from './logged-statement.ts';
import { type NamesOfNumbers, namesOfNumbers } from './names-of-numbers.ts';
import { isPeriod } from './period.ts';
import { unsettledUses } from './unsettled-uses.ts';

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
  /** Those whose conditions people write in ways that do not agree. */
  readonly unsettled: number;
}

const NOTABLE = 4;

/**
 * What is asked for again and again. Conditions belong to an aggregate that stand in nearly all of its uses, or in nearly
 * all of those under some of its names; the rest are what somebody asked at the time.
 */
export function chooseMetrics(facts: GatheredFacts, chosen: ChosenConditions, limits: MineLimits): ChosenMetrics {
  const metrics: ChosenMetric[] = [];
  let withheld = 0;
  let unsettled = 0;
  const names = namesOfNumbers(facts, limits);
  for (const aggregate of facts.aggregates.values()) {
    const found = metricsOf(aggregate, { facts, chosen, names, limits });
    unsettled += found.unsettled;
    for (const metric of found.metrics) {
      if (!isEnough(metric.exact, limits) || isLook(metric, limits)) continue;
      if (metric.conditions.every(chosen.mayShow) && chosen.mayShowIn(aggregate.expression, metric.evidence))
        metrics.push(metric);
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
  const all = new ConditionShares(uses);
  const named = sharesByName(uses);
  const open = all.conditions.filter((one) => !always.has(one));
  const usual = open.filter((one) => belongs(one, [all]) && !isMissed(one, named, limits));
  const isUsual = new Set(usual);
  const defining = new Set(
    [...byCondition(named)].flatMap(([one, having]) => {
      const isOpen = !always.has(one) && !isUsual.has(one);
      const whole = together(having.map((group) => group.whole));
      return isOpen && isEnough(whole, limits) && belongs(one, having) ? [one] : [];
    }),
  );
  // Stands in most runs, but one user's: those say nothing about the number without it.
  const isChosen = (one: string): boolean => isUsual.has(one) || defining.has(one);
  const lone = new Set(open.filter((one) => !isChosen(one) && isLone(one, all)));
  const columnOf = (condition: string): string | undefined => {
    const known = facts.conditions.get(condition);
    return known === undefined || always.has(condition) || isPeriod(known.expression)
      ? undefined
      : known.columns.join();
  };
  const unsettled = unsettledUses(uses, { columnOf, isChosen }, limits.minUsers);
  const variants = variantsOf(
    uses.filter((use) => !unsettled.has(use)),
    (use) => [...usual, ...use.conditions.filter((one) => defining.has(one))].sort(),
    lone,
  );
  // What always holds stands in each metric as well, so that it is right by itself.
  const held = [...always].filter((text) => all.of(text) >= BELONGS);
  const metrics = variants.map((variant) => ({
    relation: aggregate.relation,
    text: aggregate.text,
    conditions: [...variant.conditions, ...held].sort(),
    evidence: variant.evidence,
    exact: variant.exact,
    isPicked: variant.unknown >= BELONGS * variant.evidence.count,
    aliases: aliasesOf(variant),
  }));
  const withheld = together([...unsettled].map(({ evidence }) => evidence));
  return { metrics, unsettled: isEnough(withheld, limits) ? 1 : 0 };
}

/** By the conditions that are their own. Uses under the name of another variant forgot what that has. */
function variantsOf(
  uses: readonly AggregateUse[],
  own: (use: AggregateUse) => readonly string[],
  lone: ReadonlySet<string>,
): readonly Variant[] {
  const keys = new Map(uses.map((use) => [use, own(use).join('\n')]));
  const forgetful = new Set(
    [...Map.groupBy(uses, ({ alias }) => alias)].flatMap(([alias, same]) =>
      alias === undefined ? [] : rarer(same, (use) => keys.get(use) ?? ''),
    ),
  );
  const variants = new Map<string, Variant>();
  for (const use of uses) {
    if (forgetful.has(use)) continue;
    const key = keys.get(use) ?? '';
    const variant = variants.get(key) ?? {
      conditions: own(use),
      evidence: noEvidence(),
      exact: noEvidence(),
      aliases: new Map<string, Evidence>(),
      unknown: 0,
    };
    variants.set(key, variant);
    addEvidence(variant.evidence, use.evidence);
    const isWhole = variant.conditions.every((one) => use.conditions.includes(one));
    if (isWhole && !use.conditions.some((one) => lone.has(one))) addEvidence(variant.exact, use.evidence);
    variant.unknown += use.unknown;
    if (use.alias !== undefined) addEvidence(evidenceOf(variant.aliases, use.alias), use.evidence);
  }
  return [...variants.values()];
}

/** All but those with the key that most have. */
function rarer(same: readonly AggregateUse[], keyOf: (use: AggregateUse) => string): readonly AggregateUse[] {
  const whole = together(same.map(({ evidence }) => evidence));
  const groups = [...Map.groupBy(same, keyOf).values()].map((those) => ({
    those,
    share: shareOf(together(those.map(({ evidence }) => evidence)), whole),
  }));
  const most = groups.reduce((max, { share }) => Math.max(max, share), 0);
  return groups.flatMap(({ those, share }) => (share < most ? those : []));
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

/** Best known first. */
function aliasesOf({ aliases }: Variant): ChosenMetric['aliases'] {
  return [...aliases]
    .map(([alias, evidence]) => ({ alias, evidence }))
    .sort((a, b) => b.evidence.users.size - a.evidence.users.size || b.evidence.count - a.evidence.count);
}
