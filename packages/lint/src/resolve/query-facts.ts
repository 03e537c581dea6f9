import {
  type AttributeId,
  type DataType,
  foldName,
  qualifiedName,
  quoteIfNeeded,
  type RelationId,
  type Span,
} from '@askema/core';
import type {
  CallShape,
  ConditionShape,
  FilterShape,
  NamePart,
  OperandShape,
  QueryBlock,
  RelationRef,
} from '@askema/sql';
import type { ResolvedQuery } from './resolved-query.ts';
import { storedName } from './scope.ts';

/**
 * The attribute that a column stands for, through any number of CTEs, derived tables and aliases; undefined for
 * expressions and for columns whose attribute is not known. `block` is the id of the block, `column` the index into its
 * `columns`.
 */
export function originOf(query: ResolvedQuery, block: number, column: number): AttributeId | undefined {
  const resolved = query.blocks[block]?.columns[column];
  if (resolved?.kind === 'attribute') return resolved.attribute;
  if (resolved?.kind === 'output') return resolved.output.attribute;
  return resolved?.kind === 'alias'
    ? query.blocks[block]?.outputs?.find(({ item }) => item === resolved.item)?.attribute
    : undefined;
}

/** The type of a column, where it is known. A column with a path behind it (`v:a.b`) has none. */
export function typeOfColumn(query: ResolvedQuery, block: number, column: number): DataType | undefined {
  if (query.shape.blocks[block]?.columns[column]?.path !== undefined) return undefined;
  const resolved = query.blocks[block]?.columns[column];
  if (resolved?.kind === 'attribute') return query.index.attribute(resolved.attribute)?.type;
  if (resolved?.kind === 'output') return resolved.output.type;
  if (resolved?.kind !== 'alias') return undefined;
  return query.blocks[block]?.outputs?.find(({ item }) => item === resolved.item)?.type;
}

/** The type of an operand, where its column, its literal or its outermost function tells. */
export function typeOfOperand(query: ResolvedQuery, block: number, operand: OperandShape): DataType | undefined {
  switch (operand.kind) {
    case 'column': {
      const [column] = operand.columns;
      return column === undefined ? undefined : typeOfColumn(query, block, column);
    }
    case 'literal':
      return typeOfLiteral(operand);
    case 'call':
      return typeOfCall(query, block, operand.calls[0]);
    case 'subquery':
      return operand.block === undefined ? undefined : query.blocks[operand.block]?.outputs?.[0]?.type;
    case 'expression':
      return undefined;
  }
}

/** The type of a call: index into the block's `calls`. */
function typeOfCall(query: ResolvedQuery, block: number, call: number | undefined): DataType | undefined {
  const shape = query.shape.blocks[block];
  const found = call === undefined ? undefined : shape?.calls[call];
  if (shape === undefined || found === undefined) return undefined;
  return typeOfCallNamed(query.sql, shape, found, (column) => typeOfColumn(query, block, column));
}

function typeOfLiteral({ literal }: OperandShape): DataType | undefined {
  switch (literal?.type) {
    case 'string':
      return 'TEXT';
    case 'number':
      return 'NUMERIC';
    case 'boolean':
      return 'BOOL';
    case 'typed':
      return /^(date|time|timestamp|datetime)/i.test(literal.dataType ?? '') ? 'DATETIME' : undefined;
    default:
      return undefined;
  }
}

/** The name of an attribute as the dialect writes it; `qualified` puts that of its relation in front. */
export function attributeName(
  query: Pick<ResolvedQuery, 'index' | 'catalog' | 'dialect'>,
  id: AttributeId,
  { qualified = false }: { readonly qualified?: boolean | undefined } = {},
): string {
  const attribute = query.index.attribute(id);
  if (attribute === undefined) return id;
  const name = quoteIfNeeded(attribute.name, query.dialect);
  return qualified ? `${relationName(query, attribute.relation)}.${name}` : name;
}

