import type { VendorFailure } from '@askema/core';

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
    return error.name.startsWith('AI_') && error.name !== 'AI_APICallError' ? named(error) : undefined;
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
  const { codes, sentence } = vendorWords(data ?? parsed(responseBody));
  return {
    status,
    vendorCodes: [...codes, ...strings([type])],
    // The SDK keeps the key to itself, so it cannot be taken out of a sentence that repeats it.
    message: status === 401 ? 'the key was not accepted' : (sentence ?? error.message),
    headers: { get: (name) => headers?.[name] ?? null },
    requestId: headers?.['x-request-id'] ?? headers?.['request-id'],
  };
}

function errorEvent(event: unknown): VendorFailure {
  const { codes, sentence } = vendorWords(event);
  return { vendorCodes: codes, message: sentence ?? 'the stream reported an error' };
}

/** Codes and sentence of an error body: OpenAI and Anthropic put them below `error`, Google has `status` for a code. */
function vendorWords(body: unknown): { readonly codes: readonly string[]; readonly sentence: string | undefined } {
  if (typeof body === 'string' && body !== '') return { codes: [], sentence: body };
  const outer = (body ?? {}) as SdkError;
  if (typeof outer.error === 'string') return vendorWords(outer.error);
  const inner = (outer.error ?? outer) as SdkError;
  return {
    codes: strings([inner.code, inner.type, inner.status]),
    sentence: typeof inner.message === 'string' && inner.message !== '' ? inner.message : undefined,
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
