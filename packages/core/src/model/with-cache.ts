import { createHash } from 'node:crypto';
import { throwIfAborted } from '../errors/askema-error.ts';
import type { FinishReason, LanguageModel, ModelRequest, ModelResult } from './language-model.ts';
import type { CacheStore } from './memory-cache.ts';
import { requestKey } from './request-key.ts';
import { modelName, streamOfResult, wrapModel } from './wrap-model.ts';

const SCHEMA_VERSION = 1;

/** A refusal, a cut-off answer or a failure may be different the next time; only whole answers are kept. */
const KEPT: readonly FinishReason[] = ['stop', 'tool-calls'];

/**
 * Answers from a cache where the same model was asked the same before, see {@link requestKey}; `sample` tells repeated
 * samples apart. Each tenant has a cache of its own.
 *
 * A hit costs nothing: its usage is 0 input and 0 output tokens, and `cached.usage` says what the answer cost when it
 * was made. Only answers that ended with `stop` or `tool-calls` are kept. A store that fails is no reason for a call to
 * fail: the model is asked, and a warning says so.
 */
export function withCache(model: LanguageModel, options: { readonly store: CacheStore }): LanguageModel {
  const { store } = options;
  return wrapModel(model, {
    async generate(request) {
      const key = cacheKey(model, request);
      const found = await lookUp(store, key, model, request);
      if (found.result !== undefined) return found.result;
      const result = await model.generate(request);
      return withWarnings(result, [...found.warnings, ...(await keep(store, key, result))]);
    },
    async *stream(request, inner) {
      const key = cacheKey(model, request);
      const found = await lookUp(store, key, model, request);
      if (found.result !== undefined) {
        yield* streamOfResult(found.result);
        return;
      }
      for await (const event of inner(request)) {
        if (event.type !== 'finish') yield event;
        else {
          const warnings = [...found.warnings, ...(await keep(store, key, event.result))];
          yield { type: 'finish', result: withWarnings(event.result, warnings) };
        }
      }
    },
  });
}

function cacheKey(model: LanguageModel, request: ModelRequest): string {
  const key = requestKey(model, request);
  const { tenant } = request.context;
  return tenant === undefined ? key : createHash('sha256').update(`${key} ${tenant}`).digest('hex');
}

interface LookUp {
  readonly result?: ModelResult | undefined;
  readonly warnings: readonly string[];
}

async function lookUp(store: CacheStore, key: string, model: LanguageModel, request: ModelRequest): Promise<LookUp> {
  throwIfAborted(request.context.signal, `The call of ${modelName(model)}`);
  try {
    const text = await store.get(key);
    const result = text === undefined ? undefined : readEntry(text);
    return { result: result && asHit(result), warnings: [] };
  } catch (error) {
    return { warnings: [`The model cache could not be read: ${messageOf(error)}`] };
  }
}

async function keep(store: CacheStore, key: string, result: ModelResult): Promise<readonly string[]> {
  if (!KEPT.includes(result.finishReason.unified)) return [];
  try {
    await store.set(key, JSON.stringify({ schemaVersion: SCHEMA_VERSION, result }));
    return [];
  } catch (error) {
    return [`The model cache could not be written: ${messageOf(error)}`];
  }
}

/** An entry of another version does not count. */
function readEntry(text: string): ModelResult | undefined {
  const entry = JSON.parse(text) as { readonly schemaVersion?: unknown; readonly result?: ModelResult };
  return entry.schemaVersion === SCHEMA_VERSION ? entry.result : undefined;
}

function asHit(result: ModelResult): ModelResult {
  return {
    ...result,
    usage: { inputTokens: 0, outputTokens: 0 },
    cached: { usage: result.cached?.usage ?? result.usage },
  };
}

/** The result with more warnings; the same object when there are none. */
export function withWarnings(result: ModelResult, warnings: readonly string[]): ModelResult {
  return warnings.length === 0 ? result : { ...result, warnings: [...result.warnings, ...warnings] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
