import { costOfUsage, findPrice, type LanguageModel, modelName, type TokenPrices, type Usage } from '@askema/core';
import {
  type Attributes,
  type Counter,
  createNoopMeter,
  type Histogram,
  type Meter,
  metrics,
} from '@opentelemetry/api';
import { DATABASE_NAMES, ERROR_TYPE, type ModelNames, type Operation } from '../names.ts';
import { SCOPE } from '../scope.ts';

export interface CallMetricsOptions {
  readonly meter: Meter | undefined;
  readonly names: ModelNames;
  readonly prices: TokenPrices;
}

/** A call of a model, as it ended. */
interface EndedCall {
  readonly operation: Operation;
  /** Its operation, provider and model. */
  readonly attributes: Attributes;
  readonly seconds: number;
  /** Of an answer that came in chunks. */
  readonly secondsToFirstChunk?: number | undefined;
  readonly usage: Usage | undefined;
  readonly error: string | undefined;
}

interface Instruments {
  /** False without an SDK of metrics. */
  readonly isOn: boolean;
  readonly runs: Counter;
  readonly runSeconds: Histogram;
  readonly tokens: Readonly<Record<keyof Usage, Counter>>;
  readonly modelSeconds: Readonly<Record<Operation, Histogram>>;
  readonly secondsToFirstChunk: Histogram;
  readonly cost: Counter;
  readonly statementSeconds: Histogram;
}

/** Boundaries that the conventions recommend: client-inference.md and database-metrics.md. */
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

  /** `seconds` is undefined where the run waits for an answer. */
  run(attributes: Readonly<Record<string, string>>, seconds: number | undefined, error: string | undefined): void {
    const { runs, runSeconds } = this.#instruments;
    const all = withError(attributes, error);
    runs.add(1, all);
    if (seconds !== undefined) runSeconds.record(seconds, all);
  }

  modelCall(model: Pick<LanguageModel, 'provider' | 'modelId'>, call: EndedCall): void {
    const { names, prices } = this.#options;
    const { tokens, cost, modelSeconds, secondsToFirstChunk } = this.#instruments;
    const { operation, attributes, usage } = call;
    modelSeconds[operation].record(call.seconds, withError(attributes, call.error));
    if (call.secondsToFirstChunk !== undefined) secondsToFirstChunk.record(call.secondsToFirstChunk, attributes);
    if (usage === undefined) return;
    // Prompts, answers and what is embedded are texts.
    const ofText = { ...attributes, [names.modality]: 'text' };
    for (const [kind, counter] of Object.entries(tokens)) {
      const count = usage[kind as keyof Usage];
      if (count !== undefined) counter.add(count, ofText);
    }
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
    const { meter = metrics.getMeter(...SCOPE), names } = this.#options;
    const runs = meter.createCounter('askema.runs', { unit: '{run}', description: 'Runs that ended, by outcome' });
    const seconds = (name: string, description: string, explicitBucketBoundaries = MODEL_SECONDS): Histogram =>
      meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } });
    const tokens = (name: string, description: string): Counter =>
      meter.createCounter(name, { unit: '{token}', description });
    this.#made = {
      // All counters of the meter that does nothing are one and the same.
      isOn: runs !== createNoopMeter().createCounter(''),
      runs,
      runSeconds: seconds('askema.run.duration', 'Time of a run'),
      tokens: {
        inputTokens: tokens(names.usage.inputTokens, 'Tokens that went into models'),
        outputTokens: tokens(names.usage.outputTokens, 'Tokens that models wrote'),
        cachedInputTokens: tokens(
          names.usage.cachedInputTokens,
          'Of the input, what came from a cache of the provider',
        ),
        cacheWriteTokens: tokens(names.usage.cacheWriteTokens, 'Of the input, what went into a cache of the provider'),
        reasoningTokens: tokens(names.usage.reasoningTokens, 'Of the output, what was reasoning'),
      },
      modelSeconds: {
        chat: seconds(names.seconds.chat, 'Time of a model call'),
        embeddings: seconds(names.seconds.embeddings, 'Time of a call for embeddings'),
      },
      secondsToFirstChunk: seconds(names.secondsToFirstChunk, 'Time until an answer begins to come'),
      cost: meter.createCounter('askema.model.cost', { unit: '{USD}', description: 'What model calls cost' }),
      statementSeconds: seconds(DATABASE_NAMES.duration, 'Time of a statement', STATEMENT_SECONDS),
    };
    return this.#made;
  }
}

function withError(attributes: Attributes, code: string | undefined): Attributes {
  return code === undefined ? attributes : { ...attributes, [ERROR_TYPE]: code };
}
