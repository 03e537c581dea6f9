import type { AttributeId, RelationId } from '@askema/core';
import type { Expression } from '../../expression/expression.ts';
import { columnsIn, conjunctsOf, walkExpression } from '../../expression/walk-expression.ts';
import { aggregateOf, attributeOf, Unclear } from './computed-column.ts';
import type { CellRules, Value } from './made-up-cells.ts';
import { attributesIn, type MetricTerms, measuredColumns } from './metric-terms.ts';
import { isComputed, literalValue } from './row-value.ts';
import type { BlockRows, StatementReader } from './statement-reader.ts';
import { Trial } from './trial.ts';

/** Whether an expression of a statement computes a metric: `unclear` where it cannot be told. */
export type Verdict = 'same' | 'other' | 'unclear';

const SEEDS = [1, 2, 3, 4];
/** Blocks that the measures of one metric may be computed in, in all ways. */
const MAX_ASSIGNMENTS = 27;

/**
 * Computes an expression of a statement and a metric over the same made-up rows, those that the conditions of the
 * statement leave. Where both always give the same they are one, however each is written; as a percentage, too.
 */
export function compareMetric(expression: Expression, terms: MetricTerms, reader: StatementReader): Verdict {
  try {
    return compare(expression, terms, reader);
  } catch (thrown) {
    if (thrown instanceof Unclear) return 'unclear';
    throw thrown;
  }
}

function compare(expression: Expression, terms: MetricTerms, reader: StatementReader): Verdict {
  const used = aggregatesIn(expression, reader);
  const calls = used.flatMap((at) => reader.aggregates[at] ?? []);
  const blocks = [...new Set(calls.map(({ block }) => baseOf(block, reader)))];
  const rows = blocks.map((block) => reader.rowsOf(block));
  const ways = assignments(terms, blocks, reader);
  if (calls.length === 0 || ways.length === 0) return 'unclear';
  const written = calls.map(({ call }) => call);
  const rules = cellRules(terms, written, rows, reader);
  const trials = SEEDS.map((seed) => new Trial(reader, rules, seed));
  const given = trials.map((trial) => trial.ofStatement(expression));
  const isSame = (of: MetricTerms, also: readonly Expression[]): boolean =>
    ways.some((way) =>
      areSame(
        given,
        trials.map((trial) => trial.ofDefinition(of, way, also)),
        of,
      ),
    );
  if (given.every(isNothing) && ways.every((way) => trials.every((one) => isNothing(one.ofDefinition(terms, way, [])))))
    return 'unclear';
  const shared = sharedConditions(written);
  if (isSame(terms, []) || (shared.length > 0 && isSame(terms, shared))) return 'same';
  const defined = terms.measures.flatMap(({ call, filters }) => [call, ...filters]);
  if (![expression, ...written, ...defined].every(isComputed)) return 'unclear';
  const bare = { ...terms, measures: terms.measures.map((measure) => ({ ...measure, filters: [] })) };
  const isOnlyFilters = mayHoldUnread(terms, rows, reader) && isSame(bare, shared);
  return isOnlyFilters ? 'unclear' : 'other';
}

/** The aggregates of an expression, with those of the groups that they aggregate. */
export function aggregatesIn(expression: Expression, reader: StatementReader): readonly number[] {
  const found = new Set<number>();
  const add = (part: Expression): void => {
    for (const column of columnsIn(part)) {
      const at = aggregateOf(column);
      if (at === undefined || found.has(at)) continue;
      found.add(at);
      const call = reader.aggregates[at]?.call;
      if (call !== undefined) add(call);
    }
  };
  add(expression);
  return [...found];
}

function baseOf(block: number, reader: StatementReader): number {
  const { groupsOf } = reader.rowsOf(block);
  return groupsOf === undefined ? block : baseOf(groupsOf, reader);
}

