import type { Catalog, SchemaIndex } from '@askema/core';
import { tellingParts } from '../link/telling-parts.ts';
import type { Column, Expression, Join, Literal, Predicate, Query, Source } from './query.ts';

export interface DescribeOptions {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
}

interface Describer extends DescribeOptions {
  /** All sources of the SELECT: a relation that is there twice gets a number. */
  readonly sources: readonly Source[];
  /** Sources of the statement around; columns of them belong to "the same row". */
  readonly outer: ReadonlySet<Source>;
  readonly qualified: boolean;
}

/**
 * How a question was read, from the statement itself: "count of rows in singer where Country = 'France'". It says what
 * the statement does, so that a reader without SQL can tell whether the question was understood.
 */
export function describeQuery(query: Query, options: DescribeOptions): string {
  return describe(query, {
    ...options,
    outer: new Set(),
    sources: sourcesOf(query),
    qualified: query.joins.length > 0,
  });
}

function describe(query: Query, describer: Describer): string {
  const asked =
    query.everythingOf === undefined ? query.select.map((item) => expression(item, describer)) : ['all columns'];
  const parts = [`${query.distinct ? 'different ' : ''}${asked.join(', ')} in ${relations(query, describer)}`];
  const conditions = query.where.map((item) => predicate(item, describer)).filter((text) => text !== '');
  if (conditions.length > 0) parts.push(`where ${conditions.join(' and ')}`);
  if (query.groupBy.length > 0) parts.push(`for each ${groups(query, describer)}`);
  if (query.having.length > 0)
    parts.push(`having ${query.having.map((item) => predicate(item, describer)).join(' and ')}`);
  if (query.orderBy.length > 0) {
    const keys = query.orderBy.map(
      ({ expression: key, direction }) =>
        `${expression(key, describer)} (${direction === 'descending' ? 'greatest first' : 'smallest first'})`,
    );
    parts.push(`sorted by ${keys.join(', then ')}`);
  }
  if (query.limit !== undefined)
    parts.push(query.limit === 1 ? 'only the first row' : `only the first ${query.limit} rows`);
  return parts.join(', ').replace(/, (where|for each|having) /gu, ' $1 ');
}

/** Keys that only keep groups of the same name apart are left out. */
function groups(query: Query, describer: Describer): string {
  const shown = query.groupBy.filter((column) => query.select.some((item) => same(item, column)));
  return (shown.length > 0 ? shown : query.groupBy).map((column) => expression(column, describer)).join(', ');
}

function same(a: Expression, b: Expression): boolean {
  if (a.kind === 'time-part' && b.kind === 'time-part') return a.unit === b.unit && same(a.argument, b.argument);
  return a.kind === 'column' && b.kind === 'column' && a.source === b.source && a.attribute === b.attribute;
}

function relations(query: Query, describer: Describer): string {
  const [first = '', ...others] = sourcesOf(query).map((source) => sourceName(source, describer));
  const joined = others.map((name, place) => name + parallelKey(query.joins[place], describer));
  return joined.length === 0 ? first : `${first} with its ${[...new Set(joined)].join(' and ')}`;
}

/** Which key a join goes along, where two relations have several. */
function parallelKey(join: Join | undefined, { index }: DescribeOptions): string {
  const pair = join?.on[0];
  if (join === undefined || pair === undefined) return '';
  const here = pair.left.source.relation;
  const there = join.source.relation;
  const keys = [
    ...index.foreignKeysFrom(here).filter(({ target }) => target === there),
    ...index.foreignKeysFrom(there).filter(({ target }) => target === here),
  ];
  if (keys.length < 2) return '';
  const key = keys.find(({ pairs }) =>
    pairs.some(({ from }) => from === pair.left.attribute || from === pair.right.attribute),
  );
  return ` (by ${key?.pairs.map(({ from }) => index.attribute(from)?.name ?? '').join(', ') ?? ''})`;
}

