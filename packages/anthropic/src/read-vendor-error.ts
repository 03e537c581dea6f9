import type { VendorFailure } from '@askema/core';

/** What the SDK's APIError holds; read by shape, so that any installed copy of the SDK will do. */
interface ApiErrorShape {
  readonly status?: unknown;
  readonly headers?: { get(name: string): string | null } | undefined;
  /** The whole body. */
  readonly error?: unknown;
  readonly errorCode?: unknown;
  readonly type?: unknown;
  readonly requestID?: unknown;
}

/**
 * Reads an error response, or an error event inside a stream, from the SDK's error; undefined for every other error.
 */
export function readVendorError(error: unknown): VendorFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, headers, error: body, errorCode, type, requestID } = error as ApiErrorShape;
  const inStream = status === undefined && body !== undefined && body !== null;
  if (typeof status !== 'number' && !inStream) return undefined;
  return {
    status: typeof status === 'number' ? status : undefined,
    vendorCodes: [errorCode, type].filter((value): value is string => typeof value === 'string'),
    message: sentenceOf(body) ?? error.message,
    headers,
    requestId: typeof requestID === 'string' ? requestID : undefined,
  };
}

function sentenceOf(body: unknown): string | undefined {
  const message = (body as { error?: { message?: unknown } } | null | undefined)?.error?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}
