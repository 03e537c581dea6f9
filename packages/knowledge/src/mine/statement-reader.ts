import type { AttributeId, RelationId, Span } from '@askema/core';
import type { OutputColumn, ResolvedQuery } from '@askema/lint';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { tryParseExpression } from '../expression/parse-expression.ts';
import { mapParts, walkExpression } from '../expression/walk-expression.ts';
import { sameName } from '../model/same-name.ts';

/** What relations and columns are called in definitions. */
export interface DefinedNames {
  readonly dataset: (relation: RelationId) => string;
  readonly column: (column: ColumnName) => string;
}

/** The values of the literals of a statement. */
export interface LiteralValues {
  /** By their offset; undefined for one that is not known. */
  readonly texts: ReadonlyMap<number, string | undefined>;
  /** Offsets of all others that are not known. */
  readonly unknown: ReadonlySet<number>;
}

/** Stands for a value that is not known; no text of a statement has it. */
const UNKNOWN = '\u0000';
const NOWHERE = { start: 0, end: 0 };
/** Expressions that are read for one statement: names of CTEs that are made of each other double with each of them. */
const MAX_READ = 2_000;

/** A column of a relation in FROM: `qualifier` tells two uses of one relation apart. */
export interface UsedColumn extends ColumnName {
  readonly qualifier: readonly [use: string];
  readonly bound: NonNullable<ColumnName['bound']>;
}

/** Follows columns and expressions through CTEs and derived tables to the relations of the catalog. */
export class StatementReader {
  readonly query: ResolvedQuery;
  readonly #values: LiteralValues;
  readonly #names: DefinedNames;
  #left = MAX_READ;

  constructor(query: ResolvedQuery, values: LiteralValues, names: DefinedNames) {
    this.query = query;
    this.#values = values;
    this.#names = names;
  }

  /** What stands there, over columns of the catalog; undefined where it cannot be told or is not for definitions. */
  expression(block: number, span: Span): Expression | undefined {
    this.#left -= 1;
    if (this.#left < 0) return undefined;
    const { sql, dialect } = this.query;
    const parsed = tryParseExpression(sql.slice(span.start, span.end), dialect.lexer);
    let isWhole = parsed !== undefined;
    const read = (part: Expression): Expression => {
      const start = span.start + part.span.start;
      const end = span.start + part.span.end;
      if (part.kind === 'literal') return this.#literal(part, start, end);
      if (part.kind !== 'column') return mapParts(part, read);
      const columns = this.query.shape.blocks[block]?.columns ?? [];
      const at = columns.findIndex((one) => one.span.start >= start && one.span.end <= end);
      const found = at < 0 ? undefined : this.column(block, at);
      isWhole &&= found !== undefined;
      return found ?? part;
    };
    const expression = parsed && read(parsed);
    return isWhole ? expression : undefined;
  }

  /** Whether definitions have words for it. */
  canSay({ start, end }: Span): boolean {
    const { sql, dialect } = this.query;
    return tryParseExpression(sql.slice(start, end), dialect.lexer) !== undefined;
  }

  column(block: number, column: number): Expression | undefined {
    const resolved = this.query.blocks[block]?.columns[column];
    if (this.query.shape.blocks[block]?.columns[column]?.path !== undefined) return undefined;
    if (resolved?.kind === 'attribute') return this.#attribute(resolved.attribute, resolved.relation);
    if (resolved?.kind !== 'output') return undefined;
    const { relation } = resolved;
    return this.#output(this.query.blocks[relation.block]?.relations[relation.relation], resolved.output);
  }

  /** The column of that name of a relation in FROM. */
  columnNamed(block: number, relation: number, name: string): Expression | undefined {
    const resolved = this.query.blocks[block]?.relations[relation];
    if (resolved?.kind === 'relation') {
      const found = this.query.index.attributesOf(resolved.id).find((one) => sameName(one.name, name));
      return found && this.#attribute(found.id, { block, relation });
    }
    if (resolved?.kind !== 'block') return undefined;
    const outputs = this.query.blocks[resolved.block]?.outputs;
    return this.#output(
      resolved,
      outputs?.find((one) => sameName(one.name, name)),
    );
  }

  #output(
    relation: ResolvedQuery['blocks'][number]['relations'][number] | undefined,
    output: OutputColumn | undefined,
  ): Expression | undefined {
    if (relation?.kind !== 'block' || output?.item === undefined) return undefined;
    const inner = this.query.shape.blocks[relation.block];
    const item = inner?.items[output.item];
    if (inner === undefined || item === undefined || item.isAggregate) return undefined;
    const [column] = item.columns;
    if (item.kind === 'column') return column === undefined ? undefined : this.column(inner.id, column);
    if (item.kind === 'expression') return this.expression(inner.id, item.expression);
    if (output.relation === undefined || output.name === undefined) return undefined;
    return this.columnNamed(output.relation.block, output.relation.relation, output.name);
  }

  #attribute(id: AttributeId, ref: { readonly block: number; readonly relation: number }): UsedColumn | undefined {
    const attribute = this.query.index.attribute(id);
    if (attribute === undefined) return undefined;
    const { name, relation, type } = attribute;
    return {
      kind: 'column',
      qualifier: [`${ref.block}:${ref.relation}`],
      name,
      isQuoted: true,
      bound: { dataset: this.#names.dataset(relation), column: name, type },
      span: NOWHERE,
    };
  }

  #literal(literal: Extract<Expression, { kind: 'literal' }>, start: number, end: number): Expression {
    const { texts, unknown } = this.#values;
    const isIn = (at: number): boolean => at >= start && at < end;
    if (literal.type === 'number')
      return [...unknown].some(isIn) ? { ...literal, type: 'string', value: UNKNOWN } : literal;
    if (literal.type === 'boolean' || literal.type === 'null') return literal;
    const value = [...texts].find(([at]) => isIn(at))?.[1];
    return { ...literal, type: 'string', value: value ?? UNKNOWN };
  }
}

/** Whether a value in it is not known. */
export function hasUnknown(expression: Expression): boolean {
  let found = false;
  walkExpression(expression, (part) => {
    found ||= part.kind === 'literal' && part.value === UNKNOWN;
  });
  return found;
}

/** Columns of relations, each with the use of its relation. */
export function isUsedColumn(expression: Expression): expression is UsedColumn {
  return expression.kind === 'column' && expression.bound !== undefined && expression.qualifier.length === 1;
}
