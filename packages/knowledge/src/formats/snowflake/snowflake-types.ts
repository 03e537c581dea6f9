import type { FieldType } from '../../model/semantic-model.ts';

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

/** How Snowflake writes a type (sql-reference/intro-summary-data-types). */
export function snowflakeType(type: FieldType): string {
  return WRITTEN[type];
}
