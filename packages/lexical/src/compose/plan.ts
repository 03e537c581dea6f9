import type { LinkedCatalog } from '../link/lattice.ts';
import type { Column, Expression, OrderItem, Predicate, Query } from '../write/query.ts';
import { attributeClass, isMeasure, isYear, looksLikeKey } from './attribute-class.ts';
import { reachableNodes } from './entity-tree.ts';
import {
  type AggregateMeasure,
  type EntityNode,
  isAggregate,
  type Meaning,
  type MeaningOutput,
  type Superlative,
} from './meaning.ts';
import { measureExpression } from './measures.ts';
import { planGroups } from './plan-groups.ts';
import { columnOf, createScope, queryOf, type Scope } from './scope.ts';

/** A statement for a meaning, or why there is none. */
export type Plan =
  | {
      readonly query: Query;
      readonly problem?: undefined;
      /** What the choice of this statement costs, beyond that of its words. */
      readonly cost: number;
      readonly notes: readonly string[];
    }
  | { readonly query?: undefined; readonly problem: string };

export type MeasureOutput = Extract<MeaningOutput, { kind: 'measure' }>;
export type AttributesOutput = Extract<MeaningOutput, { kind: 'attributes' }>;

/** Chooses between a list of rows, one row of aggregates, and groups. */
export function planMeaning(meaning: Meaning, linked: LinkedCatalog): Plan {
  const measures = meaning.outputs.filter((output) => output.kind === 'measure');
  const again = meaning.outputs.some((output) => output.kind === 'again');
  const plain = meaning.outputs.length - measures.length > 0;
  const grouped =
    meaning.groups.length > 0 ||
    again ||
    (plain && measures.length > 0) ||
    meaning.superlatives.some(({ measure }) => isAggregate(measure)) ||
    meaning.orders.some(({ measure }) => typeof measure === 'object' && isAggregate(measure)) ||
    groupsByCondition(meaning);
  if (grouped) return planGroups(meaning, linked);
  return measures.length > 0 ? planAggregates(meaning, measures, linked) : planRows(meaning, linked);
}

/** A condition on an aggregate is said of an attribute: "cities with more than two shops". */
function groupsByCondition(meaning: Meaning): boolean {
  return meaning.outputs.some((output) => output.kind === 'attributes' && !output.entity && hasOwnCount(output));
}

/**
 * Counts of entities stand on links; a count among the conditions of what is listed is one over all rows that share a
 * value.
 */
function hasOwnCount({ attributes, node }: AttributesOutput): boolean {
  return (
    attributes.length === 1 &&
    node.conditions.some((condition) => condition.kind === 'aggregate' && condition.measure.function === 'count')
  );
}

/** One row of the answer for each row of the finest entity that is listed. */
function planRows(meaning: Meaning, linked: LinkedCatalog): Plan {
  const ordered = meaning.superlatives.filter(({ limit }) => limit !== undefined);
  if (ordered.length > 1) return { problem: 'two extremes at once' };
  for (const superlative of meaning.superlatives) {
    if (superlative.limit !== undefined || isAggregate(superlative.measure)) continue;
    superlative.measure.node.conditions.push({
      kind: 'extreme',
      attribute: superlative.measure.attribute,
      end: superlative.end,
    });
  }
  const needed = new Set(meaning.outputs.flatMap((output) => ('node' in output ? [output.node] : [])));
  for (const { measure, of } of ordered) {
    if (!isAggregate(measure)) needed.add(measure.node);
    needed.add(of.node);
  }
  for (const { measure } of meaning.orders) if (typeof measure === 'object') needed.add(measure.node);
  const grain = findGrain([...needed], meaning.root);
  if (grain === undefined) return { problem: 'the parts that are asked for belong to rows of different kinds' };
  const scope = createScope(grain, needed, linked);
  const select = meaning.outputs.flatMap((output): Expression[] =>
    output.kind === 'attributes' ? output.attributes.map((attribute) => columnOf(scope, output.node, attribute)) : [],
  );
  const everything = meaning.outputs.find((output) => output.kind === 'everything');
  if (everything !== undefined && meaning.outputs.length > 1) return { problem: 'all columns and single ones at once' };
  const order = rowOrder(meaning, scope, ordered[0], linked);
  if (typeof order === 'string') return { problem: order };
  const limit = ordered[0]?.limit ?? meaning.limit;
  if (limit !== undefined && order.items.length === 0) return { problem: `which ${limit} rows are meant` };
  const distinct = meaning.outputs.some((output) => output.kind === 'attributes' && output.distinct);
  if (distinct && order.items.some(({ expression }) => !select.some((item) => sameColumn(item, expression))))
    return { problem: 'an order by something that is not listed' };
  scope.where.push(...order.present);
  if (scope.problems[0] !== undefined) return { problem: scope.problems[0] };
  return {
    cost: 0,
    notes: [],
    query: queryOf(scope, dedupe(select), {
      distinct,
      orderBy: order.items,
      ...(limit === undefined ? {} : { limit }),
      ...(everything === undefined ? {} : { everythingOf: sourceOfNode(scope, everything.node) }),
    }),
  };
}

