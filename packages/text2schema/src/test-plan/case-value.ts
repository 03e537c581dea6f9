import type { DataType, Parameter, Value } from '@askema/core';
import type { TestValue } from '../model/test-plan.ts';

/** A value of the plan as it is bound, and what is wrong with it where the engine may not say so. */
export interface BoundValue {
  readonly parameter: Parameter;
  readonly warning?: string | undefined;
}

/** No digit can be read in two ways: values come from models, and may be endless. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** ISO 8601 with a blank or a `T`; a time alone, too. */
const MOMENT =
  /^(?:(\d{4}-\d{2}(?:-\d{2})?)|)(?:[T ]?(\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * A value for an attribute of that type: texts that are numbers or truth values become such; anything else is bound as
 * it is.
 */
export function bindValue(value: TestValue, type: DataType): BoundValue {
  if (value === null) return { parameter: null };
  const doubt = (kind: string): BoundValue => ({
    parameter: value,
    warning: `${JSON.stringify(value)} is no ${kind}, but the attribute is ${type}.`,
  });
  switch (type) {
    case 'NUMERIC':
      if (typeof value === 'number') return { parameter: value };
      if (typeof value === 'string' && NUMBER.test(value.trim())) return { parameter: exactNumber(value.trim()) };
      return doubt('number');
    case 'BOOL': {
      if (typeof value === 'boolean') return { parameter: value };
      const truth = truthOf(value);
      return truth === undefined ? doubt('truth value') : { parameter: truth };
    }
    case 'DATETIME':
      if (typeof value !== 'string' || plainMoment(value) === undefined) return doubt('ISO 8601 date or time');
      return { parameter: value.replace(/^(\d{4}-\d{2}-\d{2})T/, '$1 ').replace(/Z$/, '') };
    case 'BINARY':
      return { parameter: new TextEncoder().encode(String(value)) };
    default:
      return { parameter: String(value) };
  }
}

/** Digits beyond what a number holds stay a text. */
function exactNumber(text: string): string | number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && /^[+-]?\d+$/.test(text)) return number;
  return text.replace(/\D/g, '').length <= 15 && Number.isFinite(number) ? number : text;
}

function truthOf(value: Value): boolean | undefined {
  const text = String(value).trim().toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

/** One spelling for each moment: a date is its midnight, seconds and fractions without meaning are left out. */
function plainMoment(text: string): string | undefined {
  const match = MOMENT.exec(text.trim());
  if (match === null) return undefined;
  const [, date, time, seconds = '00', fraction = '', zone = ''] = match;
  if (date === undefined && time === undefined) return undefined;
  const rest = fraction.replace(/0+$/, '');
  const offset = zone === 'Z' || /^[+-]00:?00$/.test(zone) ? '' : zone.replace(':', '');
  return `${date ?? ''} ${time ?? '00:00'}:${seconds}${rest === '' ? '' : `.${rest}`}${offset}`;
}

/**
 * A text that two cells of one attribute share exactly when their values are equal: numbers and dates by value, not by
 * spelling.
 */
export function comparedText(value: Value, type: DataType): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `bytes ${[...value].join(' ')}`;
  if (type === 'BOOL') return `truth ${truthOf(value) ?? String(value)}`;
  if (typeof value === 'boolean') return `number ${value ? 1 : 0}`;
  if (typeof value === 'object') return `json ${JSON.stringify(value)}`;
  if (type === 'BINARY') return `bytes ${[...new TextEncoder().encode(String(value))].join(' ')}`;
  if (type === 'DATETIME') return `moment ${plainMoment(String(value)) ?? value}`;
  if (type === 'NUMERIC' || typeof value !== 'string') return numberText(value);
  return `text ${value}`;
}

function numberText(value: string | number | bigint): string {
  if (typeof value === 'bigint') return `number ${value}`;
  const text = String(value).trim();
  if (!NUMBER.test(text)) return `text ${value}`;
  const exact = exactNumber(text);
  if (typeof exact === 'string') return `number ${withoutTrailingZeros(exact.replace(/^\+/, ''))}`;
  return `number ${Number(exact.toPrecision(12))}`;
}

/** `1.50` and `1.` as `1.5` and `1`; a number without a point stays, and one with an exponent. */
function withoutTrailingZeros(text: string): string {
  if (!/^-?\d*\.\d*$/.test(text)) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** A value as people read it. */
export function shownValue(value: Value): string {
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
