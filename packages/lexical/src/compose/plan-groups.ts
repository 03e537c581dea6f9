import type { AttributeId } from '@askema/core';
import type { TimeUnit } from '../lexicon/time-units.ts';
import { displayAttributes } from '../link/display.ts';
import type { LinkedCatalog } from '../link/lattice.ts';
import type { Column, Expression, OrderItem, Predicate, TimePart } from '../write/query.ts';
import { reachableNodes } from './entity-tree.ts';
import {
  type AggregateMeasure,
  type Condition,
  type EntityNode,
  type GroupTarget,
  isAggregate,
  type Meaning,
  type Superlative,
} from './meaning.ts';
import { measureExpression } from './measures.ts';
import {
  type AttributesOutput,
  dedupe,
  findGrain,
  grainOfMeasures,
  type MeasureOutput,
  measureProblem,
  type Plan,
  sameColumn,
} from './plan.ts';
import { columnOf, createScope, queryOf, type Scope } from './scope.ts';

/** What a grouped statement is made of, before its columns are known. */
interface Groups {
  readonly targets: readonly GroupTarget[];
  readonly plain: readonly AttributesOutput[];
  readonly measures: readonly MeasureOutput[];
  readonly superlative: Superlative | undefined;
  readonly grain: EntityNode;
}

/** Which attribute should name the groups was not said. */
const UNNAMED_GROUP = 0.12;

/** One row for each value of an attribute, or for each entity, with aggregates over the rows that belong to it. */
export function planGroups(meaning: Meaning, linked: LinkedCatalog): Plan {
  const groups = findGroups(meaning, linked);
  if (typeof groups === 'string') return { problem: groups };
  const { targets, plain, measures, superlative, grain } = groups;
  const having = takeOwnCounts(targets, grain);
  const needed = new Set<EntityNode>([grain, ...targets.map(({ node }) => node), ...plain.map(({ node }) => node)]);
  for (const { measure } of measures) needed.add(measure.node);
  if (superlative !== undefined) needed.add(superlative.measure.node);
  for (const { measure } of meaning.orders) if (typeof measure === 'object') needed.add(measure.node);
  for (const condition of having) needed.add(condition.measure.node);
  const scope = createScope(grain, needed, linked);
  const keys = targets.flatMap((target) => keyColumns(target, scope, linked));
  const listed = plain.flatMap(({ node, attributes }) =>
    attributes.map((attribute) => columnOf(scope, node, attribute)),
  );
  const shown = listed.length > 0 ? listed : targets.flatMap((target) => displayColumns(target, scope, linked));
  if (shown.length === 0) return { problem: 'no attribute that names the groups' };
  const figures = measures.map(({ measure }) => measureExpression(scope, measure, grain));
  const again = countedAgain(meaning, superlative, having, scope, grain);
  if (again === undefined) return { problem: 'a count of something that was not named' };
  if (superlative !== undefined) scope.where.push(...presentValues(targets, scope, linked));
  const order = groupOrder(meaning, superlative, { scope, grain, figures, shown });
  if (typeof order === 'string') return { problem: order };
  const limit = superlative?.limit ?? meaning.limit;
  if (limit !== undefined && order.length === 0) return { problem: `which ${limit} groups are meant` };
  const times = shown.filter((key) => key.kind === 'time-part');
  if (order.length === 0) order.push(...times.map((expression) => ({ expression, direction: 'ascending' }) as const));
  scope.where.push(...presentTimes(targets, scope, linked));
  const groupBy = uniqueColumns([
    ...keys,
    ...shown,
    ...order.flatMap(({ expression }) => (expression.kind === 'column' ? [expression] : [])),
  ]);
  if (scope.problems[0] !== undefined) return { problem: scope.problems[0] };
  const unnamed = listed.length === 0 && targets.some(({ attribute }) => attribute === undefined);
  return {
    cost: unnamed ? UNNAMED_GROUP : 0,
    notes: scope.joins.length > 0 ? ['groups without any row are left out'] : [],
    query: queryOf(scope, dedupe([...shown, ...figures, ...again]), {
      groupBy,
      having: having.map((condition) => havingPredicate(condition, scope, grain)),
      orderBy: order,
      ...(limit === undefined ? {} : { limit }),
    }),
  };
}

