import { snowflakeLexer } from '@askema/dialects';
import { replaceSpans } from '../../expression/replace-spans.ts';
import type { Aggregate, Derived, MetricInput, Ratio } from '../../model/metric-definition.ts';
import { sameName } from '../../model/same-name.ts';
import type { Metric, SemanticModel } from '../../model/semantic-model.ts';
import { limitedTo, readExpressionText } from '../expression-text.ts';
import { compact } from '../plain-object.ts';
import { type Lose, loseParts } from './losses.ts';
import { keptKeys, snowflakeTextOf } from './write-tables.ts';

export interface WrittenMetric {
  /** The table that it is written into; undefined: the view. */
  readonly table: string | undefined;
  readonly written: Readonly<Record<string, unknown>>;
}

/** How a metric is written, or why it is not. */
type Expression = { readonly expr: string; readonly nonAdditive?: readonly object[] } | { readonly refused: string };

/**
 * The metrics that a view can compute as they are defined: sums and their likes in their table, what is made of other
 * metrics in the view. A filter goes into the aggregates. One that stands on a metric that is left out is left out.
 */
export function writeMetrics(model: SemanticModel, lose: Lose): WrittenMetric[] {
  const writer = new MetricWriter(model);
  return model.metrics.flatMap((metric) => {
    const entry = `metric ${metric.name}`;
    const expression = writer.expressionOf(metric);
    if ('refused' in expression) {
      lose(metric, entry, expression.refused);
      return [];
    }
    const { definition } = metric;
    loseParts(metric, metric, entry, lose, {
      instructions: metric.ai?.instructions,
      label: metric.label,
      type: metric.type,
      unit: metric.unit,
      time: definition.kind === 'aggregate' ? definition.time : undefined,
      'empty = 0': definition.empty === 'zero',
    });
    return [
      {
        table: writer.tableOf(metric),
        written: {
          ...compact({
            name: metric.name,
            synonyms: metric.ai?.synonyms,
            description: metric.description,
            expr: expression.expr,
            non_additive_dimensions: expression.nonAdditive,
            access_modifier: metric.isHidden === true ? 'private_access' : undefined,
          }),
          ...keptKeys(metric),
        },
      },
    ];
  });
}

class MetricWriter {
  readonly #model: SemanticModel;
  readonly #metrics: ReadonlyMap<string, Metric>;
  readonly #written = new Map<string, Expression>();

  constructor(model: SemanticModel) {
    this.#model = model;
    this.#metrics = new Map(model.metrics.map((metric) => [metric.name.toLowerCase(), metric]));
  }

  tableOf(metric: Metric): string | undefined {
    if (metric.definition.kind !== 'aggregate') return undefined;
    const { dataset } = metric.definition;
    return this.#model.datasets.find(({ name }) => sameName(name, dataset))?.name;
  }

  expressionOf(metric: Metric): Expression {
    const key = metric.name.toLowerCase();
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    this.#written.set(key, { refused: 'It is made of itself.' });
    const expression = this.#write(metric);
    this.#written.set(key, expression);
    return expression;
  }

  #write({ definition }: Metric): Expression {
    switch (definition.kind) {
      case 'aggregate':
        return this.#aggregate(definition);
      case 'ratio':
        return this.#ratio(definition);
      case 'derived':
        return this.#derived(definition);
      case 'cumulative':
        return { refused: 'Running values are window functions there, written for the dimensions of a query.' };
    }
  }

  #aggregate(definition: Aggregate): Expression {
    const text = snowflakeTextOf(definition.expressions);
    if (text === undefined) return { refused: 'It has no expression for Snowflake, and none for all engines.' };
    const { datasets } = this.#model;
    const qualifiers = readExpressionText(text, snowflakeLexer).names.map((one) => one.qualifier);
    const named = [...qualifiers, definition.dataset].filter((name) => name !== undefined);
    const missing = named.find((name) => !datasets.some((one) => sameName(one.name, name)));
    if (missing !== undefined) return { refused: `Its table \`${missing}\` is left out.` };
    const read = datasets.filter((one) => named.some((name) => sameName(one.name, name)));
    const always = read.filter((one) => one.defaultFilter !== undefined);
    if (always.length > 0 && read.length > 1) return { refused: 'A condition always holds for one of its tables.' };
    const conditions = [definition.filter, ...always.map((one) => one.defaultFilter)].flatMap((one) => one ?? []);
    const { nonAdditive } = definition;
    if (nonAdditive !== undefined && nonAdditive.within.length > 0)
      return { refused: 'The first or last row is taken for each value of a field, which a view cannot say.' };
    const condition = conditions.map((one) => `(${one})`).join(' AND ');
    const expr = conditions.length === 0 ? text : limitedTo(text, condition, snowflakeLexer);
    if (expr === undefined) return { refused: 'Its filter cannot be written into its aggregates.' };
    if (nonAdditive === undefined) return { expr };
    const [table, dimension] = splitField(nonAdditive.field);
    const sort = nonAdditive.choice === 'last' ? 'ascending' : 'descending';
    return { expr, nonAdditive: [compact({ table, dimension, sort_direction: sort })] };
  }

  #ratio(definition: Ratio): Expression {
    if (definition.filter !== undefined) return { refused: FILTERED };
    const [numerator, denominator] = [this.#input(definition.numerator), this.#input(definition.denominator)];
    if (typeof numerator !== 'string') return numerator;
    if (typeof denominator !== 'string') return denominator;
    return { expr: `${numerator} / NULLIF(${denominator}, 0)` };
  }

  #derived(definition: Derived): Expression {
    if (definition.filter !== undefined) return { refused: FILTERED };
    const written = new Map<string, string>();
    for (const input of definition.inputs) {
      const name = this.#input(input);
      if (typeof name !== 'string') return name;
      written.set((input.alias ?? input.metric).toLowerCase(), name);
    }
    const names = readExpressionText(definition.expression, snowflakeLexer).names.filter(
      (one) => one.qualifier === undefined && written.has(one.name.toLowerCase()),
    );
    return {
      expr: replaceSpans(definition.expression, names, (one) => written.get(one.name.toLowerCase()) ?? one.name),
    };
  }

  /** How an expression names a metric. */
  #input(input: MetricInput): string | { readonly refused: string } {
    if (input.offset !== undefined || input.offsetToGrain !== undefined)
      return { refused: `It needs \`${input.metric}\` of another time, which a view cannot say.` };
    if (input.filter !== undefined) return { refused: `It limits \`${input.metric}\`; make a metric of that.` };
    const metric = this.#metrics.get(input.metric.toLowerCase());
    if (metric === undefined) return { refused: `There is no metric \`${input.metric}\` in this model.` };
    if ('refused' in this.expressionOf(metric)) return { refused: `It needs \`${metric.name}\`, which is left out.` };
    const table = this.tableOf(metric);
    return table === undefined ? metric.name : `${table}.${metric.name}`;
  }
}

const FILTERED = 'It limits other metrics; make metrics with that filter, and this one of them.';

function splitField(field: string): readonly [string | undefined, string] {
  const dot = field.indexOf('.');
  return dot === -1 ? [undefined, field] : [field.slice(0, dot), field.slice(dot + 1)];
}
