import type { FilterOperator, FilterShape, OperandShape, QueryBlock } from '@askema/sql';
import { conjuncts, textOf } from '../../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { isNumberText } from './column-comparisons.ts';
import { dateText } from './date-format.ts';

/** More conditions than this in one clause are not compared with each other. */
const MAX_CONDITIONS = 60;

interface Claim {
  /** What is tested: the same for the same column of the same relation. */
  readonly key: string;
  readonly filter: FilterShape;
  readonly allowed: AllowedValues;
}

/** Conditions on one column that no row fulfils together, and ranges that are empty. */
export const contradiction: InspectionRule = {
  code: 'contradiction',
  severity: 'error',
  title: 'Conditions that no row can fulfil at once',
  *check(query) {
    for (const block of query.blocks) {
      for (const filter of block.block.filters) {
        const finding = emptyRange(query, filter);
        if (finding !== undefined) yield finding;
      }
      for (const filters of clausesOf(block.block)) yield* excluding(query, claimsOf(query, block, filters));
    }
  },
};

function clausesOf(block: QueryBlock): readonly (readonly FilterShape[])[] {
  const joins = block.joins.map((_, join) => conjuncts(block, { join }));
  return [conjuncts(block, 'where'), conjuncts(block, 'having'), conjuncts(block, 'qualify'), ...joins];
}

function emptyRange(query: ResolvedQuery, filter: FilterShape): RuleFinding | undefined {
  if (filter.operator !== 'between' || filter.negated) return undefined;
  const allowed = allowedValues(filter, 'between');
  const [low, high] = filter.right;
  if (allowed === undefined || low === undefined || high === undefined || !isEmpty(allowed)) return undefined;
  // BETWEEN SYMMETRIC takes its ends in any order.
  if (/symmetric/i.test(query.sql.slice(filter.left.span.end, low.span.start))) return undefined;
  const [first, second] = [textOf(query, low.span), textOf(query, high.span)];
  return {
    message: `BETWEEN ${first} AND ${second} is an empty range: the lower end comes first.`,
    advice: `Write BETWEEN ${second} AND ${first}.`,
    span: filter.span,
    fix: {
      description: `Write BETWEEN ${second} AND ${first}`,
      edits: [
        { span: low.span, text: second },
        { span: high.span, text: first },
      ],
    },
  };
}

function* excluding(query: ResolvedQuery, claims: readonly Claim[]): Generator<RuleFinding, void, undefined> {
  if (claims.length > MAX_CONDITIONS) return;
  const reported = new Set<string>();
  for (const [index, claim] of claims.entries())
    for (const earlier of claims.slice(0, index)) {
      if (earlier.key !== claim.key || reported.has(claim.key) || !excludeEachOther(earlier.allowed, claim.allowed))
        continue;
      reported.add(claim.key);
      const [first, second] = [textOf(query, earlier.filter.span), textOf(query, claim.filter.span)];
      yield {
        message: `No row fulfils both ${first} and ${second}.`,
        advice:
          'If either is enough, use OR or IN; if several rows have to have these values, use INTERSECT, EXISTS for each, or GROUP BY with HAVING.',
        span: claim.filter.span,
      };
    }
}

function claimsOf(query: ResolvedQuery, block: ResolvedBlock, filters: readonly FilterShape[]): readonly Claim[] {
  const claims: Claim[] = [];
  for (const filter of filters) {
    const key = keyOf(query, block, filter.left);
    const allowed = key === undefined ? undefined : allowedValues(filter, filter.operator);
    if (key !== undefined && allowed !== undefined) claims.push({ key, filter, allowed });
  }
  return claims;
}

/** Columns by what they mean, calls of aggregates by their text; nothing else is sure to be the same twice. */
function keyOf(query: ResolvedQuery, block: ResolvedBlock, operand: OperandShape): string | undefined {
  if (operand.kind === 'call') {
    const call = block.block.calls[operand.calls[0] ?? -1];
    return call?.kind === 'aggregate' ? textOf(query, operand.span).replaceAll(/\s+/g, '').toLowerCase() : undefined;
  }
  const [index] = operand.columns;
  if (operand.kind !== 'column' || index === undefined || block.block.columns[index]?.path !== undefined)
    return undefined;
  const column = block.columns[index];
  if (column?.kind === 'attribute') return `${column.relation.block}/${column.relation.relation}/${column.attribute}`;
  if (column?.kind !== 'output' || column.output.name === undefined) return undefined;
  return `${column.relation.block}/${column.relation.relation}/ ${column.output.name}`;
}

