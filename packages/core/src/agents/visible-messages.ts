import type { ChatMessage } from './chat-message.ts';
import type { RoleId } from './role-profile.ts';

/**
 * What a role may see, in order and each message once: what is addressed to all, what it said itself, what was addressed to it
 * (SchemaAgent, section 4.2). Messages inside of a nested chat are addressed to those inside only.
 */
export function visibleMessages(messages: readonly ChatMessage[], role: RoleId): readonly ChatMessage[] {
  return messages.filter((message) => {
    if (message.from === role) return message.leaves?.repeats === undefined;
    return message.to === 'all' || message.to.includes(role);
  });
}