/** In the rows of which block each measure may be computed: one that reads its relation. */
function assignments(
  { measures }: MetricTerms,
  blocks: readonly number[],
  reader: StatementReader,
): readonly number[][] {
  let ways: number[][] = [[]];
  for (const { home } of measures) {
    const fit = blocks.filter((block) => reader.rowsOf(block).relations.has(home));
    ways = ways.flatMap((way) => fit.map((block) => [...way, block])).slice(0, MAX_ASSIGNMENTS);
  }
  return ways;
}

function areSame(given: readonly Value[], defined: readonly Value[], { value, measures }: MetricTerms): boolean {
  const expressions = [value, ...measures.map(({ call }) => call)];
  const isRate = expressions.some((expression) => {
    let divides = false;
    walkExpression(expression, (part) => {
      if (part.kind === 'binary' && part.operator === '/') divides = true;
    });
    return divides;
  });
  return (isRate ? [1, 100, 0.01] : [1]).some((factor) =>
    given.every((one, at) => isNear(one, defined[at] ?? null, factor)),
  );
}

/** No rows are NULL to one and 0 to the other. */
function isNear(given: Value, defined: Value, factor: number): boolean {
  if (typeof given === 'string' || typeof defined === 'string') return given === defined;
  const [a, b] = [given ?? 0, (defined ?? 0) * factor];
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

function isNothing(value: Value): boolean {
  return value === null || value === 0;
}

/** What all aggregates demand of their rows inside of themselves, by FILTER or CASE: the question may ask for it. */
function sharedConditions(calls: readonly Expression[]): readonly Expression[] {
  const [first = [], ...others] = calls.map((call) => {
    if (call.kind !== 'call') return [];
    const [argument] = call.arguments;
    const isFilter = argument?.kind === 'case' && argument.operand === undefined && argument.branches.length === 1;
    const when = isFilter && argument.otherwise?.kind !== 'column' ? argument.branches[0]?.when : undefined;
    return [call.filter, when].flatMap((one) => (one === undefined ? [] : conjunctsOf(one)));
  });
  const keys = others.map((conditions) => new Set(conditions.map(keyOf)));
  return first.filter((condition) => keys.every((known) => known.has(keyOf(condition))));
}

function keyOf(expression: Expression): string {
  return JSON.stringify(expression, (name, value: unknown) => (name === 'span' ? undefined : value));
}

/** Whether a condition that is not read may say what the definition demands. */
function mayHoldUnread({ measures }: MetricTerms, rows: readonly BlockRows[], { query }: StatementReader): boolean {
  const texts = rows
    .flatMap(({ conditions, outer }) => [...conditions, ...outer.flatMap(({ on }) => on)])
    .flatMap((one) => (one.kind === 'unread' ? one.text.toLowerCase() : []));
  const whole = query.sql.toLowerCase();
  const names = [...attributesIn(measures.flatMap(({ filters }) => filters))].map(
    (id) => query.index.attribute(id)?.name.toLowerCase() ?? '',
  );
  return texts.some((text) => names.some((name) => (/\bselect\b/.test(text) ? whole : text).includes(name)));
}

function cellRules(
  terms: MetricTerms,
  calls: readonly Expression[],
  rows: readonly BlockRows[],
  { query }: StatementReader,
): CellRules {
  const conditions = rows.flatMap(({ conditions: all, outer }) => [...all, ...outer.flatMap(({ on }) => on)]);
  const pairs = conditions.flatMap((one) => (one.kind === 'pair' ? [one.sides] : []));
  const same = joined(pairs);
  const idOf = (id: AttributeId): AttributeId => same.get(id) ?? id;
  const expressions = [
    ...conditions.flatMap((one) => (one.kind === 'computed' ? one.expression : [])),
    ...terms.measures.flatMap(({ call, filters }) => [call, ...filters]),
    ...calls,
  ];
  const unique = new Set(terms.measures.flatMap((measure) => measure.unique.map(idOf)));
  const mayBeEmpty = (id: AttributeId): boolean => !unique.has(idOf(id)) && !same.has(id) && !query.index.isNotNull(id);
  const constants = new Map<AttributeId, Set<Value>>();
  const nullable = new Set<AttributeId>();
  for (const expression of expressions)
    walkExpression(expression, (part) => {
      const [operand, ...others] = comparedIn(part);
      const id = operand && attributeOf(operand);
      if (id !== undefined)
        for (const value of others.flatMap((one) => constantsOf(one, part)))
          constants.set(idOf(id), (constants.get(idOf(id)) ?? new Set()).add(value));
      const isTested = part.kind === 'test' && part.is === 'null';
      const counted = part.kind === 'call' && part.name === 'COUNT' && !part.isDistinct ? part.arguments[0] : undefined;
      const mayBe = isTested ? attributeOf(part.operand) : counted && attributeOf(counted);
      if (mayBe !== undefined && mayBeEmpty(mayBe)) nullable.add(mayBe);
    });
  return { typeOf: (id) => query.index.attribute(id)?.type, constants, unique, nullable, same };
}

/** What is compared, the column first. */
function comparedIn(part: Expression): readonly Expression[] {
  if (part.kind === 'in') return [part.operand, ...part.list];
  if (part.kind === 'between') return [part.operand, part.low, part.high];
  if (part.kind === 'case' && part.operand !== undefined)
    return [part.operand, ...part.branches.map(({ when }) => when)];
  if (part.kind !== 'binary' || !/^[<>=]/.test(part.operator)) return [];
  return attributeOf(part.left) === undefined ? [part.right, part.left] : [part.left, part.right];
}

/** The constant, and where order counts the values beside it. */
function constantsOf(expression: Expression, compared: Expression): readonly Value[] {
  if (expression.kind === 'cast') return constantsOf(expression.operand, compared);
  const isNegative = expression.kind === 'unary' && expression.operator === '-';
  const literal = isNegative ? expression.operand : expression;
  if (literal.kind !== 'literal') return [];
  const value = literalValue(literal);
  if (value === null || literal.type === 'boolean') return [];
  const isOrdered =
    compared.kind === 'between' || (compared.kind === 'binary' && /^([<>]|[<>]=)$/.test(compared.operator));
  if (typeof value === 'string') return isOrdered ? [value, value.slice(0, -1), `${value}~`] : [value];
  const number = isNegative ? -value : value;
  return isOrdered ? [number, number - 1, number + 1] : [number];
}

/** The column that stands for all that pairs make equal. */
function joined(pairs: readonly (readonly [AttributeId, AttributeId])[]): ReadonlyMap<AttributeId, AttributeId> {
  const same = new Map<AttributeId, AttributeId>();
  for (const [left, right] of pairs) {
    const [to, from] = [same.get(left) ?? left, same.get(right) ?? right];
    for (const [id, stands] of same) if (stands === from) same.set(id, to);
    same.set(left, to).set(right, to).set(from, to);
  }
  return same;
}

/** Whether an expression is made of the columns that a metric is made of, and so may be meant as it. */
export function resembles(expression: Expression, { measures }: MetricTerms, reader: StatementReader): boolean {
  const unique = new Set(measures.flatMap((measure) => measure.unique));
  const calls = aggregatesIn(expression, reader).flatMap((at) => reader.aggregates[at] ?? []);
  const own = new Set(calls.flatMap(({ call }) => [...measuredColumns(call, unique)]));
  const defined = new Set(measures.flatMap(({ call }) => [...measuredColumns(call, unique)]));
  if (own.size !== defined.size || [...own].some((id) => !defined.has(id))) return false;
  const homes = new Set<RelationId>(measures.map(({ home }) => home));
  return (
    calls.length > 0 &&
    (defined.size > 0 || calls.every(({ call }) => /^COUNT/.test(call.name))) &&
    calls.some(({ block }) => [...reader.rowsOf(baseOf(block, reader)).relations].some((id) => homes.has(id)))
  );
}
