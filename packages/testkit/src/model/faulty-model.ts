import {
  AskemaError,
  abortedError,
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  type StreamEvent,
  textOf,
} from '@askema/core';
import { streamResult } from './stream-result.ts';

/** What goes wrong with one call. */
export type ModelFault =
  /** Never answers; ends with `ABORTED` when the caller aborts. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the answer: `MODEL_UNAVAILABLE`, retryable. */
  | { readonly kind: 'drop' }
  /** `MODEL_RATE_LIMITED`, retryable, with the time to wait if one is given. */
  | { readonly kind: 'rate-limit'; readonly retryAfterMs?: number | undefined }
  /**
   * The connection breaks after so many characters of the text (default: half of it): `MODEL_UNAVAILABLE`, retryable.
   */
  | { readonly kind: 'half-stream'; readonly afterCharacters?: number | undefined }
  /** Answers, but with this instead of the model's text and tool calls. */
  | { readonly kind: 'nonsense'; readonly text?: string | undefined }
  /** Answers after `wait`, which the test resolves when it likes: nothing sleeps here. */
  | { readonly kind: 'slow'; readonly wait: (signal: AbortSignal | undefined) => Promise<void> }
  /** Rejects with an error of your own. */
  | { readonly kind: 'error'; readonly error: Error };

/**
 * The fault of each call in turn, `undefined` for none, or a function of the request and the 0-based index of the call.
 */
export type ModelFaults =
  | readonly (ModelFault | undefined)[]
  | ((request: ModelRequest, callIndex: number) => ModelFault | undefined);

export interface FaultyModel extends LanguageModel {
  /** Every request so far, faulty or not. */
  readonly requests: readonly ModelRequest[];
  stream(request: ModelRequest): AsyncIterable<StreamEvent>;
}

/** Text that parses as nothing: no JSON, no YAML mapping, no SQL. */
export const NONSENSE = 'Colourless green ideas {"sleep": furiously, [[ ```';

/**
 * A model whose calls go wrong in the ways that real ones do, then answer like `inner`. After the last fault of a list
 * every call goes through.
 */
export function faultyModel(inner: LanguageModel, faults: ModelFaults): FaultyModel {
  const requests: ModelRequest[] = [];
  const faultOf = (request: ModelRequest) => {
    const callIndex = requests.push({ ...request, messages: [...request.messages] }) - 1;
    return typeof faults === 'function' ? faults(request, callIndex) : faults[callIndex];
  };

  async function generate(request: ModelRequest): Promise<ModelResult> {
    const fault = faultOf(request);
    await beforeAnswer(fault, request);
    const result = await inner.generate(request);
    if (fault?.kind === 'half-stream') throw broken(inner);
    return fault?.kind === 'nonsense' ? nonsense(result, fault.text) : result;
  }

  async function* stream(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const fault = faultOf(request);
    await beforeAnswer(fault, request);
    const result = fault?.kind === 'nonsense' ? nonsense(await inner.generate(request), fault.text) : undefined;
    const events = result === undefined ? eventsOf(inner, request) : streamResult(result);
    if (fault?.kind !== 'half-stream') return yield* events;
    const whole: StreamEvent[] = [];
    for await (const event of events) whole.push(event);
    yield* firstCharacters(whole, fault.afterCharacters);
    throw broken(inner);
  }

  const { contract, provider, modelId, capabilities } = inner;
  return { contract, provider, modelId, capabilities, requests, generate, stream };
}

/** What happens instead of, or ahead of, the answer. */
async function beforeAnswer(fault: ModelFault | undefined, { context }: ModelRequest): Promise<void> {
  if (context.signal?.aborted) throw abortedError('The faulty model');
  switch (fault?.kind) {
    case 'hang':
      await new Promise<never>((_resolve, reject) => {
        context.signal?.addEventListener('abort', () => reject(abortedError('The faulty model')), { once: true });
      });
      break;
    case 'drop':
      throw new AskemaError('MODEL_UNAVAILABLE', 'The connection broke before the answer (a fault of the test).', {
        retryable: true,
      });
    case 'rate-limit':
      throw new AskemaError('MODEL_RATE_LIMITED', 'Too many requests (a fault of the test).', {
        retryable: true,
        details: { status: 429, ...(fault.retryAfterMs === undefined ? {} : { retryAfterMs: fault.retryAfterMs }) },
      });
    case 'slow':
      await fault.wait(context.signal);
      if (context.signal?.aborted) throw abortedError('The faulty model');
      break;
    case 'error':
      throw fault.error;
  }
}

async function* eventsOf(inner: LanguageModel, request: ModelRequest): AsyncGenerator<StreamEvent> {
  if (inner.stream === undefined) yield* streamResult(await inner.generate(request));
  else yield* inner.stream(request);
}

/** The text deltas up to a number of characters; the last one is cut. */
function* firstCharacters(events: readonly StreamEvent[], count: number | undefined): Generator<StreamEvent> {
  const last = events.at(-1);
  const text = Array.from(last?.type === 'finish' ? textOf(last.result.content) : '');
  let left = count ?? Math.floor(text.length / 2);
  for (const event of events) {
    if (left <= 0) return;
    if (event.type !== 'text-delta') continue;
    const characters = Array.from(event.text).slice(0, left);
    left -= characters.length;
    yield { type: 'text-delta', text: characters.join('') };
  }
}

function broken(inner: LanguageModel): AskemaError {
  return new AskemaError(
    'MODEL_UNAVAILABLE',
    `The stream of ${inner.provider}:${inner.modelId} ended in the middle of the answer (a fault of the test).`,
    { retryable: true },
  );
}

function nonsense(result: ModelResult, text = NONSENSE): ModelResult {
  return { ...result, content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: undefined } };
}