/** What has no time belongs to no month. */
function presentTimes(targets: readonly GroupTarget[], scope: Scope, linked: LinkedCatalog): Predicate[] {
  return presentValues(
    targets.filter(({ unit }) => unit !== undefined),
    scope,
    linked,
  );
}

/** The most frequent value is none that is missing. */
function presentValues(targets: readonly GroupTarget[], scope: Scope, linked: LinkedCatalog): Predicate[] {
  return targets.flatMap(({ node, attribute }) => {
    if (attribute === undefined || linked.index.isNotNull(attribute) || linked.index.isUnique(attribute)) return [];
    return [{ kind: 'null', column: columnOf(scope, node, attribute), negated: true }];
  });
}

function findGroups(meaning: Meaning, linked: LinkedCatalog): Groups | string {
  const plain = meaning.outputs.filter((output) => output.kind === 'attributes');
  const measures = meaning.outputs.filter((output) => output.kind === 'measure');
  if (meaning.outputs.some((output) => output.kind === 'everything')) return 'all columns of a group';
  if (meaning.superlatives.length > 1) return 'two extremes at once';
  const counts =
    plain.some(({ node }) => node.conditions.some(({ kind }) => kind === 'aggregate')) || meaning.orders.length > 0;
  if (measures.length === 0 && meaning.superlatives.length === 0 && !counts) return 'groups without a figure';
  const [superlative] = meaning.superlatives;
  const measured = [
    ...measures.map(({ measure }) => measure),
    ...(superlative !== undefined && isAggregate(superlative.measure) ? [superlative.measure] : []),
  ];
  const problem = measured.map((measure) => measureProblem(measure, linked)).find((found) => found !== undefined);
  if (problem !== undefined) return problem;
  if (superlative !== undefined && !isAggregate(superlative.measure)) return 'the extreme of a single row among groups';
  const targets = groupTargets(meaning, plain, superlative);
  if (targets.length === 0) return 'what to group by';
  if (meaning.groups.length > 0 && plain.some((output) => !belongsToGroup(output, targets, linked)))
    return 'what is listed beside the groups';
  const others = [
    ...targets.map(({ node }) => node),
    ...plain.map(({ node }) => node),
    ...(superlative === undefined ? [] : [superlative.measure.node]),
    ...meaning.orders.flatMap(({ measure }) => (typeof measure === 'object' ? [measure.node] : [])),
  ];
  const aggregated = measured.map((measure) => measure.node);
  const grain =
    measures.length > 0 ? grainOfMeasures(measures, others, meaning.root) : findGrain(others, meaning.root, aggregated);
  if (grain === undefined) return 'groups and figures that belong to rows of different kinds';
  return { targets, plain, measures, superlative, grain };
}

/** True for what has one value in each group: the attribute that is grouped by, or something of the entity. */
function belongsToGroup(
  { node, attributes }: AttributesOutput,
  targets: readonly GroupTarget[],
  linked: LinkedCatalog,
): boolean {
  return targets.some((target) =>
    target.attribute === undefined || linked.index.isUnique(target.attribute)
      ? reachableNodes(target.node).has(node)
      : target.node === node && attributes.every((attribute) => attribute === target.attribute),
  );
}

/** What the question groups by: what it says, whose extreme it wants, or what it lists beside a figure. */
function groupTargets(
  meaning: Meaning,
  plain: readonly AttributesOutput[],
  superlative: Superlative | undefined,
): readonly GroupTarget[] {
  if (meaning.groups.length > 0) return meaning.groups;
  if (superlative !== undefined) return [superlative.of];
  return plain.map(
    ({ node, attributes, entity }): GroupTarget =>
      entity || attributes.length > 1 ? { node } : { node, attribute: attributes[0] },
  );
}

/** Conditions on counts of the very rows that are grouped become HAVING; they are taken off their nodes. */
function takeOwnCounts(
  targets: readonly GroupTarget[],
  grain: EntityNode,
): Extract<Condition, { kind: 'aggregate' }>[] {
  const taken: Extract<Condition, { kind: 'aggregate' }>[] = [];
  for (const { node, attribute } of targets) {
    if (attribute === undefined && node !== grain) continue;
    for (const condition of [...node.conditions]) {
      if (condition.kind !== 'aggregate') continue;
      taken.push(condition);
      node.conditions.splice(node.conditions.indexOf(condition), 1);
    }
  }
  return taken;
}

