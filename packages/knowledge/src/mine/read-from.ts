import type { RelationId } from '@askema/core';
import type { ConditionShape, JoinShape, QueryBlock } from '@askema/sql';
import type { Expression } from '../expression/expression.ts';
import { columnsIn } from '../expression/walk-expression.ts';
import { type NormalForms, normalConditions } from './normal-form.ts';
import type { Sides } from './sides.ts';
import { hasUnknown, isUsedColumn, type StatementReader, type UsedColumn } from './statement-reader.ts';

/** Two relations that a statement joins, by columns that are equal. */
export interface UsedJoin {
  readonly pairs: readonly (readonly [UsedColumn, UsedColumn])[];
}

/** What the rows of a block are, plain sub-queries and CTEs taken apart. */
export interface RowsOf {
  /** Relations of the catalog, by the name of their use. */
  readonly uses: ReadonlyMap<string, RelationId>;
  readonly joins: readonly UsedJoin[];
  /** Conditions that every row meets, in normal form; those with values that are not known are left out. */
  readonly conditions: readonly Expression[];
  /** Nothing else decides which rows there are, and how often. */
  readonly isWhole: boolean;
  /** One of the conditions that were left out picks by a value: no limit of a range. */
  readonly hasUnknown: boolean;
}

interface OpenRows {
  readonly uses: Map<string, RelationId>;
  readonly pairs: [UsedColumn, UsedColumn][];
  readonly conditions: Expression[];
  isWhole: boolean;
  hasUnknown: boolean;
}

/** Reads FROM and WHERE of blocks, each once. */
export class RowsReader {
  readonly #reader: StatementReader;
  readonly #forms: NormalForms;
  readonly #rows = new Map<number, RowsOf>();

  constructor(reader: StatementReader, forms: NormalForms) {
    this.#reader = reader;
    this.#forms = forms;
  }

  rowsOf(block: QueryBlock): RowsOf {
    const known = this.#rows.get(block.id);
    if (known !== undefined) return known;
    const rows: OpenRows = {
      uses: new Map(),
      pairs: [],
      conditions: [],
      isWhole: block.kind === 'select',
      hasUnknown: false,
    };
    // A recursive CTE finds itself here.
    this.#rows.set(block.id, { uses: new Map(), joins: [], conditions: [], isWhole: false, hasUnknown: false });
    for (const at of block.relations.keys()) this.#readRelation(block, at, rows);
    for (const join of block.joins) this.#readJoin(block, join, rows);
    if (block.conditions.where !== undefined) this.#readCondition(block, block.conditions.where, rows, true);
    const { pairs, ...rest } = rows;
    const read = { ...rest, joins: joinsOf(pairs) };
    this.#rows.set(block.id, read);
    return read;
  }

