import type { LanguageModelV4GenerateResult, LanguageModelV4Usage, SharedV4Warning } from '@ai-sdk/provider';
import {
  AskemaError,
  type FinishReason,
  type ModelRequest,
  type ModelResult,
  type Part,
  reportedUsage,
  type Usage,
} from '@askema/core';
import type { ModelSettings } from '../sdk-model.ts';
import { contentPart } from './content-part.ts';

/** What is read of an answer. */
export type SdkAnswer = Pick<
  LanguageModelV4GenerateResult,
  'content' | 'finishReason' | 'usage' | 'warnings' | 'structuredOutputText' | 'response'
>;

/**
 * An answer as a result. Throws `MODEL_UNAVAILABLE`, retryable, for one that broke off, and `MODEL_REQUEST_FAILED` for
 * what is no answer.
 */
export function sdkResult(answer: SdkAnswer, request: ModelRequest, settings: ModelSettings): ModelResult {
  const name = `${settings.provider}:${settings.model}`;
  if (!Array.isArray(answer?.content) || typeof answer.finishReason !== 'object')
    throw new AskemaError(
      'MODEL_REQUEST_FAILED',
      `The answer of ${name} is none of the AI SDK's: it lacks \`content\` or \`finishReason\`. Install a version of the provider's package that fits the SDK.`,
    );
  const { unified, raw } = answer.finishReason;
  // This is what some providers make of any JSON.
  if (unified === 'other' && raw === undefined && answer.content.length === 0)
    throw new AskemaError(
      'MODEL_REQUEST_FAILED',
      `The answer of ${name} has no content and no reason for its end. Check the \`baseURL\` of the AI SDK's provider.`,
    );
  if (unified === 'interrupted')
    throw new AskemaError('MODEL_UNAVAILABLE', `The answer of ${name} broke off. Try again.`, { retryable: true });
  const content = answer.content.map((part) => contentPart(part, settings.mark)).filter(saysSomething);
  return {
    content: request.output === undefined ? content : withAnswer(content, answer.structuredOutputText),
    finishReason: { unified: finishReason(unified, raw, answer.content), raw },
    usage: sdkUsage(answer.usage),
    warnings: (answer.warnings ?? []).map(warningText),
    ...(answer.response?.id === undefined ? {} : { responseId: answer.response.id }),
    ...(answer.response?.modelId === undefined ? {} : { modelId: answer.response.modelId }),
  };
}

/** Streams open texts in which nothing is written; only a provider's own data makes one of them worth keeping. */
function saysSomething(part: Part): boolean {
  return part.type !== 'text' || part.text !== '' || part.vendor !== undefined;
}

/** The text that is meant as the answer takes the place of drafts. */
function withAnswer(content: readonly Part[], text: string | undefined): readonly Part[] {
  if (text === undefined) return content;
  return [...content.filter((part) => part.type !== 'text'), { type: 'text', text }];
}

/**
 * What vendors say when the model itself refused. The SDK has no word for that and calls it a filter; OpenAI says
 * `stop`, or nothing.
 */
const REFUSALS: readonly (string | undefined)[] = ['refusal', 'stop', undefined];

function finishReason(
  unified: Exclude<SdkAnswer['finishReason']['unified'], 'interrupted'>,
  raw: string | undefined,
  content: SdkAnswer['content'],
): FinishReason {
  if (unified === 'content-filter' && REFUSALS.includes(raw)) return 'refusal';
  const calls = content.some((part) => part.type === 'tool-call' && part.providerExecuted !== true);
  // Some servers call a call `stop`.
  return unified === 'stop' && calls ? 'tool-calls' : unified;
}

/** What was not reported stays undefined; providers that sum up what was not there give NaN. */
function sdkUsage(usage: LanguageModelV4Usage | undefined): Usage {
  const known = (count: number | undefined) => (Number.isFinite(count) ? count : undefined);
  return reportedUsage({
    inputTokens: known(usage?.inputTokens?.total),
    outputTokens: known(usage?.outputTokens?.total),
    cachedInputTokens: known(usage?.inputTokens?.cacheRead),
    cacheWriteTokens: known(usage?.inputTokens?.cacheWrite),
    reasoningTokens: known(usage?.outputTokens?.reasoning),
  });
}

function warningText(warning: SharedV4Warning): string {
  switch (warning.type) {
    case 'unsupported':
      return `${warning.feature} is not supported${warning.details === undefined ? '.' : `: ${warning.details}`}`;
    case 'compatibility':
      return `${warning.feature} is imitated${warning.details === undefined ? '.' : `: ${warning.details}`}`;
    case 'deprecated':
      return `${warning.setting} is deprecated: ${warning.message}`;
    default:
      return warning.message;
  }
}