/**
 * A value that can be told apart from others of its kind: strings only by being the same, but for case and outer
 * blanks.
 */
interface KnownValue {
  readonly kind: 'number' | 'date' | 'text';
  readonly value: number | string;
}

interface Bound {
  readonly at: KnownValue;
  readonly isOpen: boolean;
}

/** The values that a filter lets through; `values` undefined: any between the bounds. */
interface AllowedValues {
  readonly values: readonly KnownValue[] | undefined;
  readonly lower: Bound | undefined;
  readonly upper: Bound | undefined;
  readonly excluded: readonly KnownValue[];
  readonly isNull: boolean;
}

const ANY: AllowedValues = { values: undefined, lower: undefined, upper: undefined, excluded: [], isNull: false };

/** What a filter says of its tested side by literals alone; undefined where it says something else. */
function allowedValues(
  { negated, right }: FilterShape,
  operator: FilterOperator,
  others: readonly OperandShape[] = right,
): AllowedValues | undefined {
  if (operator === 'is null') return negated ? undefined : { ...ANY, isNull: true };
  const known = others.map(knownValue);
  const values = known.filter((value) => value !== undefined);
  const [first, second] = values;
  if (values.length !== known.length || first === undefined) return undefined;
  switch (operator) {
    case '=':
      return { ...ANY, values: [first] };
    case 'in':
      return negated ? { ...ANY, excluded: values } : { ...ANY, values };
    case '<>':
      return { ...ANY, excluded: [first] };
    case '<':
    case '<=':
      return { ...ANY, upper: { at: first, isOpen: operator === '<' } };
    case '>':
    case '>=':
      return { ...ANY, lower: { at: first, isOpen: operator === '>' } };
    case 'between':
      if (negated || second === undefined) return undefined;
      return { ...ANY, lower: { at: first, isOpen: false }, upper: { at: second, isOpen: false } };
    default:
      return undefined;
  }
}

function knownValue({ literal }: OperandShape): KnownValue | undefined {
  if (literal?.type === 'number' || (literal?.type === 'string' && isNumberText(literal.value))) {
    const value = Number(literal.value);
    return Number.isFinite(value) ? { kind: 'number', value } : undefined;
  }
  if (literal?.type !== 'string' && literal?.type !== 'typed') return undefined;
  if (dateText(literal.value) === 'date') return { kind: 'date', value: literal.value.trim() };
  return literal.type === 'string' ? { kind: 'text', value: literal.value.trim().toLowerCase() } : undefined;
}

/** True where no value passes both; false where some may, or where that cannot be told. */
function excludeEachOther(a: AllowedValues, b: AllowedValues): boolean {
  if (a.isNull || b.isNull) return a.isNull !== b.isNull;
  const values = a.values ?? b.values;
  if (values !== undefined) {
    const other = a.values === undefined ? a : b;
    return values.length > 0 && values.every((value) => isRefused(value, other));
  }
  const pairs = [
    [a.lower, b.upper],
    [b.lower, a.upper],
  ] as const;
  return pairs.some(([lower, upper]) => isEmptyBetween(lower, upper));
}

/** True for BETWEEN 9 AND 1. */
function isEmpty({ lower, upper }: AllowedValues): boolean {
  return isEmptyBetween(lower, upper);
}

function isEmptyBetween(lower: Bound | undefined, upper: Bound | undefined): boolean {
  if (lower === undefined || upper === undefined) return false;
  const order = compare(lower.at, upper.at);
  return order !== undefined && (order > 0 || (order === 0 && (lower.isOpen || upper.isOpen)));
}

function isRefused(value: KnownValue, { values, lower, upper, excluded }: AllowedValues): boolean {
  const point: Bound = { at: value, isOpen: false };
  if (isEmptyBetween(lower, point) || isEmptyBetween(point, upper)) return true;
  if (excluded.some((other) => isSame(value, other))) return true;
  return values?.every((other) => other.kind === value.kind && !isSame(value, other)) ?? false;
}

const isSame = (a: KnownValue, b: KnownValue): boolean => a.kind === b.kind && a.value === b.value;

/** Undefined where the order is not known: text has that of its collation. */
function compare(a: KnownValue, b: KnownValue): number | undefined {
  if (a.kind !== b.kind || a.kind === 'text') return undefined;
  return a.value === b.value ? 0 : a.value < b.value ? -1 : 1;
}