  #readRelation(block: QueryBlock, at: number, rows: OpenRows): void {
    const resolved = this.#reader.query.blocks[block.id]?.relations[at];
    if (resolved?.kind === 'relation') {
      rows.uses.set(`${block.id}:${at}`, resolved.id);
      return;
    }
    const inner = resolved?.kind === 'block' ? this.#reader.query.shape.blocks[resolved.block] : undefined;
    if (inner === undefined || !isPlain(inner)) {
      rows.isWhole = false;
      return;
    }
    const { uses, joins, conditions, isWhole, hasUnknown: isPicked } = this.rowsOf(inner);
    // A CTE that is read twice would have the same uses for different rows.
    if ([...uses.keys()].some((use) => rows.uses.has(use))) {
      rows.isWhole = false;
      return;
    }
    rows.isWhole &&= isWhole;
    rows.hasUnknown ||= isPicked;
    for (const [use, relation] of uses) rows.uses.set(use, relation);
    rows.pairs.push(...joins.flatMap(({ pairs }) => pairs.map(([a, b]): [UsedColumn, UsedColumn] => [a, b])));
    rows.conditions.push(...conditions);
  }

  #readJoin(block: QueryBlock, join: JoinShape, rows: OpenRows): void {
    const limits = ['inner', 'cross', 'comma'].includes(join.kind);
    if (join.natural || !(limits || ['left', 'right', 'full'].includes(join.kind))) rows.isWhole = false;
    if (join.condition !== undefined) this.#readCondition(block, join.condition, rows, limits);
    for (const { text } of join.using) {
      const far = this.#reader.columnNamed(block.id, join.relation, text);
      for (let before = join.relation - 1; before >= 0; before -= 1) {
        const near = this.#reader.columnNamed(block.id, before, text);
        if (near === undefined) continue;
        this.#pair(near, far, rows);
        break;
      }
    }
  }

  #readCondition(block: QueryBlock, condition: ConditionShape, rows: OpenRows, limits: boolean): void {
    if (condition.kind === 'and') {
      for (const operand of condition.operands) this.#readCondition(block, operand, rows, limits);
      return;
    }
    const filter = condition.kind === 'filter' ? block.filters[condition.filter] : undefined;
    const [values] = filter?.right ?? [];
    if (filter?.operator === 'in' && !filter.negated && values?.block !== undefined) {
      this.#readIn(block, filter.left.columns[0], values.block, rows);
      return;
    }
    const expression = this.#reader.expression(block.id, condition.span);
    if (expression !== undefined && this.#isPair(expression, rows)) return;
    if (!limits) return;
    if (expression !== undefined && !hasUnknown(expression))
      rows.conditions.push(...normalConditions(expression, this.#forms));
    else if (filter === undefined || !RANGES.has(filter.operator)) rows.hasUnknown = true;
  }

  /** `a IN (SELECT b FROM …)` joins, too. */
  #readIn(block: QueryBlock, column: number | undefined, inner: number, rows: OpenRows): void {
    const far = this.#reader.query.shape.blocks[inner];
    const [item, second] = far?.items ?? [];
    const [other] = item?.columns ?? [];
    if (far === undefined || item?.kind !== 'column' || second !== undefined) return;
    if (column === undefined || other === undefined) return;
    this.#pair(this.#reader.column(block.id, column), this.#reader.column(far.id, other), rows);
  }

  #isPair(expression: Expression, rows: OpenRows): boolean {
    if (expression.kind !== 'binary' || expression.operator !== '=') return false;
    return this.#pair(expression.left, expression.right, rows);
  }

  #pair(a: Expression | undefined, b: Expression | undefined, { pairs }: OpenRows): boolean {
    if (a === undefined || b === undefined || !isUsedColumn(a) || !isUsedColumn(b)) return false;
    if (a.qualifier[0] === b.qualifier[0]) return false;
    pairs.push(a.qualifier[0] < b.qualifier[0] ? [a, b] : [b, a]);
    return true;
  }
}

/** Periods and amounts: what somebody asks at the time. */
const RANGES: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', 'between']);

/** Its rows are rows of what it reads. */
function isPlain(block: QueryBlock): boolean {
  return (
    block.kind === 'select' &&
    !block.distinct &&
    block.limit === undefined &&
    block.groupings.length === 0 &&
    block.calls.every(({ kind }) => kind === 'scalar')
  );
}

function joinsOf(pairs: readonly [UsedColumn, UsedColumn][]): readonly UsedJoin[] {
  const byUses = Map.groupBy(pairs, ([a, b]) => `${a.qualifier[0]} ${b.qualifier[0]}`);
  return [...byUses.values()].map((same) => ({ pairs: same }));
}

/** The use from which all others are reached with one row each; undefined where rows are repeated. */
export function baseOf(rows: RowsOf, sides: Sides): string | undefined {
  for (const base of rows.uses.keys()) {
    const reached = new Set([base]);
    for (const at of reached) {
      for (const { pairs } of rows.joins) {
        for (const [near, far] of [
          [0, 1],
          [1, 0],
        ] as const) {
          const use = pairs[0]?.[far].qualifier[0] ?? '';
          const relation = rows.uses.get(use);
          if (pairs[0]?.[near].qualifier[0] !== at || relation === undefined || reached.has(use)) continue;
          const columns = pairs.map((pair) => pair[far].bound.column);
          if (sides(relation, columns) !== 'no') reached.add(use);
        }
      }
    }
    if (reached.size === rows.uses.size) return base;
  }
  return undefined;
}

/** The columns of `expression`, all of one use; undefined where they are not. */
export function useOf(expression: Expression): string | undefined {
  const uses = new Set(columnsIn(expression).map(({ qualifier }) => qualifier[0]));
  const [only] = uses;
  return uses.size === 1 ? only : undefined;
}

/** Whether a relation is used once, so that its name says which use is meant. */
export function isUsedOnce(rows: RowsOf, use: string): boolean {
  const relation = rows.uses.get(use);
  return [...rows.uses.values()].filter((one) => one === relation).length === 1;
}
