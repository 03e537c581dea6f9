import type { Span } from '@askema/core';
import type { ResolvedQuery } from '@askema/lint';
import type { QueryBlock } from '@askema/sql';
import type { BoundKnowledge } from '../../bind/bound-knowledge.ts';
import type { AnalysedMetric } from '../../compile/analyse-metric.ts';
import type { Expression } from '../../expression/expression.ts';
import { walkExpression } from '../../expression/walk-expression.ts';
import { aggregatesIn, compareMetric, resembles, type Verdict } from './compare-metric.ts';
import { Unclear } from './computed-column.ts';
import { type MetricTerms, termsOf } from './metric-terms.ts';
import { StatementReader } from './statement-reader.ts';

/** Something with aggregates that a statement computes. */
interface Computed {
  /** Undefined where it cannot be followed. */
  readonly expression: Expression | undefined;
  readonly span: Span;
  /** What the statement calls it. */
  readonly alias: { readonly name: string; readonly span: Span } | undefined;
}

/** What a statement computes of a metric, and where. */
export interface Found {
  readonly verdict: Verdict;
  readonly span: Span;
}

/** A statement of a machine may compute a lot. */
const MAX_COMPUTED = 60;
/** The question asks for another figure of what the metric is a sum of. */
const STATISTIC =
  /\b(average|averages|mean|median|max|maximum|highest|largest|biggest|most|min|minimum|lowest|smallest|least)\b/i;
const OTHER_AGGREGATES = ['AVG', 'MIN', 'MAX', 'MEDIAN'];

/** What a statement computes, held against metrics. */
export class ComputedStatement {
  readonly #bound: BoundKnowledge;
  readonly #reader: StatementReader;
  readonly #isStatistic: boolean;
  readonly #others: readonly AnalysedMetric[];
  #computed: readonly Computed[] | undefined;

  /** @param others the metrics that question and statement name. */
  constructor(query: ResolvedQuery, said: string, others: readonly AnalysedMetric[], bound: BoundKnowledge) {
    this.#bound = bound;
    this.#reader = new StatementReader(query);
    this.#isStatistic = STATISTIC.test(said);
    this.#others = others;
  }

  /** Undefined where nothing of it can be told. */
  check(analysed: AnalysedMetric, isCalledSo: (alias: string) => boolean): Found | undefined {
    const terms = this.#termsOf(analysed);
    if (terms === undefined) return undefined;
    const computed = this.#all();
    const called = computed.filter(({ alias }) => alias !== undefined && isCalledSo(alias.name));
    const judged = called.map((one) => ({ verdict: this.#judge(one, terms), span: one.alias?.span ?? one.span }));
    const isSame = (of: MetricTerms): boolean =>
      computed.some((one) => this.#partsOf(one).some((part) => this.#compare(part, of) === 'same'));
    const other = judged.find(({ verdict }) => verdict === 'other');
    if (other !== undefined) return this.#isStatistic && isSame(terms) ? { ...other, verdict: 'same' } : other;
    const [first] = judged;
    if (first !== undefined) return judged.find(({ verdict }) => verdict === 'unclear') ?? first;
    const whole = this.#reader.query.shape.statement;
    if (isSame(terms) || (this.#isStatistic && othersOf(terms).some(isSame))) return { verdict: 'same', span: whole };
    if (computed.some(({ expression }) => expression === undefined)) return undefined;
    return this.#likeIt(analysed, terms);
  }

  /** What is made of the columns of the metric, gives something else, and is no other metric that is named. */
  #likeIt(analysed: AnalysedMetric, terms: MetricTerms): Found | undefined {
    const others = this.#others.filter((one) => one !== analysed).flatMap((one) => this.#termsOf(one) ?? []);
    const like = this.#all().filter(({ expression }) => {
      if (expression === undefined || !this.#resembles(expression, terms)) return false;
      return others.every((one) => this.#compare(expression, one) !== 'same');
    });
    const judged = like.map((one) => ({ verdict: this.#judge(one, terms), span: one.span }));
    return judged.every(({ verdict }) => verdict === 'other') ? judged[0] : undefined;
  }

  #judge({ expression }: Computed, terms: MetricTerms): Verdict {
    return expression === undefined ? 'unclear' : this.#compare(expression, terms);
  }

  #compare(expression: Expression, terms: MetricTerms): Verdict {
    return compareMetric(expression, terms, this.#reader);
  }

  #resembles(expression: Expression, terms: MetricTerms): boolean {
    return clear(() => resembles(expression, terms, this.#reader)) === true;
  }

  #termsOf(analysed: AnalysedMetric): MetricTerms | undefined {
    return clear(() => termsOf(analysed, this.#bound, this.#reader.query.index));
  }

  /** An expression and all in it that has aggregates. */
  #partsOf({ expression }: Computed): readonly Expression[] {
    const parts: Expression[] = [];
    if (expression !== undefined)
      walkExpression(expression, (part) => {
        const isComputed = aggregatesIn(part, this.#reader).length > 0;
        if (isComputed) parts.push(part);
        return isComputed;
      });
    return parts.slice(0, MAX_COMPUTED);
  }

  #all(): readonly Computed[] {
    this.#computed ??= this.#reader.query.shape.blocks.flatMap((block) => this.#ofBlock(block)).slice(0, MAX_COMPUTED);
    return this.#computed;
  }

  #ofBlock(block: QueryBlock): readonly Computed[] {
    const items = block.items.flatMap(({ kind, expression, alias, isAggregate }) =>
      kind === 'star' ? [] : [{ span: expression, alias, isAggregate }],
    );
    const sides = block.filters
      .filter(({ clause }) => clause === 'having')
      .flatMap(({ left, right }) => [left, ...right]);
    const others = [...sides, ...block.orderBy]
      .filter((one) => one.calls.length > 0)
      .map(({ span }) => ({ span: this.#withoutDirection(span), alias: undefined, isAggregate: false }));
    return [...items, ...others].flatMap(({ span, alias, isAggregate }): Computed[] => {
      const expression = clear(() => this.#reader.read(block, span));
      const has = expression === undefined ? isAggregate : aggregatesIn(expression, this.#reader).length > 0;
      return has ? [{ expression, span, alias: alias && { name: alias.text, span: alias.span } }] : [];
    });
  }

  #withoutDirection({ start, end }: Span): Span {
    const text = this.#reader.query.sql.slice(start, end);
    return { start, end: start + text.replace(DIRECTION, '').length };
  }
}

const DIRECTION = /\s+(?:ASC|DESC)?(?:\s+NULLS\s+(?:FIRST|LAST))?$/i;

/** The same with another aggregate, where there is only one. */
function othersOf(terms: MetricTerms): readonly MetricTerms[] {
  const [only, more] = terms.measures;
  if (only === undefined || more !== undefined) return [];
  return OTHER_AGGREGATES.map((name) => ({ ...terms, measures: [{ ...only, call: { ...only.call, name } }] }));
}

function clear<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Unclear) return undefined;
    throw thrown;
  }
}
