import { logicalType, type ResultColumn } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import type { RestField, RestSchema } from '../rest-types.ts';

/** The columns of a result, in order; two may have one name. */
export function resultColumns(schema: RestSchema | undefined): readonly ResultColumn[] {
  return (schema?.fields ?? []).map((field) => {
    const nativeType = typeText(field);
    return { name: field.name, nativeType, type: logicalType(nativeType, bigqueryDialect) };
  });
}

/** The REST interface keeps the names of the older SQL. */
const STANDARD_NAMES: Readonly<Record<string, string>> = {
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
  RECORD: 'STRUCT',
  DECIMAL: 'NUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
};

/** The name of a type in GoogleSQL: `INT64` for `INTEGER`. */
export function standardName(type: string): string {
  const upper = type.toUpperCase();
  return STANDARD_NAMES[upper] ?? upper;
}

/** The type of a column as SQL writes it: `ARRAY<STRUCT<sku STRING, price NUMERIC(10, 2)>>`. */
function typeText(field: RestField): string {
  const one = elementType(field);
  return field.mode === 'REPEATED' ? `ARRAY<${one}>` : one;
}

function elementType(field: RestField): string {
  const name = standardName(field.type);
  if (name === 'STRUCT')
    return `STRUCT<${(field.fields ?? []).map((inner) => `${inner.name} ${typeText(inner)}`).join(', ')}>`;
  if (name === 'RANGE') return `RANGE<${field.rangeElementType?.type ?? 'DATE'}>`;
  if (field.maxLength !== undefined) return `${name}(${field.maxLength})`;
  if (field.precision !== undefined)
    return `${name}(${field.precision}${field.scale === undefined ? '' : `, ${field.scale}`})`;
  if (name === 'TIMESTAMP' && field.timestampPrecision === '12') return 'TIMESTAMP(12)';
  return name;
}
