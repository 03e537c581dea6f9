import type { LoopbackFailure, WireProtocol } from './loopback-reply.ts';
import { serverSentEvent } from './server-sent-event.ts';

interface Failure {
  readonly status: number;
  /** OpenAI's `type` and `code`. */
  readonly openai: { readonly type: string; readonly code: string | null };
  /** Anthropic's `type`. */
  readonly anthropic: string;
  /** Gemini's `status`. */
  readonly google: string;
  readonly message: string;
}

/**
 * https://developers.openai.com/api/docs/guides/error-codes, https://platform.claude.com/docs/en/api/errors and
 * https://ai.google.dev/gemini-api/docs/troubleshooting
 */
const FAILURES: Readonly<Record<LoopbackFailure, Failure>> = {
  'rate-limit': {
    status: 429,
    openai: { type: 'requests', code: 'rate_limit_exceeded' },
    anthropic: 'rate_limit_error',
    google: 'RESOURCE_EXHAUSTED',
    message: 'Rate limit reached.',
  },
  quota: {
    status: 429,
    openai: { type: 'insufficient_quota', code: 'insufficient_quota' },
    anthropic: 'billing_error',
    google: 'RESOURCE_EXHAUSTED',
    message: 'You exceeded your current quota.',
  },
  'server-error': {
    status: 500,
    openai: { type: 'server_error', code: null },
    anthropic: 'api_error',
    google: 'INTERNAL',
    message: 'The server had an error.',
  },
  overloaded: {
    status: 529,
    openai: { type: 'server_error', code: null },
    anthropic: 'overloaded_error',
    google: 'UNAVAILABLE',
    message: 'Overloaded.',
  },
  'wrong-key': {
    status: 401,
    openai: { type: 'invalid_request_error', code: 'invalid_api_key' },
    anthropic: 'authentication_error',
    google: 'INVALID_ARGUMENT',
    message: 'Incorrect API key provided.',
  },
  'unknown-model': {
    status: 404,
    openai: { type: 'invalid_request_error', code: 'model_not_found' },
    anthropic: 'not_found_error',
    google: 'NOT_FOUND',
    message: 'The model does not exist.',
  },
  'context-too-long': {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'context_length_exceeded' },
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
    message: 'prompt is too long: 208310 tokens > 200000 maximum',
  },
  'content-filter': {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'content_filter' },
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
    message: 'Output blocked by content filtering policy',
  },
  'invalid-request': {
    status: 400,
    openai: { type: 'invalid_request_error', code: null },
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
    message: 'Something is wrong with the request.',
  },
};

/** Where a protocol has another status than OpenAI's. */
const OWN_STATUS: Partial<Record<WireProtocol, Partial<Record<LoopbackFailure, number>>>> = {
  messages: { quota: 402 },
  'generate-content': { overloaded: 503, 'wrong-key': 400, 'content-filter': 200 },
};

function statusOf(protocol: WireProtocol, failure: LoopbackFailure): number {
  return OWN_STATUS[protocol]?.[failure] ?? FAILURES[failure].status;
}

/** An error response in the protocol's own words. */
export function wireFailure(
  protocol: WireProtocol,
  failure: LoopbackFailure,
  message?: string,
): { readonly status: number; readonly body: string } {
  return { status: statusOf(protocol, failure), body: JSON.stringify(failureBody(protocol, failure, message)) };
}

/** The event by which the protocol reports a failure in the middle of a stream. */
export function wireFailureEvent(protocol: WireProtocol, failure: LoopbackFailure): string {
  const body = failureBody(protocol, failure);
  if (protocol === 'messages') return serverSentEvent(body, 'error');
  if (protocol === 'chat' || protocol === 'generate-content') return serverSentEvent(body);
  const { openai, message } = FAILURES[failure];
  const event = { type: 'error', sequence_number: 99, code: openai.code ?? openai.type, message, param: null };
  return serverSentEvent(event, 'error');
}

function failureBody(protocol: WireProtocol, failure: LoopbackFailure, message = FAILURES[failure].message): object {
  const { openai, anthropic, google } = FAILURES[failure];
  if (protocol === 'generate-content') {
    // A prompt that is filtered is no error there.
    if (failure === 'content-filter') return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
    const reason = failure === 'wrong-key' ? 'API_KEY_INVALID' : undefined;
    const details = reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }];
    return { error: { code: statusOf(protocol, failure), message, status: google, details } };
  }
  return protocol === 'messages'
    ? { type: 'error', error: { type: anthropic, message } }
    : { error: { message, type: openai.type, code: openai.code, param: null } };
}
