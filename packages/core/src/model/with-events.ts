import { isAskemaError } from '../errors/askema-error.ts';
import type { Runtime } from '../ports/runtime.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { wasNotSent } from './budget-reservation.ts';
import { emitEvent } from './emit-event.ts';
import type { LanguageModel, ModelRequest, ModelResult } from './language-model.ts';
import { visibleRequest } from './visible-request.ts';
import { wrapModel } from './wrap-model.ts';

/**
 * Emits a `model-call` event for each call through its context: model, finish reason, usage, elapsed time, sample, and
 * the code of the error when it failed, with `sent: false` when a budget refused the call. Never the prompt or the
 * answer. What nobody sees in the texts of a request (tags, zero-width and bidirectional marks) is sent as escapes.
 * `fromModel` does this by itself; wrap a model that you call directly.
 */
export function withEvents(
  model: LanguageModel,
  options: { readonly runtime?: Partial<Pick<Runtime, 'clock'>> | undefined } = {},
): LanguageModel {
  const { clock } = systemRuntime(options.runtime);
  const start = (request: ModelRequest) => {
    const startedAt = clock.now();
    return (data: Readonly<Record<string, unknown>>) =>
      emitEvent(request.context, 'model-call', {
        provider: model.provider,
        modelId: model.modelId,
        sample: request.sample,
        elapsedMs: clock.now() - startedAt,
        ...data,
      });
  };
  return wrapModel(model, {
    async generate(request) {
      const report = start(request);
      try {
        const result = await model.generate(visibleRequest(request));
        report(dataOf(result));
        return result;
      } catch (error) {
        report(failureOf(error));
        throw error;
      }
    },
    async *stream(request, inner) {
      const report = start(request);
      let outcome: Readonly<Record<string, unknown>> = { error: 'ABORTED' };
      try {
        for await (const event of inner(visibleRequest(request))) {
          if (event.type === 'finish') outcome = dataOf(event.result);
          yield event;
        }
      } catch (error) {
        outcome = failureOf(error);
        throw error;
      } finally {
        // Also reached when the reader leaves early.
        report(outcome);
      }
    },
  });
}

function dataOf(result: ModelResult): Readonly<Record<string, unknown>> {
  return {
    answeredBy: result.answeredBy,
    finishReason: result.finishReason.unified,
    usage: result.usage,
    cached: result.cached === undefined ? undefined : true,
  };
}

function failureOf(error: unknown): Readonly<Record<string, unknown>> {
  const code = isAskemaError(error) ? error.code : 'INTERNAL';
  return wasNotSent(error) ? { error: code, sent: false } : { error: code };
}