function sourceOfNode(scope: Scope, node: EntityNode): Scope['from'] {
  return scope.sources.get(node) ?? scope.from;
}

export function dedupe(select: readonly Expression[]): Expression[] {
  return select.filter((item, place) => select.findIndex((other) => sameColumn(item, other)) === place);
}

export function sameColumn(a: Expression, b: Expression): boolean {
  return (
    a === b ||
    (a.kind === 'column' && b.kind === 'column' && a.source === b.source && a.attribute === b.attribute) ||
    (a.kind === 'time-part' && b.kind === 'time-part' && a.unit === b.unit && sameColumn(a.argument, b.argument))
  );
}

/** The first node from which all wanted ones follow; wanted nodes first, then any other one. */
export function findGrain(
  wanted: readonly EntityNode[],
  root: EntityNode,
  preferred: readonly EntityNode[] = [],
): EntityNode | undefined {
  return [...preferred, ...wanted, ...allNodes(root)].find((candidate) => {
    const reached = reachableNodes(candidate);
    return wanted.every((node) => reached.has(node));
  });
}

/** Nodes that may be joined: all but those below a count or a negation. */
function allNodes(root: EntityNode): EntityNode[] {
  return [
    root,
    ...root.links.filter((link) => link.quantifier.kind === 'some').flatMap((link) => allNodes(link.child)),
  ];
}

interface RowOrder {
  readonly items: readonly OrderItem[];
  /** Extremes leave out rows without a value: where NULLs sort differs from engine to engine. */
  readonly present: readonly Predicate[];
}

function rowOrder(
  meaning: Meaning,
  scope: Scope,
  superlative: Superlative | undefined,
  linked: LinkedCatalog,
): RowOrder | string {
  const items: OrderItem[] = [];
  const present: Predicate[] = [];
  if (superlative !== undefined && !isAggregate(superlative.measure)) {
    const { node, attribute } = superlative.measure;
    if (!sortable(attribute, linked))
      return `the extreme of ${linked.index.attribute(attribute)?.name}, which holds text`;
    const column = columnOf(scope, node, attribute);
    items.push({ expression: column, direction: superlative.end === 'high' ? 'descending' : 'ascending' });
    if (!linked.index.isNotNull(attribute)) present.push({ kind: 'null', column, negated: true });
  }
  for (const { measure, direction } of meaning.orders) {
    const column = orderColumn(meaning, scope, measure);
    if (column === undefined) return 'an order that is not clear';
    items.push({ expression: column, direction });
  }
  return { items, present };
}

function orderColumn(
  meaning: Meaning,
  scope: Scope,
  measure: Meaning['orders'][number]['measure'],
): Column | undefined {
  if (measure === 'first output' || measure === 'count') {
    const first = meaning.outputs[0];
    const attribute = first?.kind === 'attributes' && meaning.outputs.length === 1 ? first.attributes[0] : undefined;
    return first?.kind === 'attributes' && attribute !== undefined ? columnOf(scope, first.node, attribute) : undefined;
  }
  return isAggregate(measure) ? undefined : columnOf(scope, measure.node, measure.attribute);
}

