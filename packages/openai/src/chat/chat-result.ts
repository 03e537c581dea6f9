import {
  AskemaError,
  type FinishReason,
  type ModelResult,
  type Part,
  toolArguments,
  VendorFailureError,
} from '@askema/core';
import type { OpenAiSettings } from '../openai-settings.ts';
import { sentenceOf } from '../read-vendor-error.ts';
import { splitThinkTags } from '../split-think-tags.ts';
import { chatUsage } from '../usage.ts';
import type { ChatAnswer, ChatAnswerMessage, ChatToolCall } from './chat-completion.ts';
import { type ChatReasoningData, REASONING_FIELDS } from './chat-messages.ts';

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
};

/**
 * A chat completion as a result. Throws `MODEL_REQUEST_FAILED` when the answer is no chat completion, and a vendor's
 * failure that came with HTTP 200.
 */
export function chatResult(answer: unknown, settings: OpenAiSettings, warnings: readonly string[]): ModelResult {
  const completion = checked(answer, settings);
  const choice = completion.choices?.[0];
  const message = choice?.message ?? {};
  const content = partsOf(message, settings.provider);
  return {
    content,
    finishReason: {
      unified: finishReason(choice?.finish_reason, message, content),
      raw: choice?.finish_reason ?? undefined,
    },
    usage: chatUsage(completion.usage),
    warnings,
    ...(completion.id === undefined ? {} : { responseId: completion.id }),
    ...(completion.model === undefined ? {} : { modelId: completion.model }),
  };
}

function checked(answer: unknown, settings: OpenAiSettings): ChatAnswer {
  const completion = typeof answer === 'object' && answer !== null ? (answer as ChatAnswer) : {};
  if (completion.error !== undefined && completion.error !== null) throw failureInside(completion.error);
  if (completion.choices?.[0] !== undefined) return completion;
  throw new AskemaError(
    'MODEL_REQUEST_FAILED',
    `The answer of ${settings.provider}:${settings.model} at ${settings.url} is no chat completion: it has no \`choices\`. Check that \`baseURL\` ends where the server's API begins, usually at /v1.`,
  );
}

/** An error that came with HTTP 200. */
export function failureInside(error: unknown): VendorFailureError {
  const { code, type } = error as { code?: unknown; type?: unknown };
  const status = Number(code);
  return new VendorFailureError({
    ...(status >= 400 && status < 600 ? { status } : {}),
    vendorCodes: [code, type].filter((value) => value !== undefined && value !== null).map(String),
    message: sentenceOf(error) ?? JSON.stringify(error),
  });
}

function partsOf(message: ChatAnswerMessage, provider: string): Part[] {
  const parts: Part[] = [];
  const field = REASONING_FIELDS.find((name) => message[name]);
  if (field !== undefined) {
    const data: ChatReasoningData = { chatField: field };
    parts.push({ type: 'reasoning', text: message[field] ?? '', vendor: { provider, data: { ...data } } });
  }
  const { reasoning, text } = splitThinkTags(message.content ?? '');
  if (reasoning !== '') parts.push({ type: 'reasoning', text: reasoning });
  if (text !== '') parts.push({ type: 'text', text });
  if (message.refusal) parts.push({ type: 'text', text: message.refusal });
  return [...parts, ...(message.tool_calls ?? []).map(toolCallPart)];
}

function toolCallPart(call: ChatToolCall, index: number): Part {
  const written = call.function?.arguments;
  const text = typeof written === 'string' ? written : JSON.stringify(written ?? {});
  // Some servers send no id; results must still find their calls.
  return { type: 'tool-call', id: call.id || `call_${index}`, name: call.function?.name ?? '', ...toolArguments(text) };
}

function finishReason(
  raw: string | null | undefined,
  message: ChatAnswerMessage,
  content: readonly Part[],
): FinishReason {
  if (message.refusal) return 'refusal';
  const unified = FINISH_REASONS[raw ?? ''] ?? 'other';
  // Some servers call it `stop` when the model called a tool.
  return unified === 'stop' && content.some((part) => part.type === 'tool-call') ? 'tool-calls' : unified;
}
