import { isAskemaError } from '../errors/askema-error.ts';
import { countTokensRoughly } from '../ports/count-tokens-roughly.ts';
import { textOfRequest } from './budget-reservation.ts';
import { emitEvent } from './emit-event.ts';
import type { LanguageModel, ModelRequest, ModelResult } from './language-model.ts';
import { createRateLimit, type EnteredCall, type RateLimit, type RateLimitOptions } from './rate-limit.ts';
import { wrapModel } from './wrap-model.ts';

/** What an answer is taken to have until one has come, where the request sets no limit. */
const ASSUMED_OUTPUT_TOKENS = 1000;

/**
 * Keeps calls of a model within what its vendor lets through in a minute, over everything that uses this model: calls
 * wait for their turn instead of failing with `MODEL_RATE_LIMITED`. Pass one {@link RateLimit} to several models that
 * the vendor counts together. A call is held against the limit with an estimate of its tokens until its usage is known.
 * When the vendor says "too many" all the same, all calls wait as long as it asks. Each wait emits a `model-wait` event
 * with `limit` and `delayMs`; it ends at once with `ABORTED` when the caller aborts.
 *
 * Order of wrappers: `withCache(withRetry(withRateLimit(model, …)), …)` counts each attempt and no cache hit.
 *
 * @throws AskemaError `CONFIG_INVALID` for limits that make no sense.
 */
export function withRateLimit(model: LanguageModel, limit: RateLimit | RateLimitOptions): LanguageModel {
  const shared = 'enter' in limit ? limit : createRateLimit(limit);
  const outputs = new RunningMean(ASSUMED_OUTPUT_TOKENS);

  const enter = async (request: ModelRequest) => {
    const inputTokens = countTokensRoughly(textOfRequest(request));
    const outputTokens = request.maxOutputTokens ?? outputs.mean;
    const call = await shared.enter(inputTokens + outputTokens, request.context.signal, ({ limit, delayMs }) => {
      const waitMs = Number.isFinite(delayMs) ? delayMs : undefined;
      const { provider, modelId } = model;
      emitEvent(request.context, 'model-wait', { provider, modelId, sample: request.sample, limit, delayMs: waitMs });
    });
    return { call, inputTokens, outputTokens };
  };
  const settle = ({ call, inputTokens, outputTokens }: Entered, result: ModelResult): void => {
    if (result.cached !== undefined) {
      call.settle(0, 0);
      return;
    }
    const { usage } = result;
    if (usage.outputTokens !== undefined) outputs.add(usage.outputTokens);
    call.settle(usage.inputTokens ?? inputTokens, usage.outputTokens ?? outputTokens);
  };
  // Vendors count the input of what failed as well.
  const settleFailed = ({ call, inputTokens }: Entered, error: unknown): void => {
    call.settle(inputTokens, 0);
    if (isAskemaError(error) && error.code === 'MODEL_RATE_LIMITED') shared.pause(error.details.retryAfterMs ?? 0);
  };

  return wrapModel(model, {
    async generate(request) {
      const entered = await enter(request);
      try {
        const result = await model.generate(request);
        settle(entered, result);
        return result;
      } catch (error) {
        settleFailed(entered, error);
        throw error;
      }
    },
    async *stream(request, inner) {
      const entered = await enter(request);
      let failure: unknown;
      try {
        for await (const event of inner(request)) {
          if (event.type === 'finish') settle(entered, event.result);
          yield event;
        }
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        // Without effect when the stream was settled; also reached when the reader leaves early.
        settleFailed(entered, failure);
      }
    },
  });
}

interface Entered {
  readonly call: EnteredCall;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Follows what comes, the newest the most. */
class RunningMean {
  #mean: number;
  #known = false;

  constructor(assumed: number) {
    this.#mean = assumed;
  }

  get mean(): number {
    return Math.ceil(this.#mean);
  }

  add(value: number): void {
    this.#mean = this.#known ? this.#mean * 0.9 + value * 0.1 : value;
    this.#known = true;
  }
}
