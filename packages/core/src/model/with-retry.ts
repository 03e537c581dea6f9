import { AskemaError, isAskemaError, throwIfAborted } from '../errors/askema-error.ts';
import { checkNumber, checkWhole } from '../errors/check-option.ts';
import type { Runtime } from '../ports/runtime.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { emitEvent } from './emit-event.ts';
import type { LanguageModel, ModelRequest } from './language-model.ts';
import { modelName, wrapModel } from './wrap-model.ts';

export interface RetryOptions {
  /** Calls in all, the first one included. Default: 4. */
  readonly maxAttempts?: number | undefined;
  /** The first wait is random between 0 and this; each further bound is twice the one before. Default: 500. */
  readonly baseDelayMs?: number | undefined;
  /** No random wait is longer. Default: 30,000. */
  readonly maxDelayMs?: number | undefined;
  /** A vendor that asks to wait longer than this is not asked again: its error is the result. Default: 60,000. */
  readonly maxRetryAfterMs?: number | undefined;
  readonly runtime?: Partial<Pick<Runtime, 'sleep' | 'random'>> | undefined;
}

interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxRetryAfterMs: number;
  readonly runtime: Runtime;
}

/**
 * Calls the model again when a call failed with an error that is `retryable`. Waits with exponential backoff and full
 * jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), on top of what the vendor asks
 * for in Retry-After. The wait ends at once with `ABORTED` when the caller aborts. Each retry emits a `model-retry`
 * event. A stream is tried again only while nothing of it has arrived.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that make no sense. Calls reject with the last error.
 */
export function withRetry(model: LanguageModel, options: RetryOptions = {}): LanguageModel {
  const policy = retryPolicy('withRetry', options);
  return wrapModel(model, {
    generate: (request) => retried(model, request, policy, () => model.generate(request)),
    async *stream(request, inner) {
      for (let attempt = 1; ; attempt++) {
        let begun = false;
        try {
          for await (const event of inner(request)) {
            begun = true;
            yield event;
          }
          return;
        } catch (error) {
          if (begun) throw error;
          await waitOrThrow(model, request, policy, attempt, error);
        }
      }
    },
  });
}

/**
 * Calls the embedding model again, as {@link withRetry} does. What is called again is the whole `embed`: pass it no more
 * texts than fit into one request where none may be paid for twice.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that make no sense. Calls reject with the last error.
 */
export function withEmbeddingRetry(model: EmbeddingModel, options: RetryOptions = {}): EmbeddingModel {
  const policy = retryPolicy('withEmbeddingRetry', options);
  return {
    provider: model.provider,
    modelId: model.modelId,
    dimensions: model.dimensions,
    embed: (texts, context) => retried(model, { context, sample: 0 }, policy, () => model.embed(texts, context)),
  };
}

function retryPolicy(name: string, options: RetryOptions): RetryPolicy {
  return {
    maxAttempts: checkWhole(`${name}.maxAttempts`, options.maxAttempts ?? 4),
    baseDelayMs: checkNumber(`${name}.baseDelayMs`, options.baseDelayMs ?? 500),
    maxDelayMs: checkNumber(`${name}.maxDelayMs`, options.maxDelayMs ?? 30_000),
    maxRetryAfterMs: checkNumber(`${name}.maxRetryAfterMs`, options.maxRetryAfterMs ?? 60_000),
    runtime: systemRuntime(options.runtime),
  };
}

/** Who is called. */
type Called = Pick<LanguageModel, 'provider' | 'modelId'>;

async function retried<Result>(
  model: Called,
  request: Pick<ModelRequest, 'context' | 'sample'>,
  policy: RetryPolicy,
  call: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      await waitOrThrow(model, request, policy, attempt, error);
    }
  }
}

/** Waits before the next attempt, or throws when there is to be none. */
async function waitOrThrow(
  model: Called,
  request: Pick<ModelRequest, 'context' | 'sample'>,
  policy: RetryPolicy,
  attempt: number,
  error: unknown,
): Promise<void> {
  if (!isAskemaError(error) || !error.retryable) throw error;
  const { signal } = request.context;
  throwIfAborted(signal, `The call of ${modelName(model)}`);
  const retryAfterMs = error.details.retryAfterMs ?? 0;
  if (attempt >= policy.maxAttempts) throw lastError(error, attempt, `This was attempt ${attempt} of ${attempt}.`);
  if (retryAfterMs > policy.maxRetryAfterMs) {
    const asked = `It asks to wait ${Math.ceil(retryAfterMs / 1000)} s, which is more than \`maxRetryAfterMs\` allows.`;
    throw lastError(error, attempt, asked);
  }
  const delayMs = retryAfterMs + backoffDelay(attempt, policy, policy.runtime.random);
  emitEvent(request.context, 'model-retry', {
    provider: model.provider,
    modelId: model.modelId,
    sample: request.sample,
    attempt,
    delayMs,
    code: error.code,
    status: error.details.status,
  });
  await policy.runtime.sleep(delayMs, signal);
}

/** Full jitter: anything between 0 and the bound of this attempt, in whole milliseconds. */
export function backoffDelay(
  attempt: number,
  bounds: { readonly baseDelayMs: number; readonly maxDelayMs: number },
  random: () => number,
): number {
  // Beyond 2^52 the product only grows towards infinity, and 0 times infinity is not a number.
  const bound = bounds.baseDelayMs * 2 ** Math.min(attempt - 1, 52);
  return Math.floor(random() * Math.min(bounds.maxDelayMs, bound));
}

function lastError(error: AskemaError, attempts: number, why: string): AskemaError {
  return new AskemaError(error.code, `${error.message} ${why}`, {
    retryable: error.retryable,
    details: { ...error.details, attempts },
    cause: error.cause,
  });
}
