import { wholeNumber } from '@askema/adapter-kit/process';
import type { JsonValue, Value } from '@askema/core';
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Driver } from './driver.ts';
import { isoDate, isoInterval, isoOffset, isoTime, isoTimestamp } from './temporal.ts';

/** Deeper values are left as DuckDB writes them. */
const MAX_DEPTH = 100;

/**
 * Makes the cell that a caller sees of what the driver gives: exact, and the same on every machine. See `Value` of
 * core.
 */
export type ToCell = (value: DuckDBValue, type: DuckDBType | undefined) => Value;

export function createCells(driver: typeof Driver): ToCell {
  const cell: ToCell = (value, type) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'bigint') return wholeNumber(value);
    if (typeof value === 'string') return type?.alias === 'JSON' ? parseJson(value) : value;
    if (typeof value !== 'object') return value;
    const plain = scalar(value);
    return plain === undefined ? nested(value, type, 0) : plain;
  };

  /** Undefined for what has parts. */
  const scalar = (value: object): Value | undefined => {
    if (value instanceof driver.DuckDBDecimalValue)
      return value.scale === 0 ? wholeNumber(value.value) : value.toString();
    if (value instanceof driver.DuckDBDateValue) return isoDate(value.days);
    if (value instanceof driver.DuckDBTimestampTZValue) return isoTimestamp(value.micros, 1_000n, 'Z');
    if (value instanceof driver.DuckDBTimestampValue) return isoTimestamp(value.micros, 1_000n);
    if (value instanceof driver.DuckDBTimestampSecondsValue) return isoTimestamp(value.seconds, 1_000_000_000n);
    if (value instanceof driver.DuckDBTimestampMillisecondsValue) return isoTimestamp(value.millis, 1_000_000n);
    if (value instanceof driver.DuckDBTimestampNanosecondsValue) return isoTimestamp(value.nanos, 1n);
    if (value instanceof driver.DuckDBTimeTZValue) return isoTime(value.micros * 1_000n) + isoOffset(value.offset);
    if (value instanceof driver.DuckDBTimeValue) return isoTime(value.micros * 1_000n);
    if (value instanceof driver.DuckDBTimeNSValue) return isoTime(value.nanos);
    if (value instanceof driver.DuckDBIntervalValue) return isoInterval(value.months, value.days, value.micros);
    if (value instanceof driver.DuckDBUUIDValue || value instanceof driver.DuckDBBitValue) return value.toString();
    // A copy: the driver's memory may be one block for the whole chunk.
    if (value instanceof driver.DuckDBBlobValue || value instanceof driver.DuckDBGeometryValue)
      return new Uint8Array(value.bytes);
    if (value instanceof driver.DuckDBVariantValue) {
      const inner = cell(value.value, value.type);
      return typeof inner === 'object' ? inner : inner;
    }
    return undefined;
  };

  /**
   * JSON of a value within another one. What JSON has no number for is a text: large integers, NaN, infinity; bytes are
   * in base64.
   */
  const inJson = (value: DuckDBValue, type: DuckDBType | undefined, depth: number): JsonValue => {
    if (value !== null && typeof value === 'object' && scalar(value) === undefined) return nested(value, type, depth);
    const plain = cell(value, type);
    if (typeof plain === 'bigint') return String(plain);
    if (typeof plain === 'number' && !Number.isFinite(plain)) return String(plain);
    return plain instanceof Uint8Array ? Buffer.from(plain).toString('base64') : (plain as JsonValue);
  };

  const nested = (value: object, type: DuckDBType | undefined, depth: number): JsonValue => {
    if (depth > MAX_DEPTH) return String(value);
    if (value instanceof driver.DuckDBListValue || value instanceof driver.DuckDBArrayValue) {
      const items =
        type instanceof driver.DuckDBListType || type instanceof driver.DuckDBArrayType ? type.valueType : undefined;
      return value.items.map((item) => inJson(item, items, depth + 1));
    }
    if (value instanceof driver.DuckDBStructValue) {
      const typeOf = (name: string): DuckDBType | undefined =>
        type instanceof driver.DuckDBStructType ? type.entryTypes[type.entryNames.indexOf(name)] : undefined;
      return Object.fromEntries(
        Object.entries(value.entries).map(([name, entry]) => [name, inJson(entry, typeOf(name), depth + 1)]),
      );
    }
    if (value instanceof driver.DuckDBMapValue) {
      const of = type instanceof driver.DuckDBMapType ? type : undefined;
      return Object.fromEntries(
        value.entries.map(({ key, value: entry }) => [
          keyText(inJson(key, of?.keyType, depth + 1)),
          inJson(entry, of?.valueType, depth + 1),
        ]),
      );
    }
    if (value instanceof driver.DuckDBUnionValue) {
      const member = type instanceof driver.DuckDBUnionType ? type.memberTypeForTag(value.tag) : undefined;
      return { [value.tag]: inJson(value.value, member, depth + 1) };
    }
    return String(value);
  };

  return cell;
}

function keyText(key: JsonValue): string {
  return typeof key === 'string' ? key : JSON.stringify(key);
}

/** Integers that a double cannot hold stay as their digits, in a text. What cannot be parsed stays as it is. */
function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text, keepDigits) as JsonValue;
  } catch {
    return text;
  }
}

/** The third argument is there since V8 11.4 (Node 21): the source of a primitive value. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && (/^-?\d+$/.test(source) || !Number.isFinite(value)) ? source : value;
}
