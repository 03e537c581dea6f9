import { AskemaError, isAskemaError } from '@askema/core';
import type { z } from 'zod';

/**
 * The text of a body. Rejects with `REQUEST_TOO_LARGE` as soon as it is longer than `maxBytes`, with `INPUT_INVALID` where
 * it is not UTF-8, and with `ABORTED` where it breaks off.
 */
export async function readBounded(message: Request | Response, maxBytes: number): Promise<string> {
  if (Number(message.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (message.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  try {
    for await (const chunk of message.body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    // A client that leaves while it sends is no fault of the server, and nothing for its log.
    throw isAskemaError(cause) ? cause : new AskemaError('ABORTED', 'The body broke off.', { cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AskemaError('INPUT_INVALID', 'The body is not UTF-8.');
  }
}

/**
 * The JSON of a request, checked. Rejects with `INPUT_INVALID` and `details.issues`, and as {@link readBounded}.
 *
 * Another type than JSON is refused: a page of another origin can send text without asking, but not JSON.
 */
export async function readJson<T>(request: Request, schema: z.ZodType<T>, maxBytes: number): Promise<T> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(?:\s*;|\s*$)/i.test(type))
    throw new AskemaError('INPUT_INVALID', 'The body must be JSON: send `Content-Type: application/json`.');
  const text = await readBounded(request, maxBytes);
  if (text === '')
    throw new AskemaError(
      'INPUT_INVALID',
      'The body is empty. Where the client did send one, something read it before: mount the server before `express.json()` and other body parsers.',
    );
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AskemaError('INPUT_INVALID', 'The body is no JSON.');
  }
  return checkedInput(schema, json, 'The body');
}

/** What `schema` makes of a value. @throws AskemaError `INPUT_INVALID`, with `details.issues`. */
export function checkedInput<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 10).map(({ path, message }) => ({ path: path.join('.'), message }));
  const told = issues.map(({ path, message }) => (path === '' ? message : `\`${path}\`: ${message}`)).join('; ');
  throw new AskemaError('INPUT_INVALID', `${what} cannot be used. ${told}`, { details: { issues } });
}

function tooLarge(maxBytes: number): AskemaError {
  return new AskemaError('REQUEST_TOO_LARGE', `The body is larger than ${maxBytes} bytes; send less.`);
}
