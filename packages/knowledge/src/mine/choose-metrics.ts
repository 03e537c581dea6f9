import type { RelationId } from '@askema/core';
import type { ChosenConditions } from './choose-conditions.ts';
import { addEvidence, type Evidence, evidenceOf, isEnough, noEvidence } from './evidence.ts';
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
}

export interface ChosenMetrics {
  readonly metrics: readonly ChosenMetric[];
  /** Metrics whose conditions have values that may not be shown. */
  readonly withheld: number;
}

/** A condition that stands in so many uses belongs to what is used. */
const BELONGS = 0.8;
/** With fewer uses than that, in all of them. */
const SAFE = 10;

/**
 * What is asked for again and again. Conditions belong to an aggregate that stand in nearly all of its uses, or in nearly
 * all of those that give it one name and in few of the others; the rest are what somebody asked at the time.
 */
export function chooseMetrics(facts: GatheredFacts, chosen: ChosenConditions, limits: MineLimits): ChosenMetrics {
  const metrics: ChosenMetric[] = [];
  let withheld = 0;
  for (const aggregate of facts.aggregates.values()) {
    for (const metric of metricsOf(aggregate, chosen)) {
      if (!isEnough(metric.evidence, limits)) continue;
      if (metric.conditions.every(chosen.mayShow)) metrics.push(metric);
      else withheld += 1;
    }
  }
  return { metrics, withheld };
}

function metricsOf(aggregate: GatheredAggregate, chosen: ChosenConditions): readonly ChosenMetric[] {
  const uses = [...aggregate.uses.values()];
  const always = new Set(chosen.always.map(({ text }) => text));
  const candidates = new Set(uses.flatMap(({ conditions }) => conditions));
  for (const text of always) candidates.delete(text);
  const usual = [...candidates].filter((one) => belongs(one, uses));
  const byAlias = Map.groupBy(uses, ({ alias }) => alias);
  const byName = new Map<string | undefined, readonly string[]>();
  for (const [alias, named] of byAlias) {
    if (alias === undefined) continue;
    const others = uses.filter((use) => use.alias !== undefined && use.alias !== alias);
    const own = [...candidates].filter(
      (one) => !usual.includes(one) && belongs(one, named) && (others.length === 0 || share(one, others) < BELONGS),
    );
    byName.set(alias, own);
  }
  const defining = new Set([...byName.values()].flat());
  const found = new Map<
    string,
    { conditions: readonly string[]; evidence: Evidence; aliases: Map<string, Evidence> }
  >();
  for (const use of uses) {
    const own = use.conditions.filter((one) => defining.has(one));
    const conditions = [...usual, ...own].sort();
    const key = conditions.join('\n');
    const one = found.get(key) ?? { conditions, evidence: noEvidence(), aliases: new Map<string, Evidence>() };
    found.set(key, one);
    addEvidence(one.evidence, use.evidence);
    if (use.alias !== undefined) addEvidence(evidenceOf(one.aliases, use.alias), use.evidence);
  }
  return [...found.values()].map(({ conditions, evidence, aliases }) => ({
    relation: aggregate.relation,
    text: aggregate.text,
    // What always holds stands in each metric as well, so that it is right by itself.
    conditions: [...conditions, ...[...always].filter((text) => share(text, uses) >= BELONGS)].sort(),
    evidence,
    aliases: [...aliases]
      .map(([alias, of]) => ({ alias, evidence: of }))
      .sort((a, b) => b.evidence.users.size - a.evidence.users.size || b.evidence.count - a.evidence.count),
  }));
}

function belongs(condition: string, uses: readonly AggregateUse[]): boolean {
  const count = uses.reduce((sum, { evidence }) => sum + evidence.count, 0);
  return share(condition, uses) >= (count < SAFE ? 1 : BELONGS);
}

/** In how much of the uses it stands. */
function share(condition: string, uses: readonly AggregateUse[]): number {
  let all = 0;
  let having = 0;
  for (const { conditions, evidence } of uses) {
    all += evidence.count;
    if (conditions.includes(condition)) having += evidence.count;
  }
  return all === 0 ? 0 : having / all;
}
