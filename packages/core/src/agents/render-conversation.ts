import { AskemaError } from '../errors/askema-error.ts';
import type { Message } from '../model/language-model.ts';
import type { ChatMessage } from './chat-message.ts';
import type { RoleId } from './role-profile.ts';

/**
 * Messages of a chat as a model reads them: the role's own ones as its own answers, the others as the user's, sender and addressee
 * named, the text fenced. The first one is never its own.
 */
export function renderConversation(visible: readonly ChatMessage[], role: RoleId): readonly Message[] {
  throw new AskemaError('INTERNAL', `${visible.length} messages to \`${role}\` cannot be rendered yet.`);
}