function sourcesOf(query: Query): readonly Source[] {
  return [query.from, ...query.joins.map((join) => join.source)];
}

function sourceName(source: Source, describer: Describer): string {
  const same = describer.sources.filter(({ relation }) => relation === source.relation);
  const place = same.indexOf(source);
  return relationName(source, describer) + (place > 0 ? ` ${place + 1}` : '');
}

function relationName({ relation }: Source, { catalog, index }: DescribeOptions): string {
  return [...(tellingParts(catalog).get(relation) ?? []), index.relation(relation)?.name ?? ''].join('.');
}

function expression(item: Expression, describer: Describer): string {
  switch (item.kind) {
    case 'column': {
      const name = describer.index.attribute(item.attribute)?.name ?? '';
      return describer.qualified ? `${sourceName(item.source, describer)}.${name}` : name;
    }
    case 'time-part':
      return `${item.unit} of ${expression(item.argument, describer)}`;
    case 'share':
      return `percentage of rows with ${item.predicates.map((one) => predicate(one, describer)).join(' and ')}`;
    case 'number':
    case 'bool':
    case 'text':
      return literal(item);
    case 'count':
      if (item.argument === undefined) return 'count of rows';
      return `count of ${item.distinct ? 'different ' : ''}${expression(item.argument, describer)}`;
    case 'aggregate':
      return `${AGGREGATE_NAMES[item.function]} ${expression(item.argument, describer)}`;
    case 'product':
      return item.factors.map((factor) => expression(factor, describer)).join(' times ');
    case 'numeric':
      return `${expression(item.argument, describer)} as a number`;
    case 'scalar':
      return `the ${describe(item.query, inside(item.query, describer))}`;
  }
}

const AGGREGATE_NAMES = { avg: 'average', sum: 'sum of', min: 'smallest', max: 'greatest' } as const;

function literal(value: Literal): string {
  return value.kind === 'text' ? `'${value.value}'` : String(value.value);
}

function inside(query: Query, describer: Describer): Describer {
  const own = sourcesOf(query);
  return {
    ...describer,
    outer: new Set([...describer.outer, ...own]),
    sources: own,
    qualified: query.joins.length > 0,
  };
}

function predicate(item: Predicate, describer: Describer): string {
  switch (item.kind) {
    case 'compare': {
      if (item.left.kind === 'column' && item.right.kind === 'column') return tie(item.left, item.right, describer);
      return `${expression(item.left, describer)} ${item.comparison} ${expression(item.right, describer)}`;
    }
    case 'in': {
      const column = expression(item.column, describer);
      const values = item.values.map(literal);
      if (values.length === 1) return `${column} ${item.negated ? '<>' : '='} ${values[0]}`;
      return `${column} is ${item.negated ? 'none' : 'one'} of ${values.join(', ')}`;
    }
    case 'like': {
      const open = item.pattern.startsWith('%');
      const end = item.pattern.endsWith('%');
      const text = `'${item.pattern.replaceAll('%', '')}'`;
      const how = open && end ? 'contains' : open ? 'ends with' : 'starts with';
      return `${expression(item.column, describer)} ${item.negated ? 'not ' : ''}${how} ${text}`;
    }
    case 'null':
      return `${expression(item.column, describer)} is ${item.negated ? 'not ' : ''}empty`;
    case 'exists': {
      const inner = inside(item.query, describer);
      const conditions = item.query.where.map((condition) => predicate(condition, inner)).filter((text) => text !== '');
      const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
      return `there is ${item.negated ? 'no' : 'a'} row for it in ${relations(item.query, inner)}${where}`;
    }
    case 'or':
      return `(${item.options.map((option) => option.map((condition) => predicate(condition, describer)).join(' and ')).join(' or ')})`;
  }
}

/** An equality of two columns that only ties an inner row to the outer one says nothing to a reader. */
function tie(left: Column, right: Column, describer: Describer): string {
  return describer.outer.has(left.source) ? '' : `${expression(left, describer)} = ${expression(right, describer)}`;
}
