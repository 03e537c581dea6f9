import { didYouMean } from '@askema/core';
import type { MetricDefinition, MetricInput, TimeWindow } from '../../../model/metric-definition.ts';
import { sameName } from '../../../model/same-name.ts';
import type { Metric, TimeGrain } from '../../../model/semantic-model.ts';
import type { Loss } from '../../conversion.ts';
import type { DbtInput, DbtMeasure, DbtMetric, DbtWindow } from '../project/dbt-project.ts';
import { timeGrain } from '../project/read-measure.ts';
import { attempt, Unsayable } from '../unsayable.ts';
import { buildAggregate } from './build-aggregate.ts';
import { type BuiltDataset, standingOf } from './build-datasets.ts';
import { type FilterScope, readCondition } from './entity-paths.ts';

/** Metrics of metrics are followed so far. */
const MAX_DEPTH = 200;

interface FoundMeasure {
  readonly built: BuiltDataset;
  readonly measure: DbtMeasure;
}

/** All metrics of a project, in the order of the files; those that cannot be carried over whole are in `lost`. */
export function buildMetrics(
  written: readonly DbtMetric[],
  datasets: readonly BuiltDataset[],
  lost: Loss[],
): readonly Metric[] {
  return new MetricBuilder(written, datasets, lost).all();
}

class MetricBuilder {
  /** By name in lower case; undefined: it was lost, or it is being built. */
  readonly #done = new Map<string, Metric | undefined>();
  readonly #scopes = new Map<string, FilterScope>();
  readonly #measures = new Map<string, FoundMeasure>();
  readonly #written: ReadonlyMap<string, DbtMetric>;
  readonly #datasets: readonly BuiltDataset[];
  readonly #lost: Loss[];
  #depth = 0;

  constructor(written: readonly DbtMetric[], datasets: readonly BuiltDataset[], lost: Loss[]) {
    this.#datasets = datasets;
    this.#lost = lost;
    this.#written = new Map(written.map((metric) => [metric.name.toLowerCase(), metric]));
    for (const built of datasets)
      for (const measure of built.model.measures) this.#measures.set(measure.name.toLowerCase(), { built, measure });
  }

  all(): readonly Metric[] {
    for (const name of this.#written.keys()) this.#metric(name);
    const used = new Set([...this.#written.values()].map(({ measure }) => measure?.name.toLowerCase()));
    for (const { measure } of this.#measures.values())
      if (measure.isMetric || !used.has(measure.name.toLowerCase())) attempt(() => this.#ofMeasure(measure.name));
    return [...this.#done.values()].filter((metric) => metric !== undefined);
  }

  #metric(name: string): Metric | undefined {
    const key = name.toLowerCase();
    const written = this.#written.get(key);
    if (this.#done.has(key) || written === undefined || this.#depth >= MAX_DEPTH) return this.#done.get(key);
    this.#done.set(key, undefined);
    this.#depth += 1;
    const definition = attempt(() => this.#define(written));
    this.#depth -= 1;
    // What it is made of comes first.
    this.#done.delete(key);
    if (definition instanceof Unsayable) {
      this.#lost.push({ what: `metric ${written.name}`, place: written.place, reason: definition.message });
      this.#done.set(key, undefined);
      return undefined;
    }
    const metric: Metric = {
      name: written.name,
      label: written.label === written.name ? undefined : written.label,
      description: written.description ?? this.#descriptionOfMeasure(written),
      definition: written.isZeroWhenEmpty ? { ...definition, empty: 'zero' } : definition,
      extensions: [],
      standing: standingOf(written),
    };
    this.#done.set(key, metric);
    return metric;
  }

  #define(written: DbtMetric): MetricDefinition {
    switch (written.type) {
      case 'simple':
        return this.#simple(written);
      case 'ratio':
        return this.#ratio(written);
      case 'derived':
        return this.#derived(written);
      case 'cumulative':
        return this.#cumulative(written);
      default:
        throw new Unsayable(`\`${written.type}\` is no type of metric that is known here`);
    }
  }

  #simple(written: DbtMetric): MetricDefinition {
    const found = this.#aggregated(written);
    const { measure } = found;
    const definition = buildAggregate(found.built, measure);
    if (measure.description !== undefined && ![undefined, measure.description].includes(written.description))
      this.#lost.push({
        what: `measure ${measure.name}: description`,
        place: measure.place,
        reason: `the metric ${written.name} has one of its own`,
      });
    const scope = scopeOf(found);
    this.#scopes.set(written.name.toLowerCase(), scope);
    return this.#filtered(definition, [...(written.measure?.filters ?? []), ...written.filters], scope);
  }

  #aggregated(written: DbtMetric): FoundMeasure {
    const own = written.aggregate;
    if (own !== undefined) {
      const built = this.#datasets.find((one) => sameName(one.model.name, own.model));
      if (built === undefined) throw new Unsayable(`its semantic model ${own.model} is not there`);
      return { built, measure: own.measure };
    }
    if (written.measure === undefined) throw new Unsayable('it does not say what it aggregates');
    return this.#findMeasure(written.measure.name);
  }

  #descriptionOfMeasure({ type, measure }: DbtMetric): string | undefined {
    if (type !== 'simple' || measure === undefined) return undefined;
    return this.#measures.get(measure.name.toLowerCase())?.measure.description;
  }

  #findMeasure(name: string): FoundMeasure {
    const found = this.#measures.get(name.toLowerCase());
    if (found !== undefined) return found;
    const hint = didYouMean(name, this.#measures.keys());
    throw new Unsayable(`no semantic model has a measure \`${name}\`. ${hint}`.trim());
  }

  #ratio(written: DbtMetric): MetricDefinition {
    if (written.numerator === undefined || written.denominator === undefined)
      throw new Unsayable('a ratio needs a numerator and a denominator');
    // An alias names an input in an expression, and a ratio has none.
    const numerator = this.#input({ ...written.numerator, alias: undefined });
    const denominator = this.#input({ ...written.denominator, alias: undefined });
    const scope = this.#scopeOfInputs(written, [numerator, denominator]);
    return this.#filtered({ kind: 'ratio', numerator, denominator }, written.filters, scope);
  }

