import { AskemaError } from '../../errors/askema-error.ts';
import type { ModelRequest, StreamEvent } from '../language-model.ts';
import { startCallDeadline } from './call-deadline.ts';
import { type FailedCall, modelFailure } from './model-failure.ts';

/** What stays the same from call to call of one model. */
export type CallSite = Omit<FailedCall, 'deadline'>;

/** Runs one call under its deadline and the caller's signal. Rejects as {@link modelFailure} says. */
export async function runCall<Result>(
  site: CallSite,
  request: Pick<ModelRequest, 'context'>,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = startCallDeadline({ signal: request.context.signal, timeoutMs: site.timeoutMs });
  try {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    return await call(deadline.signal);
  } catch (error) {
    throw modelFailure({ ...site, deadline }, error);
  } finally {
    deadline.end();
  }
}

/**
 * Runs one streamed call the same way. A stream that ends without `finish` rejects with `MODEL_UNAVAILABLE`, retryable:
 * half an answer is never passed off as a whole one. One of more than ten million characters rejects with
 * `MODEL_OUTPUT_INVALID`. Leaving the iteration early stops the request.
 */
export async function* runStream(
  site: CallSite,
  request: ModelRequest,
  call: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  const deadline = startCallDeadline({ signal: request.context.signal, timeoutMs: site.timeoutMs });
  try {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    let characters = 0;
    for await (const event of call(deadline.signal)) {
      // SDKs end a stream quietly when its signal fires.
      if (deadline.signal.aborted) throw deadline.signal.reason;
      if ('text' in event) characters += event.text.length;
      if (characters > MAX_CHARACTERS) throw endlessStream(site);
      yield event;
      if (event.type === 'finish') return;
    }
    throw deadline.signal.aborted ? deadline.signal.reason : brokenStream(site);
  } catch (error) {
    throw modelFailure({ ...site, deadline }, error);
  } finally {
    deadline.end();
  }
}

/** Of a streamed answer. No model writes a tenth of it; a server that repeats itself writes on until memory ends. */
const MAX_CHARACTERS = 10_000_000;

function endlessStream({ model, url }: CallSite): AskemaError {
  return new AskemaError(
    'MODEL_OUTPUT_INVALID',
    `The answer of ${model} at ${url} is longer than ${MAX_CHARACTERS} characters. Set \`maxOutputTokens\`, or check the server.`,
  );
}

function brokenStream(site: CallSite): AskemaError {
  return new AskemaError(
    'MODEL_UNAVAILABLE',
    `The stream of ${site.model} at ${site.url} ended in the middle of the answer. Try again.`,
    { retryable: true },
  );
}
