import { type DataType, type Dialect, logicalType } from '@askema/core';
import type { Expression } from '../expression/expression.ts';
import type { FieldType } from '../model/semantic-model.ts';

const OF_MODEL: Readonly<Record<FieldType, DataType | undefined>> = {
  String: 'TEXT',
  Integer: 'NUMERIC',
  Decimal: 'NUMERIC',
  Float: 'NUMERIC',
  Boolean: 'BOOL',
  Date: 'DATETIME',
  Time: 'DATETIME',
  DateTime: 'DATETIME',
  DateTimeTz: 'DATETIME',
  Opaque: undefined,
};

const OF_LITERALS = {
  number: 'NUMERIC',
  string: 'TEXT',
  boolean: 'BOOL',
  null: undefined,
  date: 'DATETIME',
  timestamp: 'DATETIME',
} as const satisfies Readonly<Record<string, DataType | undefined>>;

const TEXT_CALLS =
  /^(LOWER|UPPER|L?TRIM|RTRIM|CONCAT|SUBSTR(ING)?|REPLACE|SPLIT_PART|LEFT|RIGHT|INITCAP|TO_CHAR|STRFTIME)$/;
const TIME_CALLS =
  /^(DATE|DATETIME|TIMESTAMP|DATE_TRUNC|DATEADD|TO_DATE|TO_TIMESTAMP|LAST_DAY|CURRENT_(DATE|TIMESTAMP))$/;
/** Give a value of one of their arguments. */
const SAME_CALLS = /^(COALESCE|NULLIF|IFNULL|NVL|GREATEST|LEAST|MIN|MAX|ANY_VALUE)$/;

/** What the type of a model means; undefined where it says nothing. */
export function typeOfModel(type: FieldType | undefined): DataType | undefined {
  return type === undefined ? undefined : OF_MODEL[type];
}

/** The type of an expression whose columns are bound, as far as its form tells; undefined where it does not. */
export function expressionType(expression: Expression, dialect: Dialect): DataType | undefined {
  const typeOf = (part: Expression | undefined): DataType | undefined => part && expressionType(part, dialect);
  switch (expression.kind) {
    case 'column':
      return expression.bound?.type;
    case 'literal':
      return OF_LITERALS[expression.type];
    case 'unary':
      return expression.operator === 'NOT' ? 'BOOL' : 'NUMERIC';
    case 'binary':
      if (expression.operator === '||') return 'TEXT';
      if (!/^[-+*/%]$/.test(expression.operator)) return 'BOOL';
      return typeOf(expression.left) === 'DATETIME' && expression.right.kind === 'interval' ? 'DATETIME' : 'NUMERIC';
    case 'in':
    case 'between':
    case 'test':
      return 'BOOL';
    case 'case':
      return firstKnown([...expression.branches.map(({ result }) => result), expression.otherwise].map(typeOf));
    case 'cast':
      return logicalType(expression.type, dialect);
    case 'extract':
      return 'NUMERIC';
    case 'call':
      if (TEXT_CALLS.test(expression.name)) return 'TEXT';
      if (TIME_CALLS.test(expression.name)) return 'DATETIME';
      if (SAME_CALLS.test(expression.name)) return firstKnown(expression.arguments.map(typeOf));
      return expression.name === 'IFF' ? typeOf(expression.arguments[1]) : 'NUMERIC';
    default:
      return undefined;
  }
}

function firstKnown(types: readonly (DataType | undefined)[]): DataType | undefined {
  return types.find((type) => type !== undefined);
}