  #derived(written: DbtMetric): MetricDefinition {
    if (written.expr === undefined) throw new Unsayable('it has no `expr`');
    const inputs = written.inputs.map((one) => this.#input(one));
    const scope = this.#scopeOfInputs(written, inputs);
    return this.#filtered({ kind: 'derived', expression: written.expr, inputs }, written.filters, scope);
  }

  #cumulative(written: DbtMetric): MetricDefinition {
    const of = written.input ?? written.measure;
    if (of === undefined) throw new Unsayable('it does not say what it sums up');
    const metric = written.input === undefined ? this.#ofMeasure(of.name) : of.name;
    const input = this.#input({ ...of, name: metric });
    const window = written.window && windowOf(written.window);
    const grainToDate = grainOf(written.grainToDate);
    if (written.periodAggregation !== 'last')
      this.#lost.push({
        what: `metric ${written.name}: period_agg`,
        place: written.place,
        reason: `of a period that is coarser than a day, the value at its end counts; dbt takes the ${written.periodAggregation ?? 'first'}`,
      });
    const scope = this.#scopeOfInputs(written, [input]);
    const definition = {
      kind: 'cumulative' as const,
      input,
      ...(window && { window }),
      ...(grainToDate && { grainToDate }),
    };
    return this.#filtered(definition, written.filters, scope);
  }

  /** The metric that is nothing but a measure; where there is none, one is made. */
  #ofMeasure(name: string): string {
    const found = this.#findMeasure(name);
    const { measure } = found;
    const definition = attempt(() => buildAggregate(found.built, measure));
    const isZero = !(definition instanceof Unsayable) && definition.empty === 'zero';
    const same = [...this.#written.values()].find(
      (metric) =>
        metric.type === 'simple' &&
        (isZero || !metric.isZeroWhenEmpty) &&
        metric.filters.length + (metric.measure?.filters.length ?? 0) === 0 &&
        sameName(metric.measure?.name ?? '', name),
    );
    if (same !== undefined) return same.name;
    const own = this.#written.has(name.toLowerCase()) ? `${measure.name}_measure` : measure.name;
    if (this.#done.get(own.toLowerCase()) !== undefined) return own;
    if (definition instanceof Unsayable) {
      this.#lost.push({ what: `measure ${measure.name}`, place: measure.place, reason: definition.message });
      throw definition;
    }
    this.#scopes.set(own.toLowerCase(), scopeOf(found));
    this.#done.set(own.toLowerCase(), {
      name: own,
      label: measure.label,
      description: measure.description,
      definition,
      extensions: [],
      standing: standingOf(measure),
    });
    return own;
  }

  #input(written: DbtInput): MetricInput {
    const metric = this.#metric(written.name);
    if (metric === undefined) throw new Unsayable(this.#withoutInput(written.name));
    const offset = written.offset && windowOf(written.offset);
    const offsetToGrain = grainOf(written.offsetToGrain);
    const input = {
      metric: metric.name,
      ...(written.alias !== undefined && { alias: written.alias }),
      ...(offset && { offset }),
      ...(offsetToGrain && { offsetToGrain }),
    };
    return this.#filtered(input, written.filters, this.#scopes.get(metric.name.toLowerCase()));
  }

  #withoutInput(name: string): string {
    if (this.#written.has(name.toLowerCase())) return `it needs the metric ${name}, which is lost or needs it in turn`;
    return `there is no metric \`${name}\`. ${didYouMean(name, this.#written.keys())}`.trim();
  }

  #scopeOfInputs(written: DbtMetric, inputs: readonly MetricInput[]): FilterScope {
    const scopes = inputs.flatMap((input) => this.#scopes.get(input.metric.toLowerCase()) ?? []);
    const scope = {
      from: [...new Set(scopes.flatMap(({ from }) => from))],
      times: scopes.flatMap(({ times }) => times),
    };
    this.#scopes.set(written.name.toLowerCase(), scope);
    return scope;
  }

  #filtered<T extends object>(
    one: T,
    filters: readonly string[],
    scope: FilterScope = { from: [], times: [] },
  ): T & { readonly filter?: string } {
    const conditions = filters.map((filter) => {
      const condition = attempt(() => readCondition(filter, scope, this.#datasets));
      if (typeof condition === 'string') return condition;
      throw new Unsayable(`its filter cannot be read: ${condition.message}`);
    });
    if (conditions.length === 0) return one;
    return {
      ...one,
      filter: conditions.length === 1 ? conditions.join() : conditions.map((it) => `(${it})`).join(' AND '),
    };
  }
}

function scopeOf({ built, measure }: FoundMeasure): FilterScope {
  const time =
    measure.time === undefined ? built.dataset.defaultTime : built.dimensions.get(measure.time.toLowerCase());
  return { from: [built], times: [time === undefined ? undefined : `${built.dataset.name}.${time}`] };
}

function grainOf(written: string | undefined): TimeGrain | undefined {
  const grain = timeGrain(written);
  if (written !== undefined && grain === undefined) throw new Unsayable(`\`${written}\` is no unit of time here`);
  return grain;
}

function windowOf({ count, unit }: DbtWindow): TimeWindow {
  const grain = timeGrain(unit);
  if (grain === undefined || count < 1) throw new Unsayable(`a window of ${count} ${unit} is not known here`);
  return { count, unit: grain };
}
