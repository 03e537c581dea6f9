import type { FieldType } from '../../model/semantic-model.ts';

const TYPES: readonly (readonly [RegExp, FieldType])[] = [
  [/^(VARCHAR|CHAR|CHARACTER|NCHAR|STRING|TEXT|NVARCHAR|NVARCHAR2|CHAR VARYING|BINARY|VARBINARY)\b/, 'String'],
  [/^(NUMBER|DECIMAL|NUMERIC|DEC|FIXED)\s*\(\s*\d+\s*,\s*0\s*\)/, 'Integer'],
  [/^(NUMBER|DECIMAL|NUMERIC|DEC|FIXED)\b/, 'Decimal'],
  [/^(INT|INTEGER|BIGINT|SMALLINT|TINYINT|BYTEINT)\b/, 'Integer'],
  [/^(FLOAT|FLOAT4|FLOAT8|DOUBLE|REAL)\b/, 'Float'],
  [/^BOOLEAN\b/, 'Boolean'],
  [/^DATE$/, 'Date'],
  [/^TIME\b(?!STAMP)/, 'Time'],
  [/^(TIMESTAMP_L?TZ|TIMESTAMPL?TZ)\b/, 'DateTimeTz'],
  [/^(TIMESTAMP|TIMESTAMP_NTZ|TIMESTAMPNTZ|DATETIME)\b/, 'DateTime'],
];

const WRITTEN: Readonly<Record<FieldType, string>> = {
  String: 'VARCHAR',
  Integer: 'NUMBER(38,0)',
  Decimal: 'NUMBER',
  Float: 'FLOAT',
  Boolean: 'BOOLEAN',
  Date: 'DATE',
  Time: 'TIME',
  DateTime: 'TIMESTAMP_NTZ',
  DateTimeTz: 'TIMESTAMP_TZ',
  Opaque: 'VARIANT',
};

/** Ossie's name for a type of Snowflake (sql-reference/intro-summary-data-types); undefined for one that it lacks. */
export function fieldTypeOf(dataType: string): FieldType | undefined {
  const type = dataType.trim().toUpperCase();
  return TYPES.find(([pattern]) => pattern.test(type))?.[1];
}

export function snowflakeType(type: FieldType): string {
  return WRITTEN[type];
}
