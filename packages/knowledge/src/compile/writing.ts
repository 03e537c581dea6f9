import { quoteIfNeeded } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { writeExpression } from '../expression/write-expression.ts';
import { type Periods, periodsOf } from './periods.ts';
import type { NamedQuery } from './select-text.ts';
import { UniqueNames } from './unique-names.ts';

interface WritingOptions {
  readonly fanOut: 'refuse' | 'once';
  readonly fiscal: boolean;
  /** Columns of the result. */
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
}

/** What the writers of one statement share. */
export class Writing {
  readonly bound: BoundKnowledge;
  readonly fanOut: 'refuse' | 'once';
  /** Queries in front of the statement, in the order in which they are read. */
  readonly queries: NamedQuery[] = [];
  /** Datasets that are read, by their defined names. */
  readonly datasets = new Set<string>();
  readonly #columnNames: UniqueNames;
  readonly #queryNames: UniqueNames;
  readonly #fiscal: boolean;
  #periods: Periods | undefined;

  constructor(bound: BoundKnowledge, options: WritingOptions) {
    this.bound = bound;
    this.fanOut = options.fanOut;
    this.#fiscal = options.fiscal;
    this.#columnNames = new UniqueNames(bound.dialect, [
      ...options.dimensions,
      'period',
      'first_period',
      'last_period',
    ]);
    const taken = [...tableNames(bound), ...options.dimensions, ...options.metrics];
    this.#queryNames = new UniqueNames(bound.dialect, taken);
  }

  get periods(): Periods {
    this.#periods ??= periodsOf(this.bound, this.#fiscal);
    return this.#periods;
  }

  /** Puts a query in front; its name, as it stands in SQL. */
  query(names: readonly string[], sql: string): string {
    const free = this.#queryNames.take(...names);
    this.#columnNames.reserve(free);
    const name = this.alias(free);
    this.queries.push({ name, sql });
    return name;
  }

  /**
   * A column of a query in front. It differs from those of all others, and from their names: to BigQuery, the name of a
   * table in FROM stands for the whole row.
   */
  column(wanted: string): string {
    const name = this.#columnNames.take(wanted);
    this.#queryNames.reserve(name);
    return name;
  }

  /** A name of a result or of a column in between. */
  name(text: string): string {
    return quoteIfNeeded(text, this.bound.dialect);
  }

  /** A name that only this statement knows: folded, so that it needs no quotes. */
  alias(text: string): string {
    const { unquotedFolding } = this.bound.dialect.identifiers;
    if (unquotedFolding === 'none') return this.name(text);
    return this.name(unquotedFolding === 'upper' ? text.toUpperCase() : text.toLowerCase());
  }

  /** A dataset in FROM or JOIN. */
  source({ dataset, from }: BoundDataset): string {
    this.datasets.add(dataset.name);
    const alias = this.alias(dataset.name);
    return from === alias ? from : `${from} AS ${alias}`;
  }

  /** A column of a dataset that is in FROM. */
  sourceColumn(dataset: string, column: string): string {
    return `${this.alias(dataset)}.${this.name(column)}`;
  }

  /** An expression over columns of datasets; where `column` has something else, over that. */
  expression(expression: Expression, column?: (name: ColumnName) => string | undefined): string {
    return writeExpression(expression, this.bound.dialect, {
      column: (name) =>
        column?.(name) ??
        (name.bound === undefined ? this.name(name.name) : this.sourceColumn(name.bound.dataset, name.bound.column)),
    });
  }

  /**
   * One of a list of conditions that all hold, over columns of datasets; `day` stands for `metric_time`, and `moment`,
   * where there is one, for what is compared with the first day of a range or the one behind it.
   */
  condition(expression: Expression, day: () => string, moment?: string | undefined): string {
    const time = moment !== undefined && isEndOfRange(expression) ? () => moment : day;
    const text = this.expression(expression, ({ bound }) => (bound === undefined ? time() : undefined));
    return expression.kind === 'binary' && expression.operator === 'OR' ? `(${text})` : text;
  }
}

/** `metric_time >= DATE '2024-01-01'`, or `<`. */
function isEndOfRange(expression: Expression): boolean {
  if (expression.kind !== 'binary' || (expression.operator !== '>=' && expression.operator !== '<')) return false;
  const { left, right } = expression;
  return left.kind === 'column' && left.bound === undefined && right.kind === 'literal' && right.type === 'date';
}

const names = new WeakMap<BoundKnowledge, readonly string[]>();

/** A query in front of the statement would stand for a table of its name, so it must not have one. */
function tableNames(bound: BoundKnowledge): readonly string[] {
  let known = names.get(bound);
  if (known === undefined) {
    const relations = bound.catalog.schema.relations.map(({ name }) => name);
    known = [...relations, ...[...bound.datasets.values()].map(({ dataset }) => dataset.name)];
    names.set(bound, known);
  }
  return known;
}
