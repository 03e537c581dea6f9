import type { AttributeId, RelationId, Span } from '@askema/core';
import type { ResolvedColumn, ResolvedQuery } from '@askema/lint';
import type { ConditionShape, QueryBlock } from '@askema/sql';
import type { Call, Expression } from '../../expression/expression.ts';
import { tryParseExpression } from '../../expression/parse-expression.ts';
import { mapParts, partsOf } from '../../expression/walk-expression.ts';
import { aggregateColumn, attributeColumn, attributeOf, Unclear } from './computed-column.ts';

/** An aggregate of a statement, its columns followed to their sources. */
export interface AggregateOfBlock {
  readonly call: Call;
  /** Whose rows it is of. */
  readonly block: number;
}

/** A condition of a statement. */
export type RowCondition =
  | { readonly kind: 'computed'; readonly expression: Expression }
  /** Two columns that a join makes equal. */
  | { readonly kind: 'pair'; readonly sides: readonly [AttributeId, AttributeId] }
  /** One that is not read, such as a sub-query. */
  | { readonly kind: 'unread'; readonly text: string };

/** The rows of a block before they are grouped. */
export interface BlockRows {
  /** What FROM reads, through CTEs and sub-queries. */
  readonly relations: ReadonlySet<RelationId>;
  /** Relations without a row of their own where the conditions do not hold, in the order of the joins. */
  readonly outer: readonly { readonly relations: ReadonlySet<RelationId>; readonly on: readonly RowCondition[] }[];
  readonly conditions: readonly RowCondition[];
  /** The block whose groups are the rows. */
  readonly groupsOf: number | undefined;
}

type Rows = { -readonly [Key in keyof BlockRows]: BlockRows[Key] } & {
  relations: Set<RelationId>;
  outer: BlockRows['outer'][number][];
  conditions: RowCondition[];
};

/** Columns that are followed through blocks may double with each of them. */
const MAX_READS = 500;
const MAX_DEPTH = 20;
/** Parts of expressions, and how deep they nest: what walks them is recursive. */
const MAX_SIZE = 20_000;
const MAX_NESTING = 300;

/**
 * Reads what a statement computes: expressions whose columns are those of relations, through CTEs and sub-queries, and
 * whose aggregates know the rows that they are of. Throws `Unclear` for what it does not follow.
 */
export class StatementReader {
  readonly query: ResolvedQuery;
  readonly aggregates: AggregateOfBlock[] = [];
  readonly #rows = new Map<number, BlockRows>();
  #depth = 0;
  #reads = 0;
  #size = 0;

  constructor(query: ResolvedQuery) {
    this.query = query;
  }

  /** Parts of all expressions that were read: what it costs to compute them for one row. */
  get size(): number {
    return this.#size;
  }

  /** An expression of a block. Its aggregates are columns: indexes into `aggregates`. */
  read(block: QueryBlock, { start, end }: Span): Expression {
    const { sql, dialect } = this.query;
    const inside = block.subqueries.filter(({ span }) => span.start >= start && span.end <= end);
    let text = sql.slice(start, end);
    for (const { span, block: id } of inside) {
      const name = `_${id}`.padEnd(span.end - span.start);
      text = text.slice(0, span.start - start) + name + text.slice(span.end - start);
    }
    const parsed = tryParseExpression(text, dialect.lexer);
    if (parsed === undefined) throw new Unclear();
    const columnAt = new Map(block.columns.map(({ span }, at) => [span.start, at]));
    const change = (part: Expression): Expression => {
      if (part.kind === 'column') {
        const at = part.span.start + start;
        const subquery = inside.find(({ span }) => span.start === at);
        if (subquery !== undefined) return this.#onlyValue(subquery.block);
        const column = this.query.blocks[block.id]?.columns[columnAt.get(at) ?? -1];
        return this.#column(block, column);
      }
      const changed = mapParts(part, change);
      if (changed.kind !== 'call' || !changed.isAggregate) return changed;
      this.#size += sizeOf(changed, MAX_NESTING);
      this.aggregates.push({ call: changed, block: block.id });
      return aggregateColumn(this.aggregates.length - 1);
    };
    this.#reads += 1;
    if (this.#depth === MAX_DEPTH || this.#reads > MAX_READS) throw new Unclear();
    this.#depth += 1;
    try {
      const read = change(parsed);
      this.#size += sizeOf(read, MAX_NESTING);
      if (this.#size > MAX_SIZE) throw new Unclear();
      return read;
    } finally {
      this.#depth -= 1;
    }
  }

  #onlyValue(id: number): Expression {
    const block = this.query.shape.blocks[id];
    const [item, ...more] = block?.items ?? [];
    if (block === undefined || item === undefined || more.length > 0 || item.kind === 'star') throw new Unclear();
    if (block.setOperation !== undefined || block.groupings.length > 0 || !item.isAggregate) throw new Unclear();
    return this.read(block, item.expression);
  }

  #column(block: QueryBlock, column: ResolvedColumn | undefined): Expression {
    if (column?.kind === 'attribute') return attributeColumn(column.attribute);
    if (column?.kind === 'alias') return this.#item(block, column.item);
    if (column?.kind !== 'output') throw new Unclear();
    const { output, relation } = column;
    if (output.attribute !== undefined) return attributeColumn(output.attribute);
    const source = this.query.blocks[relation.block]?.relations[relation.relation];
    const inner = source?.kind === 'block' ? this.query.shape.blocks[source.block] : undefined;
    if (inner === undefined || output.item === undefined) throw new Unclear();
    return this.#item(inner, output.item);
  }

