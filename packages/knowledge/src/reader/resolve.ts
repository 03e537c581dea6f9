import { isAskemaError } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { analyseMetric, type Measure } from '../compile/analyse-metric.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import { reachesOne } from '../compile/join-graph.ts';
import type { CompiledMetrics, MetricRequest } from '../compile/metric-request.ts';
import type { Metric } from '../model/semantic-model.ts';
import { demandProblem, distinctProblem, ownerProblem, verbProblem } from './check-choice.ts';
import { contradictionProblem } from './contradiction.ts';
import type { Condition, Draft } from './draft.ts';
import { fieldName, fieldTitle, type NamedField } from './meaning.ts';
import { neededGrain, timeAssumptions } from './metric-times.ts';
import { perAssumptions, perProblem } from './per-each.ts';
import { writeCondition, writeKnown, writeLimits } from './write-conditions.ts';

/** A draft with one meaning for each of its parts. */
export interface Choice {
  readonly draft: Draft;
  readonly metrics: readonly Metric[];
  readonly measures: readonly Measure[];
  /** By the position of their slots; undefined for a grain. */
  readonly groups: readonly (NamedField | undefined)[];
  readonly conditions: readonly Condition[];
}

/** What a question means. */
export interface Resolved {
  readonly choice: Choice;
  readonly request: MetricRequest;
  readonly compiled: CompiledMetrics;
  readonly assumptions: readonly string[];
}

export interface Resolution {
  readonly resolved: readonly Resolved[];
  /** Why a choice is none, each one sentence. */
  readonly refusals: readonly string[];
}

/** More combinations of meanings are too many to tell apart. */
const MAX_CHOICES = 64;

/** All that drafts can mean and that can be computed; what means the same is there once. */
export function resolve(drafts: readonly Draft[], bound: BoundKnowledge, today: string): Resolution {
  const resolved = new Map<string, Resolved>();
  const refusals = new Set<string>();
  const choices = drafts.flatMap((draft) => choicesOf(draft, bound));
  if (choices.length > MAX_CHOICES) return { resolved: [], refusals: ['Its words can mean too many things.'] };
  for (const choice of choices)
    try {
      const read = requestOf(choice, bound, today);
      if (typeof read === 'string') refusals.add(read);
      else {
        const key = JSON.stringify(read.request);
        if (!resolved.has(key)) resolved.set(key, { choice, ...read, compiled: compileMetrics(read.request, bound) });
      }
    } catch (error) {
      if (!isAskemaError(error)) throw error;
      refusals.add(error.message);
    }
  return { resolved: [...resolved.values()], refusals: [...refusals] };
}

function choicesOf(draft: Draft, bound: BoundKnowledge): Choice[] {
  return product(draft.metrics.map(({ options }) => options)).flatMap((metrics) => {
    const measures = metrics.flatMap(({ name }) => analyseMetric(name, bound).measures);
    // Fields of other datasets are refused anyway. One of them stays, so that the compiler says why.
    const reached = <Option>(options: readonly Option[], datasetOf: (option: Option) => BoundDataset | undefined) => {
      const some = options.filter((option) => {
        const to = datasetOf(option);
        return to === undefined || measures.every(({ dataset }) => reachesOne(dataset, to, bound));
      });
      return some.length > 0 ? some : options.slice(0, 1);
    };
    const groups = product<NamedField | undefined>(
      draft.groups.map((slot) =>
        slot.kind === 'grain' ? [undefined] : reached(slot.options, ({ dataset }) => dataset),
      ),
    );
    const conditions = product(
      draft.conditions.map(({ options }) =>
        reached(options, (one) => (one.kind === 'value' ? one.dataset : undefined)),
      ),
    );
    return groups.flatMap((by) =>
      conditions.map((where) => ({ draft, metrics, measures, groups: by, conditions: where })),
    );
  });
}

function product<Item>(lists: readonly (readonly Item[])[]): Item[][] {
  return lists.reduce<Item[][]>(
    (all, list) => all.flatMap((one) => list.map((item) => [...one, item])).slice(0, MAX_CHOICES + 1),
    [[]],
  );
}

/** The request of a choice, or why there is none. */
function requestOf(
  choice: Choice,
  bound: BoundKnowledge,
  today: string,
): { readonly request: MetricRequest; readonly assumptions: readonly string[] } | string {
  const { draft, metrics, groups, conditions } = choice;
  const grain = neededGrain(choice, bound);
  const problem =
    demandProblem(choice, bound) ??
    verbProblem(choice, bound) ??
    ownerProblem(choice, bound) ??
    distinctProblem(choice, bound) ??
    perProblem(choice, bound) ??
    grain.problem ??
    contradictionProblem(choice, bound);
  if (problem !== undefined) return problem;
  const by = draft.groups.flatMap((slot, at) => {
    const field = groups[at];
    return slot.kind === 'grain' || field === undefined ? [`metric_time:${grain.shown}`] : groupNames(field);
  });
  if (grain.isAdded) by.unshift(`metric_time:${grain.shown}`);
  if (new Set(by).size < by.length || draft.groups.filter(({ kind }) => kind === 'grain').length > 1)
    return 'It groups by one thing twice.';
  const ordered = draft.groups.length + (grain.isAdded && !grain.isOnePeriod ? 1 : 0);
  if (draft.rank !== undefined && ordered > 1)
    return 'It asks for the first of an order within each group, which no request can say.';
  const ranked = draft.rank === undefined ? [] : groups.filter((field) => field !== undefined);
  const where = [
    ...conditions.map((condition, at) => writeCondition(condition, draft.conditions[at]?.isNot === true)),
    ...ranked.map(writeKnown),
    ...(draft.time === undefined ? [] : writeLimits(draft.time.range)),
  ];
  const request: MetricRequest = {
    metrics: metrics.map(({ name }) => name),
    ...(by.length > 0 && { by }),
    ...(where.length > 0 && { where }),
    ...(draft.rank && {
      order: [{ by: metrics[0]?.name ?? '', direction: draft.rank.direction }],
      limit: draft.rank.limit,
    }),
    ...(grain.isFiscal && { fiscal: true }),
  };
  return { request, assumptions: assumptionsOf(choice, bound, today) };
}

/** A time is grouped by day: nobody asks by the time of day. A name stands in front of the key that it is of. */
function groupNames({ dataset, field, key }: NamedField): readonly string[] {
  const name = fieldName({ dataset, field });
  if (field.isTime) return [`${name}:${field.field.timeGrain ?? 'day'}`];
  return key === undefined ? [name] : [name, fieldName({ dataset, field: key })];
}

function assumptionsOf(choice: Choice, bound: BoundKnowledge, today: string): readonly string[] {
  const { draft, groups, conditions } = choice;
  const left = conditions.flatMap((condition, at) =>
    condition.kind === 'value' && draft.conditions[at]?.isNot === true
      ? [`Rows without ${fieldTitle(condition)} are left out.`]
      : [],
  );
  // What has no rows is in no group, and is not found to be the lowest.
  const lowest = draft.rank?.direction === 'asc' ? ['Only what has rows is compared.'] : [];
  const named = groups.flatMap((field) => (field?.assumption === undefined ? [] : [field.assumption]));
  return [
    ...new Set([...named, ...perAssumptions(choice), ...lowest, ...left, ...timeAssumptions(choice, bound, today)]),
  ];
}
