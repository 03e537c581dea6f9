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
import { type RepeatedRows, repeatedRows } from './repeated-rows.ts';
import { StatementReader } from './statement-reader.ts';

/** Something with aggregates that a statement computes. */
interface Computed {
  /** Undefined where it cannot be followed. */
  readonly expression: Expression | undefined;
  readonly span: Span;
  /** An aggregate is written there, and not only followed from there. */
  readonly isAggregate: boolean;
  /** What the statement calls it. */
  readonly name: string | undefined;
  /** It is a column of the result, and no step on the way. */
  readonly isShown: boolean;
}

/** What a statement computes of a metric, and where. */
export type Found =
  | { readonly verdict: Verdict; readonly span: Span }
  | { readonly verdict: 'repeated'; readonly span: Span; readonly repeated: RepeatedRows };

/** A statement of a machine may compute a lot. */
const MAX_COMPUTED = 60;
/** Parts of expressions that are computed, comparison by comparison: about a second. */
const MAX_WORK = 50_000;
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
  readonly #terms = new Map<AnalysedMetric, MetricTerms | undefined>();
  readonly #verdicts = new Map<Expression, Map<MetricTerms, Verdict>>();
  #computed: readonly Computed[] | undefined;
  #work = 0;

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
    const found = this.#judgeAll(analysed, terms, isCalledSo);
    return found?.verdict === 'same' ? (this.#overRepeatedRows(terms) ?? found) : found;
  }

  #judgeAll(analysed: AnalysedMetric, terms: MetricTerms, isCalledSo: (alias: string) => boolean): Found | undefined {
    const computed = this.#all();
    const allCalled = computed.filter(({ name }) => name !== undefined && isCalledSo(name));
    const shown = allCalled.filter(({ isShown }) => isShown);
    const called = shown.length > 0 ? shown : allCalled;
    // What is made of a step, and whether the step is the metric or a part of it, cannot be told.
    const isOpen = computed.some(({ isShown, expression }) => isShown && expression === undefined);
    if (shown.length === 0 && allCalled.length > 0 && isOpen) return undefined;
    const judged = called.map((one) => ({ verdict: this.#judge(one, terms), span: one.span }));
    const isSame = (of: MetricTerms): boolean => computed.some((one) => this.#samePart(one, of) !== undefined);
    const other = judged.find(({ verdict }) => verdict === 'other');
    if (other !== undefined) return this.#isStatistic && isSame(terms) ? { ...other, verdict: 'same' } : other;
    const [first] = judged;
    if (first !== undefined) return judged.find(({ verdict }) => verdict === 'unclear') ?? first;
    const whole = this.#reader.query.shape.statement;
    if (isSame(terms) || (this.#isStatistic && othersOf(terms).some(isSame))) return { verdict: 'same', span: whole };
    if (computed.some(({ expression, isAggregate }) => expression === undefined && isAggregate)) return undefined;
    return this.#likeIt(analysed, terms);
  }

  #samePart(computed: Computed, terms: MetricTerms): Expression | undefined {
    return this.#partsOf(computed).find((part) => this.#compare(part, terms) === 'same');
  }

  /** The formula is right, and a join repeats the rows that it is of. */
  #overRepeatedRows(terms: MetricTerms): Found | undefined {
    for (const computed of this.#all()) {
      const part = this.#samePart(computed, terms);
      const repeated = part && clear(() => repeatedRows(part, terms, this.#reader));
      if (repeated !== undefined) return { verdict: 'repeated', span: computed.span, repeated };
    }
    return undefined;
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
    const known = this.#verdicts.get(expression) ?? new Map<MetricTerms, Verdict>();
    this.#verdicts.set(expression, known);
    const verdict = known.get(terms) ?? this.#compareNow(expression, terms);
    known.set(terms, verdict);
    return verdict;
  }

  #compareNow(expression: Expression, terms: MetricTerms): Verdict {
    this.#work += this.#reader.size;
    return this.#work > MAX_WORK ? 'unclear' : compareMetric(expression, terms, this.#reader);
  }

  #resembles(expression: Expression, terms: MetricTerms): boolean {
    return clear(() => resembles(expression, terms, this.#reader)) === true;
  }

  #termsOf(analysed: AnalysedMetric): MetricTerms | undefined {
    if (!this.#terms.has(analysed))
      this.#terms.set(
        analysed,
        clear(() => termsOf(analysed, this.#bound, this.#reader.query.index)),
      );
    return this.#terms.get(analysed);
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
    const items = block.items.flatMap(({ kind, expression: span, alias, columns, isAggregate }) => {
      const name = alias ?? (kind === 'column' ? block.columns[columns[0] ?? -1]?.name : undefined);
      return kind === 'star' ? [] : [{ span, name, isAggregate }];
    });
    const sides = block.filters
      .filter(({ clause }) => clause === 'having')
      .flatMap(({ left, right }) => [left, ...right]);
    const others = [...sides, ...block.orderBy]
      .filter((one) => one.calls.length > 0)
      .map(({ span }) => ({ span: this.#withoutDirection(span), name: undefined, isAggregate: false }));
    return [...items, ...others].flatMap(({ span, name, isAggregate }): Computed[] => {
      const expression = clear(() => this.#reader.read(block, span));
      const has = expression === undefined || aggregatesIn(expression, this.#reader).length > 0;
      return has ? [{ expression, isAggregate, span, name: name?.text, isShown: block.id === 0 }] : [];
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
