import { AskemaError, isAskemaError, throwIfAborted } from '../errors/askema-error.ts';
import { checkChoice } from '../errors/check-option.ts';
import type { LanguageModel, ModelRequest, ModelResult } from './language-model.ts';
import type { Recording, RecordingStore } from './recording.ts';
import { describeDifference, nearestRecording } from './recording-difference.ts';
import { requestFields, requestKey } from './request-key.ts';
import { modelName, streamOfResult, wrapModel } from './wrap-model.ts';

export interface RecordingOptions {
  /** `record` asks the model and keeps what it says; `replay` never asks the model. */
  readonly mode: 'record' | 'replay';
  readonly store: RecordingStore;
}

/**
 * Records what a model answers, or answers from what was recorded, with the usage of then: for tests and for repeating
 * a run. Errors are recorded too, but for `ABORTED`. A request that was recorded several times is answered in that
 * order, and then with the last one again.
 *
 * Replaying an unknown request rejects with `RECORDING_MISSING`, which says how the nearest recording differs.
 */
export function withRecording(model: LanguageModel, options: RecordingOptions): LanguageModel {
  checkChoice('withRecording.mode', options.mode, ['record', 'replay']);
  return options.mode === 'record' ? record(model, options.store) : replay(model, options.store);
}

function record(model: LanguageModel, store: RecordingStore): LanguageModel {
  const entryOf = (request: ModelRequest) => ({
    schemaVersion: 1 as const,
    key: requestKey(model, request),
    provider: model.provider,
    modelId: model.modelId,
    request: requestFields(request),
  });
  const recordError = async (request: ModelRequest, error: unknown): Promise<void> => {
    if (!isAskemaError(error) || error.code === 'ABORTED') return;
    await store.append({ ...entryOf(request), error: error.toJSON() });
  };
  return wrapModel(model, {
    async generate(request) {
      let result: ModelResult;
      try {
        result = await model.generate(request);
      } catch (error) {
        await recordError(request, error);
        throw error;
      }
      await store.append({ ...entryOf(request), result });
      return result;
    },
    async *stream(request, inner) {
      let result: ModelResult | undefined;
      try {
        for await (const event of inner(request)) {
          if (event.type === 'finish') result = event.result;
          else yield event;
        }
      } catch (error) {
        await recordError(request, error);
        throw error;
      }
      if (result === undefined) return;
      await store.append({ ...entryOf(request), result });
      yield { type: 'finish', result };
    },
  });
}

function replay(model: LanguageModel, store: RecordingStore): LanguageModel {
  let loading: Promise<readonly Recording[]> | undefined;
  const used = new Map<string, number>();
  const answer = async (request: ModelRequest): Promise<ModelResult> => {
    throwIfAborted(request.context.signal, `The call of ${modelName(model)}`);
    loading ??= store.load();
    const recordings = await loading;
    const key = requestKey(model, request);
    const same = recordings.filter((recording) => recording.key === key);
    const turn = used.get(key) ?? 0;
    used.set(key, turn + 1);
    const found = same[Math.min(turn, same.length - 1)];
    if (found === undefined) throw missing(model, request, recordings);
    if (found.error !== undefined) throw AskemaError.fromJSON(found.error);
    if (found.result === undefined)
      throw new AskemaError(
        'INPUT_INVALID',
        `A recording of ${modelName(model)} has neither result nor error. Record anew.`,
      );
    return found.result;
  };
  return wrapModel(model, {
    generate: answer,
    async *stream(request) {
      yield* streamOfResult(await answer(request));
    },
  });
}

function missing(model: LanguageModel, request: ModelRequest, recordings: readonly Recording[]): AskemaError {
  const begin = `No recording answers this call of ${modelName(model)} at ${request.context.path}`;
  const nearest = nearestRecording(model, request, recordings);
  const why =
    nearest === undefined
      ? ': the store holds no recordings.'
      : `. The nearest of ${recordings.length} (number ${nearest.index + 1}) differs: ${describeDifference(model, request, nearest.recording)}.`;
  return new AskemaError('RECORDING_MISSING', `${begin}${why} Record again if this change is wanted.`, {
    details: { path: request.context.path, ...(nearest === undefined ? {} : { nearestKey: nearest.recording.key }) },
  });
}
