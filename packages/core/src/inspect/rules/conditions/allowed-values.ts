import type { FilterOperator, FilterShape, OperandShape } from '../../../ports/query-shape.ts';
import { isNumberText } from './column-comparisons.ts';
import { dateText } from './date-text.ts';

/** A value that can be told apart from others of its kind: strings only by being the same, but for case and outer blanks. */
export interface KnownValue {
  readonly kind: 'number' | 'date' | 'text';
  readonly value: number | string;
}

interface Bound {
  readonly at: KnownValue;
  readonly isOpen: boolean;
}

/** The values that a filter lets through; `values` undefined: any between the bounds. */
export interface AllowedValues {
  readonly values: readonly KnownValue[] | undefined;
  readonly lower: Bound | undefined;
  readonly upper: Bound | undefined;
  readonly excluded: readonly KnownValue[];
  readonly isNull: boolean;
}

const ANY: AllowedValues = { values: undefined, lower: undefined, upper: undefined, excluded: [], isNull: false };

/** What a filter says of its tested side by literals alone; undefined where it says something else. */
export function allowedValues(
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
export function excludeEachOther(a: AllowedValues, b: AllowedValues): boolean {
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
export function isEmpty({ lower, upper }: AllowedValues): boolean {
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
