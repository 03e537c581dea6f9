import type { VendorFailure } from '@askema/core';
import { rpcDetails } from './rpc-details.ts';

/**
 * What is read of an error of the SDK. By shape and name, not by class: several copies of the SDK may be installed, and
 * errors of gateways are like those of providers. An error inside a stream is what the vendor sent.
 */
interface SdkError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  readonly responseBody?: unknown;
  /** The parsed body of an error response. */
  readonly data?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
  /** What an `AI_TypeValidationError` could not read. */
  readonly value?: unknown;
  /** Google's. */
  readonly details?: unknown;
}

/** Their own sentence holds the whole body of the answer. */
const UNREADABLE: readonly string[] = ['AI_JSONParseError', 'AI_TypeValidationError'];

/**
 * Reads an error response, an error that a provider reports by its name, or an error event inside a stream; undefined
 * for every other error (a broken connection, an abort, a bug).
 */
export function readSdkError(error: unknown): VendorFailure | undefined {
  if (!(error instanceof Error)) return errorEvent(error);
  const { statusCode, cause } = error as SdkError;
  if (typeof statusCode !== 'number')
    return error.name.startsWith('AI_') && error.name !== 'AI_APICallError'
      ? (unreadEvent(error) ?? named(error))
      : undefined;
  if (statusCode >= 200 && statusCode < 300) return cause instanceof Error ? readSdkError(cause) : named(error);
  return errorResponse(error, statusCode);
}

function named({ name, message }: Error): VendorFailure {
  return { vendorCodes: [name], message: UNREADABLE.includes(name) ? 'the answer could not be read' : message };
}

function errorResponse(error: Error, status: number): VendorFailure {
  const { data, responseBody, responseHeaders, type, cause } = error as SdkError;
  // A gateway's error wraps the response.
  const headers = responseHeaders ?? (cause as SdkError | undefined)?.responseHeaders;
  const { codes, sentence, retryAfter } = vendorWords(data ?? parsed(responseBody));
  const vendorCodes = [...codes, ...strings([type])];
  const asked = headers?.['retry-after-ms'] ?? headers?.['retry-after'];
  const wait = asked === undefined && retryAfter !== undefined ? { 'retry-after': retryAfter } : {};
  const known: Readonly<Record<string, string>> = { ...headers, ...wait };
  return {
    status,
    vendorCodes,
    message: sentenceOf(vendorCodes, status, sentence ?? error.message),
    headers: { get: (name) => known[name] ?? null },
    requestId: headers?.['x-request-id'] ?? headers?.['request-id'],
  };
}

/** The SDK keeps the key to itself, so it cannot be taken out of a sentence that repeats it. */
function sentenceOf(vendorCodes: readonly string[], status: number | undefined, sentence: string): string {
  return status === 401 || vendorCodes.includes('API_KEY_INVALID') ? 'the key was not accepted' : sentence;
}

/** What a vendor sent in a stream, or what a provider made of it, which may have a status. */
function errorEvent(event: unknown): VendorFailure {
  const { statusCode } = (event ?? {}) as SdkError;
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  const { codes, sentence } = vendorWords(event);
  return { status, vendorCodes: codes, message: sentenceOf(codes, status, sentence ?? 'the stream reported an error') };
}

/** An error in a stream that its provider took for an answer, and could not read. */
function unreadEvent(error: Error): VendorFailure | undefined {
  const { value } = error as SdkError;
  const inner = (value as SdkError | null | undefined)?.error;
  return error.name === 'AI_TypeValidationError' && typeof inner === 'object' && inner !== null
    ? errorEvent(value)
    : undefined;
}

interface VendorWords {
  readonly codes: readonly string[];
  readonly sentence: string | undefined;
  /** Seconds. */
  readonly retryAfter?: string | undefined;
}

/** Codes and sentence of an error body: OpenAI and Anthropic put them below `error`, Google has `status` for a code. */
function vendorWords(body: unknown): VendorWords {
  if (typeof body === 'string' && body !== '') return { codes: [], sentence: body };
  const outer = (body ?? {}) as SdkError;
  if (typeof outer.error === 'string') return vendorWords(outer.error);
  const inner = (outer.error ?? outer) as SdkError;
  const { reasons, retryAfter } = rpcDetails(inner.details);
  return {
    codes: [...reasons, ...strings([inner.code, inner.type, inner.status])],
    sentence: typeof inner.message === 'string' && inner.message !== '' ? inner.message : undefined,
    retryAfter,
  };
}

function strings(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
