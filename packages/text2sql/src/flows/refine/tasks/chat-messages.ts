import type { Message } from '@askema/core';
import type { ThreadChat } from '../state/refine-state.ts';

/** True where the chat of a thread has begun: its next prompt says only what is new. */
export function hasBegun(chat: ThreadChat | undefined): chat is ThreadChat {
  return chat !== undefined && chat.messages.length > 0;
}

/** The next prompt of a chat: all that was said, and what is new. */
export function nextMessages({ messages }: ThreadChat, sections: readonly string[]): readonly Message[] {
  // The prompt behind this one begins with all of it.
  return [...messages, { role: 'user', content: [{ type: 'text', text: sections.join('\n\n'), endsPrefix: true }] }];
}
