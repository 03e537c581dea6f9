import { type StreamEvent, VendorFailureError } from '@askema/core';
import { endOf } from '../chat/chat-stream.ts';
import type { OpenAiSettings } from '../openai-settings.ts';
import type { OutputItem, ResponsesAnswer } from './responses-answer.ts';
import { isCommentary, responsesResult } from './responses-result.ts';

/** What is read of an event; its kind decides which fields there are. */
export interface ResponsesEvent {
  readonly type: string;
  readonly delta?: unknown;
  readonly output_index?: number | undefined;
  readonly summary_index?: number | undefined;
  readonly item?: OutputItem | undefined;
  readonly response?: ResponsesAnswer | undefined;
  readonly code?: string | null | undefined;
  readonly message?: string | undefined;
}

/**
 * The events of a response as stream events. The last one carries the whole response, from which the result is made as
 * without streaming. Events that stop before it end without `finish`; a failure among them is thrown.
 */
export async function* responsesStream(
  events: AsyncIterable<ResponsesEvent>,
  settings: OpenAiSettings,
  warnings: readonly string[],
): AsyncGenerator<StreamEvent> {
  const items = new Map<number, OutputItem>();
  let summaryIndex = 0;
  for await (const event of events) {
    switch (event.type) {
      case 'response.output_item.added':
      case 'response.output_item.done':
        if (event.item !== undefined) items.set(event.output_index ?? items.size, event.item);
        summaryIndex = 0;
        break;
      case 'response.reasoning_summary_text.delta':
        if ((event.summary_index ?? 0) > summaryIndex) yield { type: 'reasoning-delta', text: '\n\n' };
        summaryIndex = event.summary_index ?? 0;
        yield { type: 'reasoning-delta', text: String(event.delta) };
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta': {
        const item = items.get(event.output_index ?? -1);
        const type = item !== undefined && isCommentary(item) ? 'reasoning-delta' : 'text-delta';
        yield { type, text: String(event.delta) };
        break;
      }
      case 'error':
        throw new VendorFailureError({
          vendorCodes: event.code ? [event.code] : [],
          message: event.message ?? 'the stream failed without a reason',
        });
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        yield* endOf(responsesResult(wholeResponse(event.response, items), settings, warnings));
        return;
    }
  }
}

/** Some servers leave the output out of the last event: it has come in pieces already. */
function wholeResponse(
  response: ResponsesAnswer | undefined,
  items: ReadonlyMap<number, OutputItem>,
): ResponsesAnswer | undefined {
  if (response === undefined || (response.output?.length ?? 0) > 0) return response;
  return { ...response, output: [...items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item) };
}