/** The qualified name of a relation of the catalog as the dialect writes it. */
export function relationName(query: Pick<ResolvedQuery, 'index' | 'catalog' | 'dialect'>, id: RelationId): string {
  const parts = query.catalog.relations[id]?.nameParts ?? { relation: query.index.relation(id)?.name ?? id };
  return qualifiedName(parts, query.dialect);
}

/**
 * The name that the statement itself uses for a relation of FROM, as written: its alias, else its name, else its whole
 * text.
 */
export function relationLabel(query: ResolvedQuery, ref: RelationRef): string {
  const shape = query.shape.blocks[ref.block]?.relations[ref.relation];
  if (shape === undefined) return '';
  const part = shape.alias ?? shape.name.at(-1);
  if (part === undefined) return textOf(query, shape.span);
  const isShared = shape.alias === undefined && shape.name.length > 1 && shape.name[0]?.span.start === part.span.start;
  return isShared ? quoteIfNeeded(part.text, query.dialect) : textOf(query, part.span);
}

/** Whether an attribute is a part of the primary key or of a foreign key of its relation. */
export function isKeyPart({ index }: Pick<ResolvedQuery, 'index'>, id: AttributeId): boolean {
  const relation = index.attribute(id)?.relation;
  if (relation === undefined) return false;
  return (
    index.primaryKey(relation)?.attributes.includes(id) === true ||
    index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id))
  );
}

/**
 * Whether no two rows of a relation agree in these attributes: a primary key, a unique key or a unique attribute is
 * among them.
 */
export function isUniqueIn(
  { index, catalog }: Pick<ResolvedQuery, 'index' | 'catalog'>,
  relation: RelationId,
  attributes: readonly AttributeId[],
): boolean {
  const given = new Set(attributes);
  const holds = (key: readonly AttributeId[]): boolean => key.length > 0 && key.every((id) => given.has(id));
  return (
    holds(index.primaryKey(relation)?.attributes ?? []) ||
    attributes.some((id) => index.attribute(id)?.relation === relation && index.isUnique(id)) ||
    catalog.uniqueKeys.some((key) => key.relation === relation && holds(key.attributes))
  );
}

/**
 * The filters of a clause that hold for every row that passes it: those under ANDs only. For joins, of the condition of
 * the join whose index is given.
 */
export function conjuncts(
  block: QueryBlock,
  clause: 'where' | 'having' | 'qualify' | { readonly join: number },
): readonly FilterShape[] {
  const root = typeof clause === 'string' ? block.conditions[clause] : block.joins[clause.join]?.condition;
  const found: FilterShape[] = [];
  const open: ConditionShape[] = root === undefined ? [] : [root];
  for (let condition = open.pop(); condition !== undefined; condition = open.pop()) {
    if (condition.kind === 'and') open.push(...[...condition.operands].reverse());
    if (condition.kind !== 'filter') continue;
    const filter = block.filters[condition.filter];
    if (filter !== undefined) found.push(filter);
  }
  return found;
}

/** The calls of aggregates of a block, in the order of the text, those of sub-queries left out. */
export function aggregatesOf(block: QueryBlock): readonly CallShape[] {
  return block.calls.filter(({ kind }) => kind === 'aggregate');
}

/** What a span slices. */
export function textOf({ sql }: Pick<ResolvedQuery, 'sql'>, { start, end }: Span): string {
  return sql.slice(start, end);
}

/** Whether two names are the same to the dialect: parts of the statement, or names as they are stored. */
export function isSameName(
  { dialect }: Pick<ResolvedQuery, 'dialect'>,
  a: NamePart | string,
  b: NamePart | string,
): boolean {
  const comparison = dialect.lexer.nameFolding?.comparison ?? dialect.identifiers.comparison;
  const key = (name: NamePart | string): string =>
    foldName(typeof name === 'string' ? name : storedName(dialect, name), comparison);
  return key(a) === key(b);
}

