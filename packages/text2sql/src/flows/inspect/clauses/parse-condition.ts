import {
  ArgumentFault,
  countOf,
  type Fields,
  field,
  isFields,
  listOf,
  requiredText,
  shown,
  textOf,
  truthOf,
  wordOf,
} from './argument-reader.ts';
import { type AddWhere, CONDITION_OPERATORS, type ConditionOperand, type ConditionOperator } from './clause-action.ts';

const OPERATOR_SYNONYMS: Readonly<Record<string, ConditionOperator>> = {
  '==': '=',
  '!=': '<>',
  '=<': '<=',
  '=>': '>=',
  '≠': '<>',
  '≤': '<=',
  '≥': '>=',
  eq: '=',
  equals: '=',
  ne: '<>',
  neq: '<>',
  'not equals': '<>',
  lt: '<',
  lte: '<=',
  le: '<=',
  gt: '>',
  gte: '>=',
  ge: '>=',
  null: 'is null',
  isnull: 'is null',
  'not null': 'is not null',
  notnull: 'is not null',
  isnotnull: 'is not null',
  'not is null': 'is not null',
  notin: 'not in',
  notlike: 'not like',
  notexists: 'not exists',
};

const OPERAND_KINDS = ['text', 'number', 'boolean', 'expression'] as const;
const OPERAND_SYNONYMS: Readonly<Record<string, ConditionOperand['kind']>> = {
  string: 'text',
  str: 'text',
  date: 'text',
  int: 'number',
  integer: 'number',
  float: 'number',
  decimal: 'number',
  numeric: 'number',
  bool: 'boolean',
  column: 'expression',
  sql: 'expression',
  expr: 'expression',
  subquery: 'expression',
  'sub-question': 'expression',
};

/** A literal that every dialect reads as the same number. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const SUB_QUESTION = /^\$[A-Za-z_]\w*$/;

export function isNumberLiteral(text: string): boolean {
  return text.length <= 400 && NUMBER.test(text);
}

/** The arguments of `add_where` and `add_having`. */
export function parseCondition(fields: Fields): Omit<AddWhere, 'action'> {
  const written = field(fields, 'operator', 'op', 'comparison');
  const rights = listOf(field(fields, 'right', 'values', 'value', 'operands'));
  const nullTest = nullTestOf(written, rights);
  const operator = nullTest ?? wordOf(written, 'The operator', CONDITION_OPERATORS, OPERATOR_SYNONYMS);
  let left = textOf(field(fields, 'left', 'column', 'expression', 'condition'), 'left');
  let right = nullTest === undefined ? rights.filter((value) => !isAbsent(value, operator)).map(parseOperand) : [];
  if (operator === 'is null' || operator === 'is not null') right = right.filter((operand) => !isNull(operand));
  const [only] = right;
  if ((operator === 'exists' || operator === 'not exists') && left === '' && only !== undefined && right.length === 1) {
    if (only.kind === 'expression') left = only.sql;
    else if (only.kind !== 'boolean' && SUB_QUESTION.test(only.value)) left = only.value;
    if (left !== '') right = [];
  }
  if (left === '') throw new ArgumentFault('left is missing: say which column or expression is tested.');
  checkCount(operator, right.length);
  const link = linkOf(field(fields, 'link', 'logic', 'connector', 'conjunction'));
  const group = countOf(field(fields, 'group'), 'group');
  return { left, operator, right, ...(link === undefined ? {} : { link }), ...(group ? { group } : {}) };
}

/** `IS` with NULL as its operand. */
function nullTestOf(operator: unknown, rights: readonly unknown[]): 'is null' | 'is not null' | undefined {
  const text = textOf(operator, 'The operator').toLowerCase().replace(/\s+/g, ' ');
  if (text !== 'is' && text !== 'is not') return undefined;
  const [only] = rights;
  const value = isFields(only) ? field(only, 'value', 'sql') : only;
  if (rights.length > 0 && value !== undefined && value !== null && !/^(null)?$/i.test(textOf(value, 'right')))
    throw new ArgumentFault(`\`${text}\` is for NULL only: use \`=\` or \`<>\` for ${shown(value)}.`);
  return text === 'is' ? 'is null' : 'is not null';
}

