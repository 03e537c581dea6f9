import { costOfUsage, findPrice, type LanguageModel, modelName, type TokenPrices, type Usage } from '@askema/core';
import {
  type Attributes,
  type Counter,
  createNoopMeter,
  type Histogram,
  type Meter,
  metrics,
} from '@opentelemetry/api';
import { DATABASE_NAMES, ERROR_TYPE, type ModelNames } from '../names.ts';

export interface CallMetricsOptions {
  readonly meter: Meter | undefined;
  readonly names: ModelNames;
  readonly prices: TokenPrices;
}

/** A call of a model, as it ended. */
interface EndedCall {
  readonly seconds: number;
  readonly usage: Usage | undefined;
  readonly error: string | undefined;
}

interface Instruments {
  /** False where nothing comes of them: there is no SDK of metrics. */
  readonly isOn: boolean;
  readonly runs: Counter;
  readonly tokens: Histogram;
  readonly modelSeconds: Histogram;
  readonly cost: Counter;
  readonly statementSeconds: Histogram;
}

/** Boundaries that the conventions recommend: gen-ai-metrics.md and database-metrics.md. */
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);
const MODEL_SECONDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
const STATEMENT_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** Counts what is done and what it costs. Nothing that a user wrote is an attribute. */
export class CallMetrics {
  readonly #options: CallMetricsOptions;
  #made: Instruments | undefined;

  constructor(options: CallMetricsOptions) {
    this.#options = options;
  }

  /** Whether anybody counts; where not, nothing has to be measured. */
  get isOn(): boolean {
    return this.#instruments.isOn;
  }

  run(flow: string, outcome: Readonly<Record<string, string>>, error: string | undefined): void {
    this.#instruments.runs.add(1, withError({ 'askema.flow': flow, ...outcome }, error));
  }

  modelCall(
    model: Pick<LanguageModel, 'provider' | 'modelId'>,
    attributes: Attributes,
    { seconds, usage, error }: EndedCall,
  ): void {
    const { names, prices } = this.#options;
    const { tokens, cost, modelSeconds } = this.#instruments;
    modelSeconds.record(seconds, withError(attributes, error));
    if (usage === undefined) return;
    for (const [type, count] of [
      ['input', usage.inputTokens],
      ['output', usage.outputTokens],
    ] as const)
      if (count !== undefined) tokens.record(count, { ...attributes, [names.tokenType]: type });
    const price = findPrice(prices, modelName(model), model.modelId);
    const dollars = price && costOfUsage(usage, price);
    if (dollars !== undefined) cost.add(dollars, attributes);
  }

  statement(system: string, seconds: number, error: string | undefined): void {
    this.#instruments.statementSeconds.record(seconds, withError({ [DATABASE_NAMES.system]: system }, error));
  }

  /** Made late: instruments of a meter that stood before its SDK stay without effect. */
  get #instruments(): Instruments {
    if (this.#made !== undefined) return this.#made;
    const { meter = metrics.getMeter('@askema/otel'), names } = this.#options;
    const runs = meter.createCounter('askema.runs', { unit: '{run}', description: 'Runs that ended, by outcome' });
    this.#made = {
      // All counters of the meter that does nothing are one and the same.
      isOn: runs !== createNoopMeter().createCounter(''),
      runs,
      tokens: meter.createHistogram(names.tokenUsage, {
        unit: '{token}',
        description: 'Tokens of a model call',
        advice: { explicitBucketBoundaries: TOKENS },
      }),
      modelSeconds: meter.createHistogram(names.duration, {
        unit: 's',
        description: 'Time of a model call',
        advice: { explicitBucketBoundaries: MODEL_SECONDS },
      }),
      cost: meter.createCounter('askema.model.cost', { unit: '{USD}', description: 'What model calls cost' }),
      statementSeconds: meter.createHistogram(DATABASE_NAMES.duration, {
        unit: 's',
        description: 'Time of a statement',
        advice: { explicitBucketBoundaries: STATEMENT_SECONDS },
      }),
    };
    return this.#made;
  }
}

function withError(attributes: Attributes, code: string | undefined): Attributes {
  return code === undefined ? attributes : { ...attributes, [ERROR_TYPE]: code };
}
