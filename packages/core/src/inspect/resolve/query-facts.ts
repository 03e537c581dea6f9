import { qualifiedName, quoteIfNeeded } from '../../adapter/quote-name.ts';
import type {
  CallShape,
  ConditionShape,
  FilterShape,
  NamePart,
  OperandShape,
  QueryBlock,
  RelationRef,
  Span,
} from '../../ports/query-shape.ts';
import type { AttributeId, DataType, RelationId } from '../../schema/schema.ts';
import { foldName } from '../../schema/schema-id.ts';
import type { ResolvedColumn, ResolvedQuery, ResolvedRelation } from '../resolved-query.ts';
import { typeOfCallNamed } from './call-types.ts';
import { storedName } from './name-keys.ts';

/** What a column means. `block` is the id of its block, `column` the index into the block's `columns`. */
export function columnAt(query: ResolvedQuery, block: number, column: number): ResolvedColumn | undefined {
  return query.blocks[block]?.columns[column];
}

/** The relation of a reference. */
export function relationAt(query: ResolvedQuery, ref: RelationRef): ResolvedRelation | undefined {
  return query.blocks[ref.block]?.relations[ref.relation];
}

/** The attribute that a column is, through any number of CTEs, derived tables and aliases; undefined where it is none or an expression. */
export function originOf(query: ResolvedQuery, block: number, column: number): AttributeId | undefined {
  const resolved = columnAt(query, block, column);
  if (resolved?.kind === 'attribute') return resolved.attribute;
  if (resolved?.kind === 'output') return resolved.output.attribute;
  return resolved?.kind === 'alias'
    ? query.blocks[block]?.outputs?.find(({ item }) => item === resolved.item)?.attribute
    : undefined;
}

/** The type of a column, where it is known. A column with a path behind it (`v:a.b`) has none. */
export function typeOfColumn(query: ResolvedQuery, block: number, column: number): DataType | undefined {
  if (query.shape.blocks[block]?.columns[column]?.path !== undefined) return undefined;
  const resolved = columnAt(query, block, column);
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
export function typeOfCall(query: ResolvedQuery, block: number, call: number | undefined): DataType | undefined {
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

/** How the statement itself calls a relation of FROM, as it is written there: its alias, else its name; its text where it has neither. */
export function relationLabel(query: ResolvedQuery, ref: RelationRef): string {
  const shape = query.shape.blocks[ref.block]?.relations[ref.relation];
  if (shape === undefined) return '';
  const part = shape.alias ?? shape.name.at(-1);
  if (part === undefined) return textOf(query, shape.span);
  const isShared = shape.alias === undefined && shape.name.length > 1 && shape.name[0]?.span.start === part.span.start;
  return isShared ? quoteIfNeeded(part.text, query.dialect) : textOf(query, part.span);
}

/** Whether no two rows of a relation agree in these attributes: a primary key, a unique key or a unique attribute is among them. */
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
 * The filters of a clause that hold for every row that passes it: those under ANDs only. For joins, of the condition of the join whose index
 * is given.
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
