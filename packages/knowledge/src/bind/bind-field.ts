import type { Dialect } from '@askema/core';
import type { Expression } from '../expression/expression.ts';
import { mapColumns, walkExpression } from '../expression/walk-expression.ts';
import type { Dataset, Field } from '../model/semantic-model.ts';
import type { BoundField } from './bound-knowledge.ts';
import { type ChosenExpression, remarksOnDialects, usableExpressions } from './choose-expression.ts';
import { expressionType, typeOfModel } from './expression-type.ts';
import type { Remark } from './problem-list.ts';
import { readText } from './remarks-on-names.ts';
import type { SourceColumns } from './source-columns.ts';

/** A field that was looked up, or why it could not be. */
export type BoundOrNot =
  | { readonly bound: BoundField; readonly remarks?: undefined }
  | { readonly bound?: undefined; readonly remarks: readonly Remark[] };

/** Looks up the columns of a field's expression. */
export function bindField(field: Field, dataset: Dataset, columns: SourceColumns, dialect: Dialect): BoundOrNot {
  const where = whereOf(field, dataset);
  const usable = usableExpressions(field.expressions, dialect);
  const known = typeOfModel(field.type);
  const [chosen] = usable;
  // What is no dimension is there to be computed with.
  if (chosen !== undefined)
    columns.learn(chosen.text, known ?? (field.dimension === undefined ? 'NUMERIC' : undefined));
  const plain = chosen && usable.length === 1 ? plainColumn(chosen, dataset, columns) : undefined;
  const remarks: Remark[] = plain === undefined ? [...remarksOnDialects(field.expressions, where, dialect)] : [];
  const [expression] =
    plain === undefined ? usable.map((one) => bindText(one, field, dataset, columns, remarks)) : [plain];
  if (expression === undefined || remarks.length > 0) return { remarks };
  const type = known ?? expressionType(expression, dialect) ?? 'TEXT';
  return { bound: { field, expression, type, isTime: field.dimension?.isTime ?? type === 'DATETIME' } };
}

/** Most fields are the name of a column: these are not parsed. */
function plainColumn(
  { text }: ChosenExpression,
  { name: dataset }: Dataset,
  columns: SourceColumns,
): Expression | undefined {
  const column = columns.columns.get(text.toLowerCase());
  if (column === undefined || !/^[a-z_]\w*$/i.test(text)) return undefined;
  const bound = { dataset, column: column.name, type: column.type };
  return { kind: 'column', span: { start: 0, end: text.length }, qualifier: [], name: text, isQuoted: false, bound };
}

function bindText(
  { text, lexer }: ChosenExpression,
  field: Field,
  dataset: Dataset,
  columns: SourceColumns,
  remarks: Remark[],
): Expression | undefined {
  const where = whereOf(field, dataset);
  const read = readText(text, lexer, where);
  if ('code' in read) {
    remarks.push(read);
    return undefined;
  }
  walkExpression(read.expression, (part) => {
    if (part.kind === 'call' && part.isAggregate)
      remarks.push({
        code: 'aggregate-in-field',
        message: `${where} calls ${part.name}, which aggregates rows; a field is a value of one row.`,
        advice: 'Make it a metric.',
      });
  });
  return mapColumns(read.expression, (part) => {
    const isForeign = part.qualifier.length > 0 && !isOwn(part.qualifier.join('.'), dataset);
    const column = isForeign ? undefined : columns.find(part.name);
    if (isForeign)
      remarks.push({
        code: 'foreign-column',
        message: `${where} names \`${[...part.qualifier, part.name].join('.')}\`, which is not of its own dataset.`,
        advice: 'A field is made of columns of its own source; join through a relationship instead.',
      });
    else if (column === undefined)
      remarks.push(columns.unknown(part.name, where, part === read.expression ? typeOfModel(field.type) : undefined));
    return column === undefined
      ? part
      : { ...part, bound: { dataset: dataset.name, column: column.name, type: column.type } };
  });
}

function whereOf(field: Field, dataset: Dataset): string {
  return `Field \`${dataset.name}.${field.name}\``;
}

/** Columns may be written behind the name of the dataset or of its table. */
function isOwn(path: string, { name, source }: Dataset): boolean {
  const lower = path.toLowerCase();
  return lower === name.toLowerCase() || `.${source.toLowerCase()}`.endsWith(`.${lower}`);
}
