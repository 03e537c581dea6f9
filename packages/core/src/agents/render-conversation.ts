import { assistantMessage, type Message, userMessage } from '../model/language-model.ts';
import { fence } from '../task/fence.ts';
import type { ChatMessage } from './chat-message.ts';
import type { RoleId } from './role-profile.ts';

/**
 * Messages of a chat as a model reads them: the role's own ones as its own answers, the others as the user's, each with sender and
 * addressee and with its text fenced, because it carries what people and models wrote. Neighbours of one side are one message, which all
 * vendors take.
 */
export function renderConversation(visible: readonly ChatMessage[], role: RoleId): readonly Message[] {
  const turns: { readonly own: boolean; readonly texts: string[] }[] = [];
  for (const message of visible) {
    const own = message.from === role;
    const text = own ? message.text : foreignText(message);
    const last = turns.at(-1);
    if (last?.own === own) last.texts.push(text);
    else turns.push({ own, texts: [text] });
  }
  return turns.map(({ own, texts }) => (own ? assistantMessage : userMessage)(texts.join('\n\n')));
}

function foreignText({ number, from, to, kind, text, leaves }: ChatMessage): string {
  const sender = from === 'user' ? 'the user' : `\`${from}\``;
  const readers = to === 'all' ? 'all' : to.map((reader) => `\`${reader}\``).join(', ');
  const feedback = kind === 'feedback' ? ', feedback' : '';
  const unapproved = leaves?.how === 'exhausted' ? ', not approved by its reviewer' : '';
  return `Message ${number} from ${sender} to ${readers}${feedback}${unapproved}:\n${fence(`message ${number}`, text)}`;
}
