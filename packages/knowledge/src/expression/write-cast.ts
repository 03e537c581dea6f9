import { castType, didYouMean } from '@askema/core';
import type { Cast } from './expression.ts';
import { writeDay } from './write-time.ts';
import { type ExpressionWriter, fill, refusal, templateOf } from './writer.ts';

/** What names of types mean, whatever engine they come from. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  INTEGER: 'INTEGER INT BIGINT SMALLINT TINYINT INT2 INT4 INT8 INT64 SIGNED'.split(' '),
  FLOAT: ['FLOAT', 'REAL', 'DOUBLE', 'DOUBLE PRECISION', 'FLOAT4', 'FLOAT8', 'FLOAT64'],
  DECIMAL: ['DECIMAL', 'NUMERIC', 'NUMBER', 'DEC'],
  TEXT: ['TEXT', 'VARCHAR', 'CHAR', 'STRING', 'CHARACTER', 'NVARCHAR', 'NCHAR'],
  DATE: ['DATE'],
  TIMESTAMP: ['TIMESTAMP', 'DATETIME', 'TIMESTAMP_NTZ'],
  BOOLEAN: ['BOOLEAN', 'BOOL'],
};

/** Integers are rounded to, texts are cut to their length, a date is the day of a time. */
export function writeCast({ operand, type, isSafe }: Cast, writer: ExpressionWriter): string {
  const { dialect } = writer;
  const [, name = type, size, scale] = /^([A-Z][\w ]*?)(?:\((\d+)(?:, (\d+))?\))?$/.exec(type) ?? [];
  const family = Object.keys(FAMILIES).find((key) => FAMILIES[key]?.includes(name));
  if (family === undefined)
    throw refusal(
      'type',
      `CAST to ${type} is not known.`,
      didYouMean(name, Object.values(FAMILIES).flat()) || `Use ${Object.keys(FAMILIES).join(', ')}.`,
    );
  const value = writer.operand(operand);
  if (isSafe && family !== 'TEXT') {
    const known =
      family === 'DECIMAL' && scale !== undefined ? type.replace(name, 'DECIMAL') : safeType(family, writer);
    return fill(templateOf('TRY_CAST', null, dialect), { 0: value, 1: known });
  }
  switch (family) {
    case 'DATE':
      return writeDay(operand, writer);
    case 'TEXT': {
      const text = `CAST(${value} AS ${castType('TEXT', dialect)})`;
      return size === undefined ? text : `SUBSTR(${text}, 1, ${size})`;
    }
    case 'DECIMAL':
      if (size === undefined) return `CAST(${value} AS ${castType('NUMERIC', dialect)})`;
      return fill(templateOf('CAST AS DECIMAL', 'CAST({0} AS DECIMAL({1}, {2}))', dialect), {
        0: value,
        1: size,
        2: scale ?? '0',
      });
    case 'INTEGER':
      return fill(templateOf('CAST AS INTEGER', 'CAST({0} AS BIGINT)', dialect), { 0: value });
    case 'FLOAT':
      return fill(templateOf('CAST AS FLOAT', 'CAST({0} AS DOUBLE PRECISION)', dialect), { 0: value });
    default:
      return fill(templateOf(`CAST AS ${family}`, `CAST({0} AS ${logicalName(family, writer)})`, dialect), {
        0: value,
      });
  }
}

function logicalName(family: string, { dialect }: ExpressionWriter): string {
  return castType(family === 'BOOLEAN' ? 'BOOL' : 'DATETIME', dialect);
}

function safeType(family: string, writer: ExpressionWriter): string {
  if (family === 'INTEGER') return 'BIGINT';
  if (family === 'DATE') return 'DATE';
  if (family === 'FLOAT' || family === 'DECIMAL') return castType('FLOAT', writer.dialect);
  return logicalName(family, writer);
}
