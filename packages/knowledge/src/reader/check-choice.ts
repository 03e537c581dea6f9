import { attributeId } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { analyseMetric, type Measure } from '../compile/analyse-metric.ts';
import { reachesOne } from '../compile/join-graph.ts';
import type { Call, Expression } from '../expression/expression.ts';
import { columnsIn, walkExpression } from '../expression/walk-expression.ts';
import type { Metric } from '../model/semantic-model.ts';
import { wordsOf } from '../words/words-of.ts';
import type { Demands, Draft } from './draft.ts';
import { metricTitle } from './meaning.ts';
import type { Choice } from './resolve.ts';

/** That words around a metric say what is not true of it: "total" of an average. */
export function demandProblem({ draft, metrics }: Choice, bound: BoundKnowledge): string | undefined {
  for (const [at, metric] of metrics.entries()) {
    const slot = draft.metrics[at];
    const isMet = meets(metric, slot?.demands ?? {}, bound) && meets(metric, draft.demands, bound);
    if (!isMet) return `The words around "${slot?.said}" do not fit ${metricTitle(metric)}.`;
  }
  const [only, ...more] = draft.metrics;
  const adds = draft.demands.adds === true || draft.metrics.some(({ demands }) => demands.adds === true);
  if (adds && more.length > 0) return 'It can be read as one sum of several metrics, which no definition computes.';
  const isShown = draft.groups.length > 0 || only?.demands.counts === true || only?.demands.sums === true;
  if (draft.demands.rows === true && !isShown && metrics.some((metric) => namesRows(metric, draft, bound)))
    return `"${only?.said}" can be meant as a list of rows; ask for their number, or by what it is to be shown.`;
  const isByTime = draft.groups.some(({ kind }) => kind === 'grain');
  if (draft.demands.hasGrain !== true || isByTime) return undefined;
  return 'The question does not say for which periods it is to be shown: by month, say.';
}

/** "orders", not "order count" nor "revenue". */
function namesRows({ name }: Metric, { metrics }: Draft, bound: BoundKnowledge): boolean {
  const [last] = wordsOf(metrics[0]?.said ?? '').slice(-1);
  return last?.lower !== last?.stem && analyseMetric(name, bound).measures.every(({ call }) => call.name === 'COUNT');
}

const SPANS = /(?:^|[^a-z])(?:time|duration|ages?|(?:second|minute|hour|day|week|month|year)s)(?:$|[^a-z])/iu;

function meets(metric: Metric, demands: Demands, bound: BoundKnowledge): boolean {
  const { value, measures } = analyseMetric(metric.name, bound);
  let divides = false;
  walkExpression(value, (part) => {
    divides ||= part.kind === 'binary' && part.operator === '/';
  });
  const isSum = !divides && measures.every(({ call }) => call.name === 'SUM' || call.name === 'COUNT');
  if (demands.sums === true && !(isSum && measures.every(({ running }) => running === undefined))) return false;
  if (demands.counts === true && !(isSum && measures.every((measure) => isCount(measure, metric, bound)))) return false;
  if (demands.isAmount === true && demands.counts !== true && measures.every(({ call }) => call.name === 'COUNT'))
    return false;
  if (demands.lasts === true && !SPANS.test([metric.unit, metric.label, metric.name].join(' ').replaceAll('_', ' ')))
    return false;
  if (demands.isDistinct === true && !measures.every(({ call }) => call.isDistinct)) return false;
  if (demands.isSnapshot !== true) return true;
  return measures.every(({ lasting, running }) => lasting?.choice === 'last' || running !== undefined);
}

/** That values are said to be of something else than what is measured: "revenue of Berlin complaints". */
export function ownerProblem(
  { draft, metrics, measures, conditions }: Choice,
  bound: BoundKnowledge,
): string | undefined {
  for (const [at, condition] of conditions.entries()) {
    const slot = draft.conditions[at];
    if (slot?.isUnderNot === true) return `"${slot.said}" may belong to what is left out, or be all that counts.`;
    if (condition.kind !== 'value') continue;
    const { nouns, dataset: home } = condition;
    const belongs = measures.every(({ dataset }) => nouns?.some((noun) => reachesOne(dataset, noun, bound)) ?? true);
    // "by phone" is how a sale was made; "by Berlin store" asks for groups.
    const isHow = nouns === undefined && measures.every(({ dataset }) => dataset === home);
    const isManner = slot?.isBy !== true || isHow;
    if (!belongs || !isManner) return `"${slot?.said}" says nothing of ${metrics.map(metricTitle).join(' and ')}.`;
  }
  return undefined;
}

