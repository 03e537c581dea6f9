import type { LoopbackFailure, WireProtocol } from './loopback-reply.ts';
import { serverSentEvent } from './server-sent-event.ts';

interface Failure {
  readonly status: number;
  /** OpenAI's `type` and `code`. */
  readonly openai: { readonly type: string; readonly code: string | null };
  /** Anthropic's `type`. */
  readonly anthropic: string;
  readonly message: string;
}

/** https://developers.openai.com/api/docs/guides/error-codes and https://platform.claude.com/docs/en/api/errors */
const FAILURES: Readonly<Record<LoopbackFailure, Failure>> = {
  'rate-limit': {
    status: 429,
    openai: { type: 'requests', code: 'rate_limit_exceeded' },
    anthropic: 'rate_limit_error',
    message: 'Rate limit reached.',
  },
  quota: {
    status: 429,
    openai: { type: 'insufficient_quota', code: 'insufficient_quota' },
    anthropic: 'billing_error',
    message: 'You exceeded your current quota.',
  },
  'server-error': {
    status: 500,
    openai: { type: 'server_error', code: null },
    anthropic: 'api_error',
    message: 'The server had an error.',
  },
  overloaded: {
    status: 529,
    openai: { type: 'server_error', code: null },
    anthropic: 'overloaded_error',
    message: 'Overloaded.',
  },
  'wrong-key': {
    status: 401,
    openai: { type: 'invalid_request_error', code: 'invalid_api_key' },
    anthropic: 'authentication_error',
    message: 'Incorrect API key provided.',
  },
  'unknown-model': {
    status: 404,
    openai: { type: 'invalid_request_error', code: 'model_not_found' },
    anthropic: 'not_found_error',
    message: 'The model does not exist.',
  },
  'context-too-long': {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'context_length_exceeded' },
    anthropic: 'invalid_request_error',
    message: 'prompt is too long: 208310 tokens > 200000 maximum',
  },
  'content-filter': {
    status: 400,
    openai: { type: 'invalid_request_error', code: 'content_filter' },
    anthropic: 'invalid_request_error',
    message: 'Output blocked by content filtering policy',
  },
  'invalid-request': {
    status: 400,
    openai: { type: 'invalid_request_error', code: null },
    anthropic: 'invalid_request_error',
    message: 'Something is wrong with the request.',
  },
};

/** Anthropic answers an exhausted account with a different status than OpenAI. */
const MESSAGES_STATUS: Partial<Record<LoopbackFailure, number>> = { quota: 402 };

/** An error response in the protocol's own words. */
export function wireFailure(
  protocol: WireProtocol,
  failure: LoopbackFailure,
  message?: string,
): { readonly status: number; readonly body: string } {
  const status = (protocol === 'messages' ? MESSAGES_STATUS[failure] : undefined) ?? FAILURES[failure].status;
  return { status, body: JSON.stringify(failureBody(protocol, failure, message)) };
}

/** The event by which the protocol reports a failure in the middle of a stream. */
export function wireFailureEvent(protocol: WireProtocol, failure: LoopbackFailure): string {
  const body = failureBody(protocol, failure);
  if (protocol === 'messages') return serverSentEvent(body, 'error');
  if (protocol === 'chat') return serverSentEvent(body);
  const { openai, message } = FAILURES[failure];
  const event = { type: 'error', sequence_number: 99, code: openai.code ?? openai.type, message, param: null };
  return serverSentEvent(event, 'error');
}

function failureBody(protocol: WireProtocol, failure: LoopbackFailure, message = FAILURES[failure].message): object {
  const { openai, anthropic } = FAILURES[failure];
  return protocol === 'messages'
    ? { type: 'error', error: { type: anthropic, message } }
    : { error: { message, type: openai.type, code: openai.code, param: null } };
}