/** Text sorts by letters, so that 9 is more than 10: only measures by their name, and years, are let through. */
function sortable(attribute: string, linked: LinkedCatalog): boolean {
  const kind = attributeClass(attribute, linked);
  return (
    kind === 'number' ||
    kind === 'time' ||
    kind === 'any' ||
    (kind === 'text' && (isYear(attribute, linked) || isMeasure(attribute, linked)))
  );
}

/** One row of counts and aggregates. */
function planAggregates(meaning: Meaning, measures: readonly MeasureOutput[], linked: LinkedCatalog): Plan {
  if (meaning.orders.length > 0 || meaning.limit !== undefined) return { problem: 'an order of a single row' };
  for (const superlative of meaning.superlatives) {
    if (isAggregate(superlative.measure) || (superlative.limit !== undefined && superlative.limit > 1))
      return { problem: 'an aggregate over the first rows of an order' };
    superlative.measure.node.conditions.push({
      kind: 'extreme',
      attribute: superlative.measure.attribute,
      end: superlative.end,
    });
  }
  const problem = measures.map(({ measure }) => measureProblem(measure, linked)).find((found) => found !== undefined);
  if (problem !== undefined) return { problem };
  const grain = grainOfMeasures(measures, [], meaning.root);
  if (grain === undefined) return { problem: 'aggregates over rows of different kinds' };
  const scope = createScope(grain, new Set([grain, ...measures.map(({ measure }) => measure.node)]), linked);
  const select = measures.map(({ measure }) => measureExpression(scope, measure, grain));
  if (scope.problems[0] !== undefined) return { problem: scope.problems[0] };
  return { cost: 0, notes: [], query: queryOf(scope, select) };
}

/** Adding up text is a guess; so is an average of keys. */
export function measureProblem(measure: AggregateMeasure, linked: LinkedCatalog): string | undefined {
  if (measure.function === 'count' || measure.function === 'share') return undefined;
  for (const attribute of measure.attributes) {
    const name = linked.index.attribute(attribute)?.name ?? '';
    const kind = attributeClass(attribute, linked);
    const additive = measure.function === 'sum' || measure.function === 'avg';
    const relation = linked.index.attribute(attribute)?.relation ?? '';
    if (linked.index.foreignKeysFrom(relation).some((key) => key.pairs.some(({ from }) => from === attribute)))
      return `the ${measure.function} of the key ${name}`;
    const isKey = linked.index.primaryKey(relation)?.attributes.includes(attribute) ?? false;
    if (additive && isKey) return `the ${measure.function} of the key ${name}`;
    if (additive && (kind === 'time' || kind === 'bool')) return `the ${measure.function} of ${name}`;
    if (additive && /ed$/iu.test(name) && !isMeasure(attribute, linked))
      return `the ${measure.function} of ${name}, which sounds like yes or no`;
    if (looksLikeKey(name)) return `the ${measure.function} of ${name}, which looks like a key`;
    if (kind === 'text' && !isMeasure(attribute, linked) && !isYear(attribute, linked))
      return `the ${measure.function} of ${name}, which holds text`;
  }
  return undefined;
}

/**
 * The rows that are aggregated: those of what is measured, or of the entity that the question counts it for, where that
 * is finer ("the credits of all classes": one for each class).
 */
export function grainOfMeasures(
  measures: readonly MeasureOutput[],
  others: readonly EntityNode[],
  root: EntityNode,
): EntityNode | undefined {
  const nodes = measures.map(({ measure }) => measure.node);
  const owners = measures.flatMap(({ owner, measure }) =>
    owner === undefined || measure.function === 'count' ? [] : [owner],
  );
  return findGrain([...nodes, ...owners, ...others], root) ?? findGrain([...nodes, ...others], root);
}
