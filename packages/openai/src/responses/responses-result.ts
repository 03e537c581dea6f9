import {
  AskemaError,
  type FinishReason,
  type JsonValue,
  type ModelResult,
  type Part,
  toolArguments,
  type VendorData,
  VendorFailureError,
} from '@askema/core';
import type { OpenAiSettings } from '../openai-settings.ts';
import { responsesUsage } from '../usage.ts';
import type { OutputItem, ResponsesAnswer } from './responses-answer.ts';

const INCOMPLETE_REASONS: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  content_filter: 'content-filter',
};

/**
 * A response as a result. Throws the vendor's failure when its status is `failed`, and `MODEL_REQUEST_FAILED` when the
 * answer is no response.
 */
export function responsesResult(answer: unknown, settings: OpenAiSettings, warnings: readonly string[]): ModelResult {
  const response = checked(answer, settings);
  const items = response.output ?? [];
  const content = items.flatMap((item) => partsOf(item, settings.provider));
  const raw = response.incomplete_details?.reason ?? response.status ?? undefined;
  return {
    content,
    finishReason: { unified: finishReason(response, items), raw },
    usage: responsesUsage(response.usage),
    warnings,
    ...(response.id === undefined ? {} : { responseId: response.id }),
    ...(response.model === undefined ? {} : { modelId: response.model }),
  };
}

function checked(answer: unknown, settings: OpenAiSettings): ResponsesAnswer {
  const response = typeof answer === 'object' && answer !== null ? (answer as ResponsesAnswer) : {};
  if (response.error)
    throw new VendorFailureError({
      vendorCodes: response.error.code ? [response.error.code] : [],
      message: response.error.message || 'the response failed without a reason',
    });
  if (Array.isArray(response.output)) return response;
  throw new AskemaError(
    'MODEL_REQUEST_FAILED',
    `The answer of ${settings.provider}:${settings.model} at ${settings.url} is no response: it has no \`output\`. Check \`baseURL\`; a server that only speaks chat completions needs api: 'chat'.`,
  );
}

function partsOf(item: OutputItem, provider: string): Part[] {
  const vendor: VendorData = { provider, data: item as unknown as JsonValue };
  switch (item.type) {
    case 'message':
      // What the model says between its tool calls is no answer; it goes back with its phase.
      return isCommentary(item) ? [{ type: 'reasoning', text: textOfMessage(item), vendor }] : answerParts(item);
    case 'reasoning':
      return [{ type: 'reasoning', text: reasoningText(item), vendor }];
    case 'function_call':
      return [
        {
          type: 'tool-call',
          id: item.call_id ?? item.id ?? '',
          name: item.name ?? '',
          ...toolArguments(item.arguments ?? ''),
          vendor,
        },
      ];
    default:
      return [{ type: 'vendor', vendor }];
  }
}

/** True for a message that is no answer but progress told between tool calls (`phase`). */
export function isCommentary(item: OutputItem): boolean {
  return item.phase === 'commentary';
}

function answerParts(item: OutputItem): Part[] {
  return (item.content ?? []).flatMap((part): Part[] => {
    const text = part.text ?? part.refusal ?? '';
    return text === '' ? [] : [{ type: 'text', text }];
  });
}

function textOfMessage(item: OutputItem): string {
  return (item.content ?? []).map((part) => part.text ?? part.refusal ?? '').join('');
}

function reasoningText(item: OutputItem): string {
  const summary = (item.summary ?? []).map((part) => part.text ?? '').join('\n\n');
  return summary === '' ? (item.content ?? []).map((part) => part.text ?? '').join('') : summary;
}

function finishReason(response: ResponsesAnswer, items: readonly OutputItem[]): FinishReason {
  const incomplete = response.incomplete_details?.reason;
  if (incomplete) return INCOMPLETE_REASONS[incomplete] ?? 'other';
  if (items.some((item) => (item.content ?? []).some((part) => part.type === 'refusal'))) return 'refusal';
  if (items.some((item) => item.type === 'function_call')) return 'tool-calls';
  return response.status === undefined || response.status === 'completed' ? 'stop' : 'other';
}