  #item(block: QueryBlock, at: number): Expression {
    const item = block.items[at];
    if (item === undefined || item.kind === 'star') throw new Unclear();
    return this.read(block, item.expression);
  }

  /** The rows that the aggregates of a block are of. */
  rowsOf(id: number): BlockRows {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const block = this.query.shape.blocks[id];
    if (block === undefined || block.kind !== 'select') throw new Unclear();
    const made = this.#fromOf(block);
    this.#rows.set(id, made);
    return made;
  }

  #fromOf(block: QueryBlock): BlockRows {
    const rows: Rows = { relations: new Set(), outer: [], conditions: [], groupsOf: undefined };
    for (const [at, relation] of (this.query.blocks[block.id]?.relations ?? []).entries()) {
      const join = block.joins.find((one) => one.relation === at);
      if (join !== undefined && !/^(inner|left|cross|comma)$/.test(join.kind)) throw new Unclear();
      if (join?.natural === true) throw new Unclear();
      if (relation.kind === 'relation')
        this.#add(rows, { relations: new Set([relation.id]) }, join?.kind === 'left', []);
      else if (relation.kind !== 'block') throw new Unclear();
      else {
        const inner = this.query.shape.blocks[relation.block];
        if (inner === undefined || inner.kind !== 'select' || !isUncut(inner)) throw new Unclear();
        if (isGrouped(inner)) {
          const isOnly = block.relations.length === 1 && inner.clauses.having === undefined;
          if (!isOnly || this.#conditions(block, block.conditions.where).length > 0) throw new Unclear();
          return { ...rows, groupsOf: inner.id };
        }
        const { relations, outer, conditions, groupsOf } = this.rowsOf(inner.id);
        if (groupsOf !== undefined) throw new Unclear();
        rows.outer.push(...outer);
        if (join?.kind !== 'left') rows.conditions.push(...conditions);
        this.#add(rows, { relations }, join?.kind === 'left', join?.kind === 'left' ? conditions : []);
      }
      const on = [...this.#conditions(block, join?.condition), ...this.#using(block, at, join?.using ?? [])];
      if (join?.kind !== 'left') rows.conditions.push(...on);
      else {
        const last = rows.outer.at(-1);
        if (last !== undefined) rows.outer[rows.outer.length - 1] = { ...last, on: [...last.on, ...on] };
      }
    }
    rows.conditions.push(...this.#conditions(block, block.conditions.where));
    return rows;
  }

  /** A relation that is read twice has two rows at once: which one is meant, is not followed. */
  #add(rows: Rows, { relations }: Pick<BlockRows, 'relations'>, isOuter: boolean, on: readonly RowCondition[]): void {
    for (const id of relations) {
      if (rows.relations.has(id)) throw new Unclear();
      rows.relations.add(id);
    }
    if (isOuter) rows.outer.push({ relations, on });
  }

  #using(block: QueryBlock, at: number, names: readonly { readonly text: string }[]): RowCondition[] {
    const relations = this.query.blocks[block.id]?.relations ?? [];
    return names.flatMap(({ text }): RowCondition[] => {
      const [own, other] = [relations.slice(at, at + 1), relations.slice(0, at)].map((among) =>
        among.flatMap((one) =>
          one.kind === 'relation' ? (this.query.index.attributeNamed(one.id, text)?.id ?? []) : [],
        ),
      );
      if (own?.[0] === undefined || other?.[0] === undefined) throw new Unclear();
      return [{ kind: 'pair', sides: [own[0], other[0]] }];
    });
  }

  #conditions(block: QueryBlock, condition: ConditionShape | undefined): RowCondition[] {
    if (condition === undefined) return [];
    if (condition.kind === 'and') return condition.operands.flatMap((one) => this.#conditions(block, one));
    const text = this.query.sql.slice(condition.span.start, condition.span.end);
    const made = this.aggregates.length;
    try {
      const expression = this.read(block, condition.span);
      if (this.aggregates.length > made) return [{ kind: 'unread', text }];
      return [pairOf(expression, this.query) ?? { kind: 'computed', expression }];
    } catch (thrown) {
      if (!(thrown instanceof Unclear)) throw thrown;
      return [{ kind: 'unread', text }];
    }
  }
}

/** How many parts an expression has. */
function sizeOf(expression: Expression, nesting: number): number {
  if (nesting === 0) throw new Unclear();
  return partsOf(expression).reduce((size, part) => size + sizeOf(part, nesting - 1), 1);
}

/** Its rows are those that it reads, each once. */
function isUncut(block: QueryBlock): boolean {
  return !block.distinct && block.limit === undefined && block.calls.every(({ kind }) => kind !== 'window');
}

function isGrouped(block: QueryBlock): boolean {
  return block.groupings.length > 0 || block.items.some(({ isAggregate }) => isAggregate);
}

function pairOf(expression: Expression, { index }: ResolvedQuery): RowCondition | undefined {
  if (expression.kind !== 'binary' || expression.operator !== '=') return undefined;
  const [left, right] = [attributeOf(expression.left), attributeOf(expression.right)];
  if (left === undefined || right === undefined) return undefined;
  const isOne = index.attribute(left)?.relation === index.attribute(right)?.relation;
  return isOne ? undefined : { kind: 'pair', sides: [left, right] };
}