/**
 * That rows are left out or listed which do not tell what is counted: "buyers without butter" also bought other things,
 * "buyers of butter and tea" may be those of both.
 */
export function distinctProblem({ draft, measures, conditions }: Choice, bound: BoundKnowledge): string | undefined {
  const counted = measures.filter(({ call }) => call.name === 'COUNT' && call.isDistinct);
  for (const [at, condition] of conditions.entries()) {
    const slot = draft.conditions[at];
    if (slot === undefined || condition.kind !== 'value') continue;
    const isList = condition.values.length > 1 && / and /iu.test(slot.said);
    if (!isList && !slot.isNot) continue;
    const isTold = counted.every(({ call }) =>
      ownersOf(call, bound).some((one) => reachesOne(one, condition.dataset, bound)),
    );
    if (!isTold) return `"${slot.said}" can be meant of each row, or of all rows of what is counted.`;
  }
  return undefined;
}

/** What a column stands for: `sales.customer_id` for a customer. */
function ownersOf({ arguments: counted }: Call, { datasets, relationships }: BoundKnowledge): readonly BoundDataset[] {
  return counted.flatMap(columnsIn).flatMap(({ bound: place }) => {
    const own = datasets.get(place?.dataset.toLowerCase() ?? '');
    if (own === undefined || place === undefined) return [];
    const isKey = own.keys.some(([only, other]) => other === undefined && only === place.column);
    const others = relationships.filter(
      ({ from, pairs: [pair, more] }) => from === own && more === undefined && pair?.from.name === place.column,
    );
    return [...(isKey ? [own] : []), ...others.map(({ to }) => to)];
  });
}

/**
 * That a verb names another time than that of a metric: "delivered" where orders are put in time by `ordered_at`, or
 * "cancelled in March" where nothing says when.
 */
export function verbProblem({ draft, measures }: Choice, bound: BoundKnowledge): string | undefined {
  const happened = draft.conditions.find(({ isVerb }) => isVerb);
  const hasTime = draft.time !== undefined || draft.groups.some(({ kind }) => kind === 'grain');
  const guessed =
    hasTime && draft.verbs.length === 0 ? measures.find((measure) => isGuessed(measure, bound)) : undefined;
  if (guessed !== undefined)
    return `Nothing says that ${guessed.metric} goes by ${guessed.time?.name}; set default_time of ${guessed.dataset.dataset.name}.`;
  if (happened !== undefined && hasTime) return `Nothing says at what time "${happened.said}" came true.`;
  for (const { said, options } of draft.verbs) {
    const isTheirs = measures.every(
      ({ time }) => time !== undefined && options.some(({ field }) => field === time.field),
    );
    if (!isTheirs) return `"${said}" names another time than the one that the metric goes by.`;
  }
  return undefined;
}

/** A time that is only the one there is: "stores in 2023" are not those that opened then. */
function isGuessed({ metric, dataset, time }: Measure, { metrics }: BoundKnowledge): boolean {
  const definition = metrics.get(metric.toLowerCase())?.definition;
  const own = definition?.kind === 'aggregate' ? definition.time : undefined;
  return time !== undefined && (own ?? dataset.dataset.defaultTime) === undefined;
}

/** How many there are: a COUNT, or a sum of whole numbers without a unit, such as pieces. Amounts of money are none. */
function isCount({ call }: Measure, { unit }: Metric, { catalog, datasets }: BoundKnowledge): boolean {
  if (call.name === 'COUNT') return true;
  const isWhole = (part: Expression): boolean => {
    if (part.kind === 'literal') return part.type === 'number' && /^\d+$/u.test(part.value);
    if (part.kind === 'case') {
      const results = [...part.branches.map(({ result }) => result), ...(part.otherwise ? [part.otherwise] : [])];
      return results.every((result) => isWhole(result) || (result.kind === 'literal' && result.type === 'null'));
    }
    if (part.kind !== 'column' || part.bound === undefined) return false;
    const { relation } = datasets.get(part.bound.dataset.toLowerCase()) ?? {};
    const stored = relation && catalog.attributes[attributeId(relation, part.bound.column)]?.nativeType;
    return stored !== undefined && /int/iu.test(stored);
  };
  return unit === undefined && call.arguments.every(isWhole);
}