function havingPredicate(
  condition: Extract<Condition, { kind: 'aggregate' }>,
  scope: Scope,
  grain: EntityNode,
): Predicate {
  return {
    kind: 'compare',
    left: measureExpression(scope, condition.measure, grain),
    comparison: condition.comparison,
    right: { kind: 'number', value: condition.value },
  };
}

type GroupKey = Column | TimePart;

/** A month is one of a year. */
function groupKeys(column: Column, unit: TimeUnit | undefined): GroupKey[] {
  if (unit === undefined) return [column];
  const units: readonly TimeUnit[] = unit === 'year' ? ['year'] : ['year', unit];
  return units.map((part) => ({ kind: 'time-part', unit: part, argument: column }));
}

/** An attribute by itself; an entity by its key, so that two of the same name stay apart. */
function keyColumns({ node, attribute, unit }: GroupTarget, scope: Scope, linked: LinkedCatalog): GroupKey[] {
  if (attribute !== undefined) return groupKeys(columnOf(scope, node, attribute), unit);
  const key = linked.index.primaryKey(node.relation)?.attributes ?? [];
  return key.map((id: AttributeId) => columnOf(scope, node, id));
}

function displayColumns({ node, attribute, unit }: GroupTarget, scope: Scope, linked: LinkedCatalog): GroupKey[] {
  if (attribute !== undefined) return groupKeys(columnOf(scope, node, attribute), unit);
  return (displayAttributes(node.relation, linked.catalog, linked.index) ?? []).map((id) => columnOf(scope, node, id));
}

/** "and how many": what the superlative counts; undefined when nothing was counted. */
function countedAgain(
  meaning: Meaning,
  superlative: Superlative | undefined,
  having: readonly Extract<Condition, { kind: 'aggregate' }>[],
  scope: Scope,
  grain: EntityNode,
): Expression[] | undefined {
  if (!meaning.outputs.some((output) => output.kind === 'again')) return [];
  const measure: AggregateMeasure | undefined =
    superlative !== undefined && isAggregate(superlative.measure)
      ? superlative.measure
      : (having[0]?.measure ?? orderedMeasure(meaning));
  return measure === undefined ? undefined : [measureExpression(scope, measure, grain)];
}

function orderedMeasure(meaning: Meaning): AggregateMeasure | undefined {
  for (const { measure } of meaning.orders) if (typeof measure === 'object' && isAggregate(measure)) return measure;
  return undefined;
}

interface Grouped {
  readonly scope: Scope;
  readonly grain: EntityNode;
  readonly figures: readonly Expression[];
  readonly shown: readonly GroupKey[];
}

function groupOrder(meaning: Meaning, superlative: Superlative | undefined, grouped: Grouped): OrderItem[] | string {
  const items: OrderItem[] = [];
  if (superlative !== undefined && isAggregate(superlative.measure)) {
    const expression = measureExpression(grouped.scope, superlative.measure, grouped.grain);
    items.push({ expression, direction: superlative.end === 'high' ? 'descending' : 'ascending' });
  }
  for (const { measure, direction } of meaning.orders) {
    const expression = orderExpression(measure, grouped);
    if (expression === undefined) return 'an order of groups that is not clear';
    items.push({ expression, direction });
  }
  return items;
}

function orderExpression(
  measure: Meaning['orders'][number]['measure'],
  { scope, grain, figures, shown }: Grouped,
): Expression | undefined {
  if (measure === 'count' || measure === 'first output') return figures.length === 1 ? figures[0] : undefined;
  if (isAggregate(measure)) return measureExpression(scope, measure, grain);
  const column = columnOf(scope, measure.node, measure.attribute);
  if (shown.some((item) => sameColumn(item, column))) return column;
  return undefined;
}

function uniqueColumns(columns: readonly GroupKey[]): GroupKey[] {
  return columns.filter((column, place) => columns.findIndex((other) => sameColumn(column, other)) === place);
}
