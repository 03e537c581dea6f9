import { AskemaError } from '@askema/core';
import type { RouteCall } from './route.ts';

const MOST_KEY = 255;

/**
 * The id of a run that begins: that of its `Idempotency-Key`, where the request has one. `body` is what the key stands
 * for.
 */
export async function newRunId(call: RouteCall, body: string): Promise<string> {
  const key = call.request.headers.get('idempotency-key');
  if (key === null) return call.parts.records.newId();
  if (key.trim() === '' || key.length > MOST_KEY)
    throw new AskemaError('INPUT_INVALID', `An \`Idempotency-Key\` is a text of 1 to ${MOST_KEY} characters.`);
  const { records, limiter } = call.parts;
  // Whoever may ask nothing more leaves nothing in the journal either.
  return records.claim(call.caller, key, body, () => limiter.of(call.caller).checkQuestion());
}
