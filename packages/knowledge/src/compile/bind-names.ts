import { ansiLexer } from '@askema/dialects';
import type { BoundDataset, BoundField, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { expressionType } from '../bind/expression-type.ts';
import { type FoundName, lookUpName } from '../bind/look-up-name.ts';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { columnsIn, mapColumns, walkExpression } from '../expression/walk-expression.ts';
import { refused } from './refused.ts';

/** Stands for the time of each metric in `by` and in conditions. */
export const METRIC_TIME = 'metric_time';

/** A field, with the dataset that it is of. */
export interface FieldOf {
  readonly dataset: BoundDataset;
  readonly field: BoundField;
  /** `dataset.field`, as defined. */
  readonly name: string;
}

interface NameScope {
  readonly bound: BoundKnowledge;
  /** The dataset in which bare names are looked up first. */
  readonly home?: string | undefined;
  /** What the expression is, at the beginning of a message: `The filter of the metric \`revenue\``. */
  readonly where: string;
  /** Columns that are no fields may be named: in definitions, not in requests. */
  readonly columns: boolean;
  /** `metric_time` may be named. */
  readonly time?: boolean | undefined;
}

/** The name in `dataset.field`, or in `field` where only one dataset has it. */
export function fieldNamed(name: string, where: string, bound: BoundKnowledge, home?: string): FieldOf {
  const parts = name.split('.');
  const column = { qualifier: parts.slice(0, -1), name: parts.at(-1) ?? '' };
  const found = findName(column, { bound, where, home, columns: false });
  if (found.kind === 'field') return fieldOf(found.dataset, found.field);
  throw noField(column, where);
}

export function fieldOf(dataset: BoundDataset, field: BoundField): FieldOf {
  return { dataset, field, name: `${dataset.dataset.name}.${field.field.name}` };
}

/** The expression with each name looked up, and each field replaced by what it stands for. */
export function bindNames(expression: Expression, scope: NameScope): Expression {
  return mapColumns(expression, (column) => {
    if (column.bound !== undefined || (scope.time === true && isMetricTime(column))) return column;
    const found = findName(column, scope);
    if (found.kind === 'field') return found.field.expression;
    if (!scope.columns) throw noField(column, scope.where);
    const { name, type } = found.column;
    return { ...column, bound: { dataset: found.dataset.dataset.name, column: name, type } };
  });
}

/** A condition over fields of one row. */
export function bindCondition(condition: string | Expression, scope: NameScope): Expression {
  const parsed = typeof condition === 'string' ? parseExpression(condition, ansiLexer) : condition;
  const bound = bindNames(parsed, scope);
  walkExpression(bound, (part) => {
    if (part.kind !== 'call' || !part.isAggregate) return;
    throw refused(
      'condition',
      `${scope.where} calls ${part.name}, which aggregates rows. A condition is about one row: make it a metric.`,
    );
  });
  checkNumbers(bound, scope.where, scope.bound);
  return bound;
}

export function isMetricTime({ qualifier, name }: Pick<ColumnName, 'qualifier' | 'name'>): boolean {
  return qualifier.length === 0 && name.toLowerCase() === METRIC_TIME;
}

/** The datasets whose columns an expression reads. */
export function datasetsIn(expression: Expression, { datasets }: BoundKnowledge): Set<BoundDataset> {
  const found = new Set<BoundDataset>();
  for (const { bound } of columnsIn(expression)) {
    const dataset = bound && datasets.get(bound.dataset.toLowerCase());
    if (dataset !== undefined) found.add(dataset);
  }
  return found;
}

/** Refuses arithmetic with text, which one engine reads as numbers and the next refuses. */
export function checkNumbers(expression: Expression, where: string, { dialect }: BoundKnowledge): void {
  walkExpression(expression, (part) => {
    const numbers =
      part.kind === 'binary' && /^[-+*/%]$/.test(part.operator)
        ? [part.left, part.right]
        : part.kind === 'call' && /^(SUM|AVG|MEDIAN|STDDEV|VAR)/.test(part.name)
          ? part.arguments
          : [];
    const text = numbers.find((operand) => expressionType(operand, dialect) === 'TEXT');
    if (text === undefined) return;
    const [column] = columnsIn(text);
    const what =
      column?.bound === undefined ? 'text' : `\`${column.bound.dataset}.${column.bound.column}\`, which is text,`;
    throw refused('text-as-number', `${where} computes with ${what} as if it were a number. CAST it to one.`);
  });
}

function findName(
  column: Pick<ColumnName, 'qualifier' | 'name'>,
  { bound, home, where }: NameScope,
): Exclude<FoundName, { kind: 'problem' }> {
  const found = lookUpName(column, bound.datasets, home);
  if (found.kind !== 'problem') return found;
  const { code, message, advice } = found.remark;
  throw refused(
    code === 'ambiguous-name' ? 'ambiguous-field' : 'unknown-field',
    [`${where} cannot be looked up: ${message}`, advice].filter((part) => part !== undefined && part !== '').join(' '),
    { field: [...column.qualifier, column.name].join('.') },
  );
}

function noField({ qualifier, name }: Pick<ColumnName, 'qualifier' | 'name'>, where: string): Error {
  const field = [...qualifier, name].join('.');
  return refused(
    'unknown-field',
    `${where} names the column \`${field}\`, which is no field of the model. Define a field for it first.`,
    { field },
  );
}
