import { type MetadataRow, numberOf, textOf } from './metadata-reader.ts';

/**
 * The type of a column of INFORMATION_SCHEMA.COLUMNS as DESCRIBE TABLE writes it: NUMBER(38,0), VARCHAR(16777216), BINARY(8388608), FLOAT. The precision of
 * times is not among its columns (sql-reference/info-schema/columns: DATETIME_PRECISION is not applicable).
 */
export function nativeTypeOfColumn(row: MetadataRow): string {
  const type = textOf(row, 'data_type') ?? '';
  switch (type.toUpperCase()) {
    case 'NUMBER':
      return withNumbers('NUMBER', numberOf(row, 'numeric_precision'), numberOf(row, 'numeric_scale') ?? 0);
    case 'TEXT':
      return withNumbers('VARCHAR', numberOf(row, 'character_maximum_length'));
    case 'BINARY':
      return withNumbers('BINARY', numberOf(row, 'character_octet_length'));
    default:
      return type;
  }
}

/** The names that SHOW COLUMNS has of its own (sql-reference/sql/show-columns: data_type). */
const SHOWN_TYPES: Readonly<Record<string, string>> = { FIXED: 'NUMBER', REAL: 'FLOAT', TEXT: 'VARCHAR' };

/**
 * The type of a column of SHOW COLUMNS, which is JSON: `{"type":"FIXED","precision":38,"scale":0,"nullable":true}`. Written as
 * {@link nativeTypeOfColumn} writes it, so that both ways give the same catalog. Text that is no such JSON stays as it is.
 */
export function nativeTypeOfShownColumn(text: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof parsed !== 'object' || parsed === null || !('type' in parsed)) return text;
  const shown = parsed as Readonly<Record<string, unknown>>;
  const type = String(shown.type).toUpperCase();
  const name = SHOWN_TYPES[type] ?? type;
  if (name === 'NUMBER') return withNumbers(name, asNumber(shown.precision), asNumber(shown.scale) ?? 0);
  if (name === 'VARCHAR') return withNumbers(name, asNumber(shown.length));
  if (name === 'BINARY') return withNumbers(name, asNumber(shown.byteLength) ?? asNumber(shown.length));
  return name;
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** `NUMBER(38,0)`; the name alone where the first number is not known. */
function withNumbers(name: string, first: number | undefined, second?: number | undefined): string {
  if (first === undefined) return name;
  return second === undefined ? `${name}(${first})` : `${name}(${first},${second})`;
}
