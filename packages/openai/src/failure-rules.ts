import type { FailureRule } from '@askema/core';

const SEND_LESS =
  'Send less: fewer relations, fewer rows, a shorter conversation; or take a model with a larger context.';
const FILTERED = 'Rephrase the question, or ask the vendor about the filter.';
const BILLING = 'Check plan and billing at the vendor; trying again does not help.';

/**
 * OpenAI's error codes (https://developers.openai.com/api/docs/guides/error-codes), the codes of a failed response, and
 * the sentences of compatible servers that give no code.
 */
export const OPENAI_FAILURE_RULES: readonly FailureRule[] = [
  { vendorCode: 'insufficient_quota', code: 'MODEL_RATE_LIMITED', retryable: false, advice: BILLING },
  { vendorCode: 'billing_hard_limit_reached', code: 'MODEL_RATE_LIMITED', retryable: false, advice: BILLING },
  { status: 429, pattern: '^request too large', code: 'MODEL_RATE_LIMITED', retryable: false, advice: SEND_LESS },
  { vendorCode: 'context_length_exceeded', code: 'MODEL_CONTEXT_TOO_LONG', retryable: false, advice: SEND_LESS },
  { vendorCode: 'exceed_context_size_error', code: 'MODEL_CONTEXT_TOO_LONG', retryable: false, advice: SEND_LESS },
  {
    status: [400, 499],
    pattern: 'maximum context length|context (window|size)|exceeds the (available )?context|prompt is too long',
    code: 'MODEL_CONTEXT_TOO_LONG',
    retryable: false,
    advice: SEND_LESS,
  },
  { vendorCode: 'content_filter', code: 'MODEL_CONTENT_FILTERED', retryable: false, advice: FILTERED },
  { vendorCode: 'content_policy_violation', code: 'MODEL_CONTENT_FILTERED', retryable: false, advice: FILTERED },
  { vendorCode: 'invalid_prompt', code: 'MODEL_CONTENT_FILTERED', retryable: false, advice: FILTERED },
  { vendorCode: 'bio_policy', code: 'MODEL_CONTENT_FILTERED', retryable: false, advice: FILTERED },
  { vendorCode: 'misalignment_policy_violation', code: 'MODEL_CONTENT_FILTERED', retryable: false, advice: FILTERED },
  {
    vendorCode: 'invalid_api_key',
    code: 'MODEL_AUTHENTICATION',
    retryable: false,
    advice: 'Check OPENAI_API_KEY or `apiKey`.',
  },
  {
    status: 401,
    code: 'MODEL_AUTHENTICATION',
    retryable: false,
    advice: 'Check OPENAI_API_KEY or `apiKey`; with `baseURL` the key must be passed as `apiKey`.',
  },
  { vendorCode: 'model_not_found', code: 'MODEL_NOT_FOUND', retryable: false, advice: 'Check the name of the model.' },
  {
    status: 400,
    pattern: 'model .*(not found|does not exist|not exist)',
    code: 'MODEL_NOT_FOUND',
    retryable: false,
    advice: 'Check the name of the model.',
  },
  { vendorCode: 'rate_limit_exceeded', code: 'MODEL_RATE_LIMITED', retryable: true, advice: 'Try again later.' },
  { vendorCode: 'server_error', code: 'MODEL_UNAVAILABLE', retryable: true, advice: 'Try again later.' },
];
