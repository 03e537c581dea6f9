import { answerChat, streamChat } from './chat-wire.ts';
import type { LoopbackAnswer, WireProtocol } from './loopback-reply.ts';
import { answerMessages, streamMessages } from './messages-wire.ts';
import { answerResponses, streamResponses } from './responses-wire.ts';

/** The body of an answer, and its server-sent events, in the protocol's own words. */
export function wireAnswer(
  protocol: WireProtocol,
  answer: LoopbackAnswer,
  model: string,
): { readonly body: string; readonly events: readonly string[] } {
  const write = {
    chat: { body: answerChat, events: streamChat },
    responses: { body: answerResponses, events: streamResponses },
    messages: { body: answerMessages, events: streamMessages },
  }[protocol];
  return { body: JSON.stringify(write.body(answer, model)), events: write.events(answer, model) };
}
