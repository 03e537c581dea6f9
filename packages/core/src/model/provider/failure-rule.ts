import type { ErrorCode } from '../../errors/error-code.ts';

/** One rule from a vendor's error to a code. Everything that it names must match. Data: no code runs in it. */
export interface FailureRule {
  /** An HTTP status, or the first and last one of a range. */
  readonly status?: number | readonly [number, number] | undefined;
  /** One of the vendor's codes or types, compared whole. */
  readonly vendorCode?: string | undefined;
  /** A case-insensitive regular expression source over the vendor's message. */
  readonly pattern?: string | undefined;
  readonly code: ErrorCode;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** What to do next: a sentence. */
  readonly advice: string;
}

const TRY_AGAIN = 'Try again later.';

/** What HTTP itself says (RFC 9110, section 15), and 529, by which vendors say that they are overloaded. */
export const FAILURE_RULES_BY_STATUS: readonly FailureRule[] = [
  { status: 401, code: 'MODEL_AUTHENTICATION', retryable: false, advice: 'Check the API key.' },
  {
    status: 402,
    code: 'MODEL_RATE_LIMITED',
    retryable: false,
    advice: 'The account has no credit left: check billing at the vendor.',
  },
  {
    status: 403,
    code: 'MODEL_AUTHENTICATION',
    retryable: false,
    advice: 'The API key may not use this model, or not from here.',
  },
  {
    status: 404,
    code: 'MODEL_NOT_FOUND',
    retryable: false,
    advice: 'Check the name of the model and the base URL.',
  },
  { status: 408, code: 'MODEL_TIMEOUT', retryable: true, advice: TRY_AGAIN },
  { status: 409, code: 'MODEL_UNAVAILABLE', retryable: true, advice: TRY_AGAIN },
  {
    status: 413,
    code: 'MODEL_CONTEXT_TOO_LONG',
    retryable: false,
    advice: 'Send less: fewer relations, fewer rows, a shorter conversation.',
  },
  { status: 429, code: 'MODEL_RATE_LIMITED', retryable: true, advice: TRY_AGAIN },
  { status: [500, 599], code: 'MODEL_UNAVAILABLE', retryable: true, advice: TRY_AGAIN },
  {
    status: [400, 499],
    code: 'MODEL_REQUEST_INVALID',
    retryable: false,
    advice: 'The server did not accept the request.',
  },
];
