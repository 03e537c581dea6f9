import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { sourceFinder } from '../bind/find-source.ts';
import type { Expression } from '../expression/expression.ts';
import { columnsIn } from '../expression/walk-expression.ts';
import type { TimeGrain } from '../model/semantic-model.ts';
import { nestsIn } from './periods.ts';
import type { Condition } from './plan-request.ts';
import { refused } from './refused.ts';
import { indented, selectText } from './select-text.ts';
import type { Writing } from './writing.ts';

/** The queries in front that give periods, one a row, in the column `period`. */
export class PeriodQueries {
  readonly #writing: Writing;
  readonly #grain: TimeGrain;
  readonly #conditions: readonly Condition[];
  /** Queries that give the periods of data. */
  readonly #data: string[] = [];
  readonly #known = new Map<'all' | 'shown', string>();
  #range: string | undefined;

  constructor(writing: Writing, grain: TimeGrain, conditions: readonly Condition[]) {
    this.#writing = writing;
    this.#grain = grain;
    this.#conditions = conditions.filter(({ isOfTime }) => isOfTime);
  }

  /** Data that the periods have to reach; before any of them is asked for. */
  addData(period: string, query: string): void {
    this.#data.push(selectText({ items: [`${period} AS period`], from: query }).replace('\n', ' '));
  }

  /** True where conditions on the time leave periods out. */
  get areCut(): boolean {
    return this.#conditions.length > 0;
  }

  /** From the first to the last period of the data: `shown` those that the conditions of the request leave. */
  query(which: 'all' | 'shown'): string {
    const part = this.areCut ? which : 'shown';
    const known = this.#known.get(part);
    if (known !== undefined) return known;
    const writing = this.#writing;
    const conditions = part === 'shown' ? this.#conditions : [];
    for (const { expression } of conditions) refuseFields(expression);
    const { sql, where } = this.#candidates();
    const query = writing.query(
      [`${part === 'all' ? 'all_' : ''}${this.#grain}s`],
      selectText({
        items: ['period'],
        from: `(\n${indented(sql)}\n) AS series`,
        where: [...where, ...conditions.map(({ expression }) => writing.condition(expression, () => 'period'))],
      }),
    );
    this.#known.set(part, query);
    return query;
  }

  #candidates(): { readonly sql: string; readonly where: readonly string[] } {
    const writing = this.#writing;
    this.#range ??= writing.query(
      [`${this.#grain}_range`],
      selectText({
        items: ['MIN(period) AS first_period', 'MAX(period) AS last_period'],
        from: `(\n${indented(this.#data.join('\nUNION ALL\n'))}\n) AS data`,
      }),
    );
    const first = `(SELECT first_period FROM ${this.#range})`;
    const last = `(SELECT last_period FROM ${this.#range})`;
    const spine = spineIn(writing.bound, this.#grain);
    if (spine === undefined)
      return { sql: writing.periods.series(first, last, this.#grain), where: ['period IS NOT NULL'] };
    const column = `time_spine.${writing.name(spine.column)}`;
    const period = writing.periods.truncate(writing.periods.day(column), this.#grain);
    const rows = selectText({ items: [`${period} AS period`], from: `${spine.from} AS time_spine` });
    const union = writing.bound.dialect.forms?.setDistinct === 'written' ? 'UNION DISTINCT' : 'UNION';
    // A spine that ends too early must not cut data off.
    return {
      sql: [rows, ...this.#data].join(`\n${union}\n`),
      where: [`period >= ${first}`, `period <= ${last}`],
    };
  }
}

/** A period has no fields. */
function refuseFields(condition: Expression): void {
  const field = columnsIn(condition).find(({ bound }) => bound !== undefined)?.bound;
  if (field === undefined) return;
  throw refused(
    'condition',
    `A condition on metric_time also reads \`${field.dataset}.${field.column}\`, and periods have no fields. ` +
      'Write two conditions.',
  );
}

interface Spine {
  readonly from: string;
  /** As the engine stores it. */
  readonly column: string;
}

const spines = new WeakMap<BoundKnowledge, Map<TimeGrain, Spine | undefined>>();

/** The table of a model that has the periods of a grain. */
function spineIn(bound: BoundKnowledge, grain: TimeGrain): Spine | undefined {
  const known = spines.get(bound) ?? new Map<TimeGrain, Spine | undefined>();
  spines.set(bound, known);
  if (!known.has(grain)) known.set(grain, findSpine(bound, grain));
  return known.get(grain);
}

function findSpine({ knowledge, catalog, dialect }: BoundKnowledge, grain: TimeGrain): Spine | undefined {
  const spine = knowledge.models.find((model) => model.timeSpine && nestsIn(model.timeSpine.grain, grain))?.timeSpine;
  if (spine === undefined) return undefined;
  const source = sourceFinder(catalog, dialect)(spine.source);
  if (source.kind === 'problem') return undefined;
  if (source.kind === 'query') return { from: source.from, column: spine.column };
  const name = spine.column.toLowerCase();
  const column = catalog.schema.attributes.find(
    (attribute) => attribute.relation === source.id && attribute.name.toLowerCase() === name,
  );
  return column && { from: source.from, column: column.name };
}
