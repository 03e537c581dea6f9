import type { FailureRule } from '@askema/core';

const SEND_LESS =
  'Send less: fewer relations, fewer rows, a shorter conversation; or take a model with a larger context.';
const BILLING = 'Check billing at the vendor; trying again does not help.';
const CHECK_KEY = 'Check ANTHROPIC_API_KEY or `apiKey`; with `baseURL` the key must be passed as `apiKey`.';
const SPEND_LIMITS = ['contract_spend_limit_reached', 'enforced_spend_limit_reached', 'billing_error'];

/**
 * Anthropic's error types (https://platform.claude.com/docs/en/api/errors) and the sentences that have no type of their
 * own.
 */
export const ANTHROPIC_FAILURE_RULES: readonly FailureRule[] = [
  ...SPEND_LIMITS.map(
    (vendorCode): FailureRule => ({ vendorCode, code: 'MODEL_RATE_LIMITED', retryable: false, advice: BILLING }),
  ),
  { pattern: 'credit balance is too low', code: 'MODEL_RATE_LIMITED', retryable: false, advice: BILLING },
  {
    status: [400, 413],
    pattern: 'prompt is too long|exceeds? context limit|too many (total text bytes|input tokens)',
    code: 'MODEL_CONTEXT_TOO_LONG',
    retryable: false,
    advice: SEND_LESS,
  },
  { vendorCode: 'request_too_large', code: 'MODEL_CONTEXT_TOO_LONG', retryable: false, advice: SEND_LESS },
  {
    pattern: 'content filtering policy',
    code: 'MODEL_CONTENT_FILTERED',
    retryable: false,
    advice: 'Rephrase the question, or ask the vendor about the filter.',
  },
  { vendorCode: 'authentication_error', code: 'MODEL_AUTHENTICATION', retryable: false, advice: CHECK_KEY },
  { status: 401, code: 'MODEL_AUTHENTICATION', retryable: false, advice: CHECK_KEY },
  { vendorCode: 'rate_limit_error', code: 'MODEL_RATE_LIMITED', retryable: true, advice: 'Try again later.' },
  { vendorCode: 'overloaded_error', code: 'MODEL_UNAVAILABLE', retryable: true, advice: 'Try again later.' },
  { vendorCode: 'timeout_error', code: 'MODEL_TIMEOUT', retryable: true, advice: 'Try again later.' },
  { vendorCode: 'api_error', code: 'MODEL_UNAVAILABLE', retryable: true, advice: 'Try again later.' },
];
