import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport } from 'ai';
import type { AgentMessage } from '../src/agent.ts';

/** The chat of the AI SDK for a page without a framework: `changed` is called after each change. */
export class PageChat extends AbstractChat<AgentMessage> {
  constructor(changed: () => void) {
    super({ state: pageState(changed), transport: new DefaultChatTransport({ api: '/api/chat' }) });
  }
}

function pageState(changed: () => void): ChatState<AgentMessage> {
  let status: ChatStatus = 'ready';
  let error: Error | undefined;
  let messages: AgentMessage[] = [];
  const setMessages = (next: AgentMessage[]): void => {
    messages = next;
    changed();
  };
  return {
    get status() {
      return status;
    },
    set status(next) {
      status = next;
      changed();
    },
    get error() {
      return error;
    },
    set error(next) {
      error = next;
      changed();
    },
    get messages() {
      return messages;
    },
    set messages(next) {
      setMessages(next);
    },
    pushMessage: (message) => setMessages([...messages, message]),
    popMessage: () => setMessages(messages.slice(0, -1)),
    replaceMessage: (index, message) => setMessages(messages.with(index, message)),
    snapshot: (thing) => structuredClone(thing),
  };
}
