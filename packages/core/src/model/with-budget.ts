import { throwIfAborted } from '../errors/askema-error.ts';
import type { Budget } from './budget.ts';
import type { LanguageModel, ModelRequest, StreamEvent } from './language-model.ts';
import { withWarnings } from './with-cache.ts';
import { modelName, wrapModel } from './wrap-model.ts';

/**
 * Counts every call of the model against a budget, which other models and parallel calls may share, see {@link Budget}.
 * A call that the budget does not allow is not sent: it rejects with `BUDGET_EXCEEDED`. When `maxSeconds` is over, the
 * call under way is stopped with the same error.
 *
 * Order of wrappers: `withCache(withRetry(withBudget(model, budget)), …)` counts each attempt and no cache hit. With
 * several models, wrap each one before `withFallback`, so that each has its own price.
 *
 * @throws AskemaError `CONFIG_INVALID` when the budget limits money and has no price for the model.
 */
export function withBudget(model: LanguageModel, budget: Budget): LanguageModel {
  budget.throwUnlessPriced(model);
  return wrapModel(model, {
    async generate(request) {
      throwIfAborted(request.context.signal, `The call of ${modelName(model)}`);
      const reservation = budget.reserve(model, request);
      const timer = startTimer(budget, request);
      try {
        const result = await timer.race(model.generate(timer.request));
        return withWarnings(result, reservation.settle(result));
      } catch (thrown) {
        const error = timer.errorOf(thrown);
        reservation.settleFailed(error);
        throw error;
      } finally {
        timer.end();
      }
    },
    async *stream(request, inner) {
      throwIfAborted(request.context.signal, `The call of ${modelName(model)}`);
      const reservation = budget.reserve(model, request);
      const timer = startTimer(budget, request);
      let failure: unknown = new Error('The reader left the stream before its end.');
      try {
        for await (const event of raced(inner(timer.request), timer)) {
          if (event.type !== 'finish') yield event;
          else yield { type: 'finish', result: withWarnings(event.result, reservation.settle(event.result)) };
        }
      } catch (thrown) {
        failure = timer.errorOf(thrown);
        throw failure;
      } finally {
        // Without effect when the stream was settled. A reader who leaves early has paid for what was generated.
        reservation.settleFailed(failure);
        timer.end();
      }
    },
  });
}

interface Timer {
  /** The request with a signal that also fires when the time is over. */
  readonly request: ModelRequest;
  race<T>(pending: Promise<T>): Promise<T>;
  /** What really ended the call: the stop of an expired budget reaches the model as an abort. */
  errorOf(thrown: unknown): unknown;
  end(): void;
}

function startTimer(budget: Budget, request: ModelRequest): Timer {
  if (budget.remainingMs() === undefined)
    return { request, race: (pending) => pending, errorOf: (thrown) => thrown, end: () => {} };
  const { context } = request;
  const ended = new AbortController();
  const stop = new AbortController();
  let expiry: unknown;
  const expired = budget.expire(ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) {
      expiry = error;
      stop.abort();
    }
    throw error;
  });
  // Whoever races it also handles it; this is for a call that ends before it is raced.
  expired.catch(() => {});
  const signal = context.signal === undefined ? stop.signal : AbortSignal.any([context.signal, stop.signal]);
  return {
    request: { ...request, context: { ...context, signal } },
    race: (pending) => Promise.race([pending, expired]),
    errorOf: (thrown) => (context.signal?.aborted ? thrown : (expiry ?? thrown)),
    end: () => ended.abort(),
  };
}

/** The events of a stream, each awaited no longer than the budget lasts. */
async function* raced(events: AsyncIterable<StreamEvent>, timer: Timer): AsyncGenerator<StreamEvent> {
  const iterator = events[Symbol.asyncIterator]();
  let over = false;
  try {
    while (true) {
      const next = await timer.race(iterator.next());
      if (next.done) {
        over = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a model that ignores its signal would hold the reader.
    if (!over) iterator.return?.(undefined).catch(() => {});
  }
}
