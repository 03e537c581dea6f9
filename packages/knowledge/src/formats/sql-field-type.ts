import type { FieldType } from '../model/semantic-model.ts';

/** Types of the engines, in upper case; the first that fits counts. */
const TYPES: readonly (readonly [RegExp, FieldType])[] = [
  [/^(VARCHAR|CHAR|CHARACTER|NCHAR|NVARCHAR|NVARCHAR2|STRING|TEXT|BPCHAR|NAME|UUID|BINARY|VARBINARY)\b/, 'String'],
  [/^(NUMBER|DECIMAL|NUMERIC|DEC|FIXED)\s*\(\s*\d+\s*,\s*0\s*\)/, 'Integer'],
  [/^(NUMBER|DECIMAL|NUMERIC|BIGNUMERIC|DEC|FIXED)\b/, 'Decimal'],
  [/^(INT|INT2|INT4|INT8|INT64|INTEGER|BIGINT|SMALLINT|TINYINT|BYTEINT)\b/, 'Integer'],
  [/^(FLOAT|FLOAT4|FLOAT8|FLOAT64|DOUBLE|REAL)\b/, 'Float'],
  [/^BOOL(EAN)?\b/, 'Boolean'],
  [/^DATE$/, 'Date'],
  [/^TIME\b(?!STAMP)/, 'Time'],
  [/^(TIMESTAMP_L?TZ|TIMESTAMPL?TZ|TIMESTAMP( ?\(\d\))? WITH)\b/, 'DateTimeTz'],
  [/^(TIMESTAMP|TIMESTAMP_NTZ|TIMESTAMPNTZ|DATETIME)\b/, 'DateTime'],
];

/** Ossie's name for a type as SQL writes it; undefined for one that it lacks. */
export function fieldTypeOf(dataType: string): FieldType | undefined {
  const type = dataType.trim().toUpperCase();
  return TYPES.find(([pattern]) => pattern.test(type))?.[1];
}
