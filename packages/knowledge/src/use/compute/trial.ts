import type { AttributeId, RelationId } from '@askema/core';
import type { ColumnName, Expression } from '../../expression/expression.ts';
import { aggregateOf, attributeOf, Unclear } from './computed-column.ts';
import { type CellRules, hashOf, madeUpCell, type Value } from './made-up-cells.ts';
import type { MetricTerms } from './metric-terms.ts';
import { aggregateValue, type CellOf, isTrue, rowValue } from './row-value.ts';
import type { RowCondition, StatementReader } from './statement-reader.ts';

/** A row of a block, or a group of rows. */
interface MadeUpRow {
  /** As the statement sees it. */
  readonly cell: CellOf;
  /** As it is stored: a condition of an outer join hides no column. */
  readonly stored: CellOf;
  /** Relations that give no row here. */
  readonly hidden: ReadonlySet<RelationId>;
  readonly number: number;
}

const ROWS = 120;
const ABSENT_PERCENT = 15;
/** No rows are NULL to SUM, and 0 where CASE has an ELSE: nobody means another metric by it. */
const NOTHING = 0;

/** Statement and definition, computed over the same made-up rows. */
export class Trial {
  readonly #reader: StatementReader;
  readonly #rules: CellRules;
  readonly #seed: number;
  readonly #rows = new Map<number, readonly MadeUpRow[]>();

  constructor(reader: StatementReader, rules: CellRules, seed: number) {
    this.#reader = reader;
    this.#rules = rules;
    this.#seed = seed;
  }

  /** What an expression of the statement gives. */
  ofStatement(expression: Expression): Value {
    return rowValue(expression, (column) => {
      const aggregate = this.#reader.aggregates[aggregateOf(column) ?? -1];
      if (aggregate === undefined) throw new Unclear();
      const rows = this.#rowsOf(aggregate.block).map(({ cell }) => cell);
      return aggregateValue(aggregate.call, rows) ?? NOTHING;
    });
  }

  /**
   * What the definition gives for the rows that the statement looks at: each measure in the rows of a block, those that
   * meet all of `also`.
   */
  ofDefinition(terms: MetricTerms, blocks: readonly number[], also: readonly Expression[]): Value {
    const values = new Map<string, Value>();
    for (const [at, { key, call, home, filters }] of terms.measures.entries()) {
      const rows = this.#rowsOf(blocks[at] ?? -1)
        .filter(({ hidden, cell }) => !hidden.has(home) && also.every((one) => isTrue(rowValue(one, cell))))
        .filter(({ stored }) => filters.every((filter) => isTrue(rowValue(filter, stored))));
      values.set(
        key,
        aggregateValue(
          call,
          rows.map(({ stored }) => stored),
        ),
      );
    }
    return rowValue(terms.value, ({ name }) => values.get(name) ?? NOTHING);
  }

  #rowsOf(block: number): readonly MadeUpRow[] {
    const known = this.#rows.get(block);
    if (known !== undefined) return known;
    const { groupsOf } = this.#reader.rowsOf(block);
    const rows = groupsOf === undefined ? this.#baseRows(block) : this.#groups(groupsOf);
    this.#rows.set(block, rows);
    return rows;
  }

  #baseRows(block: number): readonly MadeUpRow[] {
    const { outer, conditions } = this.#reader.rowsOf(block);
    const rows: MadeUpRow[] = [];
    for (let number = 0; number < ROWS; number += 1) {
      const absent = new Set<RelationId>();
      const hidden = new Set<RelationId>();
      const row = { number, hidden, cell: this.#cells(number, hidden), stored: this.#cells(number, absent) };
      for (const { relations, on } of outer) {
        const isAbsent =
          hashOf(`${this.#seed} ${number} absent ${[...relations].join()}`) % 100 < ABSENT_PERCENT ||
          on.some((one) => one.kind === 'pair' && !this.#areThere(one.sides, absent));
        if (!isAbsent && on.every((one) => this.#holds(one, row))) continue;
        for (const id of relations) hidden.add(id);
        if (isAbsent) for (const id of relations) absent.add(id);
      }
      if (conditions.every((one) => this.#holds(one, row))) rows.push(row);
    }
    return rows;
  }

  #cells(number: number, hidden: ReadonlySet<RelationId>): CellOf {
    return (column: ColumnName) => {
      const id = attributeOf(column);
      if (id === undefined) throw new Unclear();
      const relation = this.#reader.query.index.attribute(id)?.relation;
      if (relation !== undefined && hidden.has(relation)) return null;
      return madeUpCell(this.#seed, number, id, this.#rules);
    };
  }

  #holds(condition: RowCondition, { cell, hidden, number }: MadeUpRow): boolean {
    if (condition.kind === 'computed') return isTrue(rowValue(condition.expression, cell));
    if (condition.kind === 'unread') return hashOf(`${this.#seed} ${number} ${condition.text}`) % 10 < 6;
    return this.#areThere(condition.sides, hidden);
  }

  #areThere(sides: readonly AttributeId[], hidden: ReadonlySet<RelationId>): boolean {
    return sides.every((id) => {
      const relation = this.#reader.query.index.attribute(id)?.relation;
      return relation === undefined || !hidden.has(relation);
    });
  }

  #groups(id: number): readonly MadeUpRow[] {
    const reader = this.#reader;
    const block = reader.query.shape.blocks[id];
    if (block === undefined) throw new Unclear();
    const keys = block.groupings.map(({ kind, item, span }) => {
      if (kind === 'all' || kind === 'sets') throw new Unclear();
      const shown = item === undefined ? undefined : block.items[item];
      try {
        return reader.read(block, shown?.expression ?? span);
      } catch (thrown) {
        if (!(thrown instanceof Unclear)) throw thrown;
        return undefined;
      }
    });
    const groups = new Map<string, MadeUpRow[]>();
    for (const row of this.#rowsOf(id)) {
      const key = keys.map((one) =>
        one === undefined ? hashOf(`${this.#seed} ${row.number}`) % 5 : rowValue(one, row.cell),
      );
      const text = JSON.stringify(key);
      groups.set(text, [...(groups.get(text) ?? []), row]);
    }
    return [...groups.values()].map((rows, number) => {
      const cell: CellOf = (column) => {
        const aggregate = reader.aggregates[aggregateOf(column) ?? -1];
        if (aggregate?.block !== id) throw new Unclear();
        return aggregateValue(
          aggregate.call,
          rows.map((row) => row.cell),
        );
      };
      return { cell, stored: cell, hidden: new Set<RelationId>(), number };
    });
  }
}