const NUMERIC =
  /^(count|count_if|countif|sum|total|avg|abs|round|ceil|ceiling|floor|length|len|char_length|instr|strpos|sqrt|power|pow|exp|ln|log|log10|mod|sign|row_number|rank|dense_rank|ntile|percent_rank|cume_dist|julianday|unixepoch|stddev|stddev_samp|stddev_pop|variance|var_samp|var_pop|median|approx_count_distinct|approx_distinct|datediff|date_diff|timestamp_diff|datetime_diff|timestampdiff|extract|date_part|year|month|day|hour|minute|second|quarter|week|dayofweek|dayofyear|div0|safe_divide|div)$/i;
const TEXT =
  /^(lower|upper|trim|ltrim|rtrim|substr|substring|replace|concat|concat_ws|group_concat|string_agg|listagg|strftime|to_char|format_date|format_timestamp|typeof|hex|printf|format|left|right|lpad|rpad|initcap|reverse|split_part|regexp_replace|regexp_substr|regexp_extract)$/i;
/** Their result is of the type of their arguments. */
const SAME =
  /^(min|max|coalesce|ifnull|nvl|nullif|any_value|first_value|last_value|nth_value|lag|lead|mode|greatest|least)$/i;

/**
 * The type of a call by the name of its function, where that says it in every engine. SQLite's date functions give
 * text; those of others are left open.
 */
export function typeOfCallNamed(
  sql: string,
  block: QueryBlock,
  call: CallShape,
  typeOfColumn: (column: number) => DataType | undefined,
): DataType | undefined {
  const name = call.name.at(-1)?.text ?? '';
  if (call.name.length > 1) return undefined;
  if (NUMERIC.test(name)) return 'NUMERIC';
  if (TEXT.test(name)) return 'TEXT';
  const argument = SAME.test(name) ? bareArgument(sql, block, call) : undefined;
  return argument === undefined ? undefined : typeOfColumn(argument);
}

/**
 * The column that is the only argument of a call, as index into the block's columns: `MAX(t.a)`, `COUNT(DISTINCT a)`,
 * not `MAX(a + 1)`.
 */
export function bareArgument(sql: string, block: QueryBlock, call: CallShape): number | undefined {
  const [index] = call.columns;
  const column = index === undefined ? undefined : block.columns[index];
  const name = call.name.at(-1);
  if (call.argumentCount !== 1 || column === undefined || name === undefined || column.path !== undefined)
    return undefined;
  const before = sql.slice(name.span.end, column.span.start);
  const behind = sql.slice(column.span.end, call.span.end);
  return /^\s*\(\s*(?:(?:ALL|DISTINCT)\s+)?$/i.test(before) && /^\s*\)/.test(behind) ? index : undefined;
}

/** A column that is compared with a text inside of an expression, where the shape lists no filters. */
interface TextInExpression {
  /** Index into the columns of the block. */
  readonly column: number;
  readonly operator: '=' | '<>';
  /** Without quotes, doubled ones resolved; the span slices it with its quotes. */
  readonly literal: { readonly text: string; readonly span: Span };
}

/** Behind a column: an equality with a text in quotes. Longer texts are not looked at. */
const EQUALS_TEXT = /^\s{0,20}(==?|<>|!=)\s{0,20}'((?:[^'\\]|''){0,200})'/;
const LOOKED_AT = 250;

/**
 * Equalities of columns with texts in SELECT, GROUP BY and ORDER BY, as in `SUM(CASE WHEN publisher = 'Marvel' THEN 1
 * END)`.
 */
export function textsInExpressions(
  { sql }: Pick<ResolvedQuery, 'sql'>,
  block: QueryBlock,
): readonly TextInExpression[] {
  return block.columns.flatMap(({ span, clause }, column) => {
    if (clause !== 'select' && clause !== 'order by' && clause !== 'group by') return [];
    const found = EQUALS_TEXT.exec(sql.slice(span.end, span.end + LOOKED_AT));
    const [whole, operator, text] = found ?? [];
    if (whole === undefined || text === undefined) return [];
    const end = span.end + whole.length;
    return [
      {
        column,
        operator: operator === '<>' || operator === '!=' ? '<>' : '=',
        literal: { text: text.replaceAll("''", "'"), span: { start: end - text.length - 2, end } },
      },
    ];
  });
}