/** Operators without a right side come with an empty operand at times. */
function isAbsent(value: unknown, operator: ConditionOperator): boolean {
  if (!['is null', 'is not null', 'exists', 'not exists', 'holds'].includes(operator)) return false;
  const content = isFields(value) ? field(value, 'value', 'sql') : value;
  return content === undefined || content === null || content === '';
}

function isNull(operand: ConditionOperand): boolean {
  const text = operand.kind === 'expression' ? operand.sql : operand.value;
  return typeof text === 'string' && text.toLowerCase() === 'null';
}

function checkCount(operator: ConditionOperator, count: number): void {
  const fault = (wanted: string): never => {
    throw new ArgumentFault(`\`${operator}\` takes ${wanted} in right, not ${count}.`);
  };
  switch (operator) {
    case 'between':
      if (count !== 2) fault('two operands');
      break;
    case 'in':
    case 'not in':
      if (count === 0) fault('at least one operand');
      break;
    case 'is null':
    case 'is not null':
    case 'exists':
    case 'not exists':
    case 'holds':
      if (count !== 0) fault('no operand');
      break;
    default:
      if (count !== 1) fault('one operand');
  }
}

function linkOf(value: unknown): 'and' | 'or' | undefined {
  const text = textOf(value, 'link').toLowerCase();
  if (text === '' || text === 'none') return undefined;
  return wordOf(text, 'The link', ['and', 'or'], { '&&': 'and', '||': 'or' });
}

function parseOperand(raw: unknown): ConditionOperand {
  if (typeof raw === 'number') return parseNumber(raw);
  if (typeof raw === 'boolean') return { kind: 'boolean', value: raw };
  if (raw === null) return { kind: 'expression', sql: 'NULL' };
  if (typeof raw === 'string')
    return SUB_QUESTION.test(raw.trim()) ? { kind: 'expression', sql: raw.trim() } : parseText(raw);
  if (!isFields(raw)) throw new ArgumentFault(`An operand must have a kind and a value: ${shown(raw)}.`);
  const value = field(raw, 'value', 'sql', 'expression', 'text', 'number');
  const kind = field(raw, 'kind', 'type');
  if (kind === undefined) {
    if (field(raw, 'sql', 'expression') !== undefined) return { kind: 'expression', sql: requiredText(value, 'sql') };
    return parseOperand(value ?? '');
  }
  switch (wordOf(kind, 'The kind of an operand', OPERAND_KINDS, OPERAND_SYNONYMS)) {
    case 'text':
      if (value === undefined) throw new ArgumentFault('The value of a text operand is missing.');
      return parseText(typeof value === 'string' ? value : textOf(value, 'value'));
    case 'number':
      return parseNumber(value);
    case 'boolean':
      return { kind: 'boolean', value: truthOf(value, 'A boolean operand') };
    default:
      return { kind: 'expression', sql: requiredText(value, 'The SQL of an expression') };
  }
}

/**
 * Models quote a literal although they were told not to. Cells with single quotes around the whole are rare, those with
 * double quotes are not.
 */
function parseText(value: string): ConditionOperand {
  const inner = /^'((?:[^']|'')*)'$/s.exec(value)?.[1];
  return { kind: 'text', value: inner === undefined ? value : inner.replaceAll("''", "'") };
}

function parseNumber(value: unknown): ConditionOperand {
  const text = textOf(value, 'A number');
  if (SUB_QUESTION.test(text)) return { kind: 'expression', sql: text };
  if (!isNumberLiteral(text))
    throw new ArgumentFault(`${shown(value)} is no number: use the kind \`text\` for text and \`expression\` for SQL.`);
  return { kind: 'number', value: text };
}
