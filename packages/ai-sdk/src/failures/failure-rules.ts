import type { FailureRule } from '@askema/core';

const SEND_LESS =
  'Send less: fewer relations, fewer rows, a shorter conversation; or take a model with a larger context.';
const FILTERED = 'Rephrase the question, or ask the vendor about the filter.';
const BILLING = 'Check plan and billing at the vendor; trying again does not help.';
const CHECK_KEY = "Check the key that the AI SDK's provider was made with, or the variable that it reads.";
const AGAIN = 'Try again later.';
const CHECK_SERVER = "Try again; if it stays, check the `baseURL` of the AI SDK's provider.";

type Outcome = Pick<FailureRule, 'code' | 'retryable' | 'advice'>;

/**
 * What vendors' codes and types mean, and the names of the SDK's own errors.
 * https://developers.openai.com/api/docs/guides/error-codes, https://platform.claude.com/docs/en/api/errors,
 * https://ai-sdk.dev/docs/reference/ai-sdk-errors
 */
const BY_CODE: readonly (readonly [vendorCodes: readonly string[], outcome: Outcome])[] = [
  [
    [
      'insufficient_quota',
      'billing_hard_limit_reached',
      'billing_error',
      'contract_spend_limit_reached',
      'enforced_spend_limit_reached',
    ],
    { code: 'MODEL_RATE_LIMITED', retryable: false, advice: BILLING },
  ],
  [
    ['context_length_exceeded', 'exceed_context_size_error', 'request_too_large'],
    { code: 'MODEL_CONTEXT_TOO_LONG', retryable: false, advice: SEND_LESS },
  ],
  [
    ['content_filter', 'content_policy_violation', 'invalid_prompt', 'bio_policy', 'misalignment_policy_violation'],
    { code: 'MODEL_CONTENT_FILTERED', retryable: false, advice: FILTERED },
  ],
  [
    ['invalid_api_key', 'API_KEY_INVALID', 'authentication_error', 'AI_LoadAPIKeyError', 'AI_LoadSettingError'],
    { code: 'MODEL_AUTHENTICATION', retryable: false, advice: CHECK_KEY },
  ],
  [
    ['model_not_found', 'AI_NoSuchModelError'],
    { code: 'MODEL_NOT_FOUND', retryable: false, advice: 'Check the name of the model.' },
  ],
  [
    ['rate_limit_exceeded', 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
    { code: 'MODEL_RATE_LIMITED', retryable: true, advice: AGAIN },
  ],
  [
    ['server_error', 'api_error', 'overloaded_error', 'UNAVAILABLE', 'INTERNAL', 'AI_EmptyResponseBodyError'],
    { code: 'MODEL_UNAVAILABLE', retryable: true, advice: AGAIN },
  ],
  [['timeout_error'], { code: 'MODEL_TIMEOUT', retryable: true, advice: AGAIN }],
  [['AI_JSONParseError'], { code: 'MODEL_REQUEST_FAILED', retryable: true, advice: CHECK_SERVER }],
  [
    ['AI_TypeValidationError', 'AI_InvalidResponseDataError', 'AI_NoContentGeneratedError', 'AI_APICallError'],
    { code: 'MODEL_REQUEST_FAILED', retryable: false, advice: CHECK_SERVER },
  ],
  [
    ['AI_UnsupportedFunctionalityError'],
    { code: 'CAPABILITY_UNSUPPORTED', retryable: false, advice: 'Take a model that can do it.' },
  ],
  [
    ['AI_InvalidPromptError', 'AI_InvalidArgumentError'],
    { code: 'MODEL_REQUEST_INVALID', retryable: false, advice: 'Check the messages and the options of the request.' },
  ],
];

/** The sentences of vendors and servers that give no code. */
const BY_SENTENCE: readonly FailureRule[] = [
  { status: 429, pattern: '^request too large', code: 'MODEL_RATE_LIMITED', retryable: false, advice: SEND_LESS },
  { pattern: 'credit balance is too low', code: 'MODEL_RATE_LIMITED', retryable: false, advice: BILLING },
  {
    status: [400, 499],
    pattern:
      'maximum context length|context (window|size|limit)|exceeds the (available )?context|(prompt|input) is too long|too many (total text bytes|input tokens)|exceeds the maximum number of tokens',
    code: 'MODEL_CONTEXT_TOO_LONG',
    retryable: false,
    advice: SEND_LESS,
  },
  {
    vendorCode: 'AI_InvalidResponseDataError',
    pattern: 'stream ended',
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
    advice: AGAIN,
  },
  // @ai-sdk/openai says so of any JSON that is no response.
  { pattern: 'returned no output', code: 'MODEL_REQUEST_FAILED', retryable: false, advice: CHECK_SERVER },
  { pattern: 'content filtering policy', code: 'MODEL_CONTENT_FILTERED', retryable: false, advice: FILTERED },
  {
    status: 400,
    pattern: 'model .*(not found|does not exist|not exist)',
    code: 'MODEL_NOT_FOUND',
    retryable: false,
    advice: 'Check the name of the model.',
  },
  { status: 401, code: 'MODEL_AUTHENTICATION', retryable: false, advice: CHECK_KEY },
];

/** What failures are: billing before limits, sentences before the codes that are the same for everything. */
export const SDK_FAILURE_RULES: readonly FailureRule[] = [
  ...BY_SENTENCE,
  ...BY_CODE.flatMap(([vendorCodes, outcome]) => vendorCodes.map((vendorCode) => ({ vendorCode, ...outcome }))),
];
