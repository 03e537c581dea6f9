import type { Usage } from '../model/usage.ts';
import type { JsonValue } from '../values/value.ts';
import type { ChatMessage } from './chat-message.ts';
import type { RoleId } from './role-profile.ts';

/**
 * The part of a flow's state that a group chat owns. A pipeline's state extends it:
 * `interface State extends ChatState { … }`.
 */
export interface ChatState {
  chat: Chat;
}

/** What a chat has said and where it stands. Plain data. Only the chat writes it; steps read it. */
export interface Chat {
  /** All messages, of nested chats too, in their order: the transcript. */
  messages: ChatMessage[];
  /** Rounds used, by chat. That of a nested chat counts from its last entry. */
  rounds: Record<string, number>;
  /** Who has the word now. Undefined before the first turn and after the last. */
  next?: RoleId | undefined;
  /** What the administrator's choices cost; undefined when it was never asked. */
  administration?: { calls: number; usage: Usage } | undefined;
}

/**
 * A chat in which only the user has spoken: `flow.run({ chat: startChat(requirement), … }, deps)`. All roles see the
 * text.
 */
export function startChat(userText: string, data?: JsonValue | undefined): Chat {
  const chat: Chat = { messages: [], rounds: {} };
  addUserMessage(chat, userText, data);
  return chat;
}

/**
 * Adds what the user says to everybody later on, for example the answer to a question: for `post` of a speaker, and for
 * `edit` of a fork.
 */
export function addUserMessage(chat: Chat, text: string, data?: JsonValue | undefined): void {
  chat.messages.push({
    number: chat.messages.length + 1,
    chat: chat.messages[0]?.chat ?? '',
    round: 0,
    from: 'user',
    to: 'all',
    text,
    kind: 'forward',
    ...(data === undefined ? {} : { data }),
  });
}
