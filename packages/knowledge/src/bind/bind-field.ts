import { type DataType, type Dialect, isAskemaError } from '@askema/core';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { mapColumns, walkExpression } from '../expression/walk-expression.ts';
import type { Dataset, Field } from '../model/semantic-model.ts';
import type { BoundField } from './bound-knowledge.ts';
import { type ChosenExpression, chooseExpression, dialectTwice } from './choose-expression.ts';
import { expressionType, typeOfModel } from './expression-type.ts';
import type { Remark } from './problem-list.ts';
import type { SourceColumns } from './source-columns.ts';

/** A field that was looked up, or why it could not be. */
export type BoundOrNot = { readonly bound: BoundField } | { readonly remark: Remark };

/** Looks up the columns of a field's expression. */
export function bindField(field: Field, dataset: Dataset, columns: SourceColumns, dialect: Dialect): BoundOrNot {
  const where = `Field \`${dataset.name}.${field.name}\``;
  const twice = dialectTwice(field.expressions);
  if (twice !== undefined)
    return refused('duplicate-dialect', `${where} has two expressions for ${twice}.`, 'Leave one of them.');
  const chosen = chooseExpression(field.expressions, dialect);
  if (chosen === undefined)
    return refused(
      'no-expression',
      `${where} has an expression for ${field.expressions.map((entry) => entry.dialect).join(', ') || 'no dialect'} only.`,
      'Add one for ANSI_SQL.',
    );
  const known = typeOfModel(field.type);
  const plain = plainColumn(chosen, dataset, columns, known);
  const expression = plain ?? bindText(chosen, where, dataset, columns);
  if ('code' in expression) return { remark: expression };
  const type = known ?? expressionType(expression, dialect) ?? 'TEXT';
  return { bound: { field, expression, type, isTime: field.dimension?.isTime ?? type === 'DATETIME' } };
}

/** Most fields are the name of a column: these are not parsed. */
function plainColumn(
  { text }: ChosenExpression,
  { name: dataset }: Dataset,
  columns: SourceColumns,
  known: DataType | undefined,
): Expression | undefined {
  const column = columns.columns.get(text.toLowerCase());
  if (column === undefined || !/^[a-z_]\w*$/i.test(text)) return undefined;
  if (known !== undefined) columns.learn(text, known);
  const bound = { dataset, column: column.name, type: column.type };
  return { kind: 'column', span: { start: 0, end: text.length }, qualifier: [], name: text, isQuoted: false, bound };
}

function bindText(
  { text, lexer }: ChosenExpression,
  where: string,
  dataset: Dataset,
  columns: SourceColumns,
): Expression | Remark {
  let expression: Expression;
  try {
    expression = parseExpression(text, lexer);
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return { code: 'expression-invalid', message: `${where}: ${thrown.message}` };
  }
  let remark: Remark | undefined;
  walkExpression(expression, (part) => {
    if (part.kind !== 'call' || !part.isAggregate) return;
    remark ??= {
      code: 'aggregate-in-field',
      message: `${where} calls ${part.name}, which aggregates rows; a field is a value of one row.`,
      advice: 'Make it a metric.',
    };
  });
  if (remark !== undefined) return remark;
  const bound = mapColumns(expression, (part) => {
    const outer = part.qualifier.at(-1);
    if (outer !== undefined && !isOwn(outer, dataset)) {
      remark ??= {
        code: 'foreign-column',
        message: `${where} names \`${[...part.qualifier, part.name].join('.')}\`, which is not of its own dataset.`,
        advice: 'A field is made of columns of its own source; join through a relationship instead.',
      };
      return part;
    }
    const column = columns.find(part.name);
    if (column === undefined) {
      remark ??= columns.unknown(part.name, where);
      return part;
    }
    return { ...part, bound: { dataset: dataset.name, column: column.name, type: column.type } };
  });
  return remark ?? bound;
}

/** Columns may be written behind the name of the dataset or of its table. */
function isOwn(qualifier: string, { name, source }: Dataset): boolean {
  const lower = qualifier.toLowerCase();
  return lower === name.toLowerCase() || source.toLowerCase().split('.').at(-1) === lower;
}

function refused(code: string, message: string, advice: string): BoundOrNot {
  return { remark: { code, message, advice } };
}
