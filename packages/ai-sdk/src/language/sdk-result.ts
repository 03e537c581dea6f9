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
import { unreadable } from './unreadable.ts';

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
  const { unified, raw } = { ...answer?.finishReason };
  if (!Array.isArray(answer?.content) || unified === undefined)
    throw unreadable(settings, 'it lacks `content` or `finishReason`');
  // This is what some providers make of any JSON.
  if (unified === 'other' && raw === undefined && answer.content.length === 0)
    throw new AskemaError(
      'MODEL_REQUEST_FAILED',
      `The answer of ${name} has no content and no reason for its end. Check the \`baseURL\` of the AI SDK's provider.`,
    );
  if (unified === 'interrupted')
    throw new AskemaError('MODEL_UNAVAILABLE', `The answer of ${name} broke off. Try again.`, { retryable: true });
  const responseId = optionalText(answer.response?.id);
  const modelId = optionalText(answer.response?.modelId);
  const content = answer.content.map((part) => contentPart(part, settings)).filter(saysSomething);
  return {
    content: request.output === undefined ? content : withAnswer(content, optionalText(answer.structuredOutputText)),
    finishReason: { unified: finishReason(unified, raw, answer.content), raw: optionalText(raw) },
    usage: sdkUsage(answer.usage),
    warnings: Array.isArray(answer.warnings) ? answer.warnings.map(warningText) : [],
    ...(responseId === undefined ? {} : { responseId }),
    ...(modelId === undefined ? {} : { modelId }),
  };
}

/** Of what only accompanies an answer, what is no text is left out. */
function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
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

/** Those of the SDK; a trace counts by them. */
const REASONS: readonly string[] = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'];

function finishReason(
  unified: Exclude<SdkAnswer['finishReason']['unified'], 'interrupted'>,
  raw: string | undefined,
  content: SdkAnswer['content'],
): FinishReason {
  if (unified === 'content-filter' && REFUSALS.includes(raw)) return 'refusal';
  if (!REASONS.includes(unified)) return 'other';
  const calls = content.some((part) => part.type === 'tool-call' && part.providerExecuted !== true);
  // Some servers call a call `stop`.
  return unified === 'stop' && calls ? 'tool-calls' : unified;
}

/** Providers that sum up what was not there give NaN; it counts as not reported. */
function sdkUsage(usage: LanguageModelV4Usage | undefined): Usage {
  return reportedUsage({
    inputTokens: usage?.inputTokens?.total,
    outputTokens: usage?.outputTokens?.total,
    cachedInputTokens: usage?.inputTokens?.cacheRead,
    cacheWriteTokens: usage?.inputTokens?.cacheWrite,
    reasoningTokens: usage?.outputTokens?.reasoning,
  });
}

function warningText(warning: SharedV4Warning): string {
  switch (warning?.type) {
    case 'unsupported':
      return `${warning.feature} is not supported${warning.details === undefined ? '.' : `: ${warning.details}`}`;
    case 'compatibility':
      return `${warning.feature} is imitated${warning.details === undefined ? '.' : `: ${warning.details}`}`;
    case 'deprecated':
      return `${warning.setting} is deprecated: ${warning.message}`;
    default:
      return optionalText(warning?.message) ?? 'The provider warns of something that it does not name.';
  }
}
