import { AskemaError, isAskemaError } from '../errors/askema-error.ts';
import { throwOnContractMismatch } from '../errors/check-contract.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import { emitEvent } from './emit-event.ts';
import type { LanguageModel, ModelCapabilities, ModelRequest, ModelResult } from './language-model.ts';
import { modelName, streamOf } from './wrap-model.ts';

/**
 * Another model may do better: the fault is with this model, its server, its key, or its limits. All other errors are
 * the same for every model, or must not be lost: `ABORTED`, `BUDGET_EXCEEDED`, a request that is invalid, content that
 * is filtered, a bug.
 */
const NEXT_MODEL: readonly ErrorCode[] = [
  'CAPABILITY_UNSUPPORTED',
  'DEPENDENCY_MISSING',
  'MODEL_AUTHENTICATION',
  'MODEL_CONTEXT_TOO_LONG',
  'MODEL_NOT_FOUND',
  'MODEL_RATE_LIMITED',
  'MODEL_REQUEST_FAILED',
  'MODEL_TIMEOUT',
  'MODEL_UNAVAILABLE',
];

/**
 * Asks the models in turn until one answers. The next one is asked only after an error that is the fault of the model
 * or its server, see the list above; a stream only changes the model while nothing has arrived. An answer of a later
 * model says so in `answeredBy` and in its warnings, and each change emits a `model-fallback` event.
 *
 * It carries the name of the first model and the capabilities that all have. When none answers, it rejects with the
 * code of the last error and names all of them.
 *
 * @throws AskemaError `CONFIG_INVALID` without a model.
 */
export function withFallback(models: readonly LanguageModel[]): LanguageModel {
  const [first] = models;
  if (first === undefined)
    throw new AskemaError('CONFIG_INVALID', 'withFallback got no model. Give it at least one: `withFallback([a, b])`.');
  for (const model of models) throwOnContractMismatch(model.contract, `The model \`${modelName(model)}\``);
  return {
    contract: 1,
    provider: first.provider,
    modelId: first.modelId,
    capabilities: commonCapabilities(models),
    async generate(request) {
      const failures: Failure[] = [];
      for (const model of models) {
        try {
          return answeredBy(await model.generate(request), model, failures);
        } catch (error) {
          noteFailure(models, model, request, failures, error);
        }
      }
      throw noneAnswered(failures);
    },
    ...(models.some((model) => model.stream !== undefined) ? { stream: fallbackStream(models) } : {}),
  };
}

function fallbackStream(models: readonly LanguageModel[]): NonNullable<LanguageModel['stream']> {
  return async function* stream(request) {
    const failures: Failure[] = [];
    for (const model of models) {
      let begun = false;
      try {
        for await (const event of streamOf(model)(request)) {
          begun = true;
          yield event.type === 'finish' ? { ...event, result: answeredBy(event.result, model, failures) } : event;
        }
        return;
      } catch (error) {
        if (begun) throw error;
        noteFailure(models, model, request, failures, error);
      }
    }
    throw noneAnswered(failures);
  };
}

interface Failure {
  readonly model: LanguageModel;
  readonly error: AskemaError;
}

/** Remembers the failure, or throws it when the next model would not do better. */
function noteFailure(
  models: readonly LanguageModel[],
  model: LanguageModel,
  request: ModelRequest,
  failures: Failure[],
  error: unknown,
): void {
  if (!isAskemaError(error) || !NEXT_MODEL.includes(error.code) || request.context.signal?.aborted) throw error;
  failures.push({ model, error });
  const next = models[failures.length];
  if (next === undefined) return;
  emitEvent(request.context, 'model-fallback', {
    from: modelName(model),
    to: modelName(next),
    code: error.code,
    sample: request.sample,
  });
}

function answeredBy(result: ModelResult, model: LanguageModel, failures: readonly Failure[]): ModelResult {
  if (failures.length === 0) return result;
  const name = result.answeredBy ?? modelName(model);
  const story = failures.map((failure) => `${modelName(failure.model)} failed with ${failure.error.code}`).join(', ');
  return { ...result, answeredBy: name, warnings: [...result.warnings, `${story}; ${name} answered.`] };
}

function noneAnswered(failures: readonly Failure[]): AskemaError {
  const last = failures.at(-1)?.error;
  if (failures.length === 1 && last !== undefined) return last;
  const waits = failures.flatMap(({ error }) => error.details.retryAfterMs ?? []);
  return new AskemaError(
    last?.code ?? 'INTERNAL',
    `None of ${failures.length} models answered. ${failures.map(({ model, error }) => `${modelName(model)}: ${error.message}`).join(' ')}`,
    {
      retryable: failures.some(({ error }) => error.retryable),
      details: {
        ...(waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) }),
        failures: failures.map(({ model, error }) => ({ model: modelName(model), code: error.code })),
      },
      cause: last,
    },
  );
}

/** What every model can do; unknown where one of them does not say. */
function commonCapabilities(models: readonly LanguageModel[]): ModelCapabilities {
  const flag = (name: 'structuredOutput' | 'tools' | 'reasoning'): boolean | undefined => {
    const values = models.map(({ capabilities }) => capabilities[name]);
    if (values.includes(false)) return false;
    return values.includes(undefined) ? undefined : true;
  };
  const least = (name: 'contextTokens' | 'maxOutputTokens'): number | undefined => {
    const values = models.flatMap(({ capabilities }) => capabilities[name] ?? []);
    return values.length === 0 ? undefined : Math.min(...values);
  };
  return {
    structuredOutput: flag('structuredOutput'),
    tools: flag('tools'),
    reasoning: flag('reasoning'),
    contextTokens: least('contextTokens'),
    maxOutputTokens: least('maxOutputTokens'),
  };
}
