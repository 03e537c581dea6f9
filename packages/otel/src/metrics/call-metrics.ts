import { costOfUsage, findPrice, type LanguageModel, modelName, type TokenPrices, type Usage } from '@askema/core';
import { type Counter, type Histogram, type Meter, metrics } from '@opentelemetry/api';
import { callAttributes, DATABASE_NAMES, ERROR_TYPE, type ModelNames } from '../names.ts';

export interface CallMetricsOptions {
  readonly meter: Meter | undefined;
  readonly names: ModelNames;
  readonly prices: TokenPrices;
}

interface Instruments {
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

  run(flow: string, outcome: Readonly<Record<string, string>>, error: string | undefined): void {
    this.#instruments.runs.add(1, { 'askema.flow': flow, ...outcome, ...errorType(error) });
  }

  modelCall(
    model: LanguageModel,
    { seconds, usage, error }: { readonly seconds: number; readonly usage?: Usage; readonly error?: string },
  ): void {
    const { names, prices } = this.#options;
    const { tokens, cost, modelSeconds } = this.#instruments;
    const attributes = callAttributes(names, model);
    modelSeconds.record(seconds, { ...attributes, ...errorType(error) });
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
    this.#instruments.statementSeconds.record(seconds, { [DATABASE_NAMES.system]: system, ...errorType(error) });
  }

  /** Made late: instruments of a meter that stood before its SDK stay without effect. */
  get #instruments(): Instruments {
    if (this.#made !== undefined) return this.#made;
    const { meter = metrics.getMeter('@askema/otel'), names } = this.#options;
    this.#made = {
      runs: meter.createCounter('askema.runs', { unit: '{run}', description: 'Runs that ended, by outcome' }),
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

function errorType(code: string | undefined): Readonly<Record<string, string>> {
  return code === undefined ? {} : { [ERROR_TYPE]: code };
}
