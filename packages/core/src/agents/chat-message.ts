import { assistantMessage, type Message, userMessage } from '../model/language-model.ts';
import { fence } from '../task/fence.ts';
import type { JsonValue } from '../values/value.ts';
import type { RoleId } from './role-profile.ts';

/**
 * One message of the pool. Plain JSON: the transcript is the list of them. A role sees what is addressed to all, what
 * it said itself, and what was addressed to it (SchemaAgent, section 4.2).
 */
export interface ChatMessage {
  /** From 1, in the order of the whole chat, nested ones included. */
  readonly number: number;
  /** Which chat it was said in: the name of the outer or of a nested one. */
  readonly chat: string;
  /** The round of that chat, from 1. The user's message is round 0. */
  readonly round: number;
  readonly from: RoleId | 'user';
  readonly to: 'all' | readonly RoleId[];
  /** What other roles read. */
  readonly text: string;
  /** The structured output behind it, for code and reports. */
  readonly data?: JsonValue | undefined;
  /** `forward`: the work goes on. `feedback`: a complaint to an earlier role. `end`: the last word. */
  readonly kind: 'forward' | 'feedback' | 'end';
  /** Who speaks next; undefined at the end of the chat. */
  readonly next?: RoleId | undefined;
  /** Named by the speaker, but no candidate; the forward order held instead. */
  readonly ignoredNext?: string | undefined;
  /** Who chose the next speaker, where that was not the speaker itself or the forward order. */
  readonly chosenBy?: 'administrator' | undefined;
  /** Set on the message with which a nested chat hands over to the chat around it. */
  readonly leaves?: ChatExit | undefined;
  /** What its tools were asked and answered before it spoke. */
  readonly toolCalls?: readonly ChatToolCall[] | undefined;
}

/** How a nested chat was left. */
export interface ChatExit {
  /** The nested chat. */
  readonly chat: string;
  /**
   * `approved`: its reviewer said so. `exhausted`: its rounds were used up first. `named`: a speaker in it named a role
   * outside.
   */
  readonly how: 'approved' | 'exhausted' | 'named';
  /** Number of the message inside whose words this one repeats; those inside are not shown it twice. */
  readonly repeats?: number | undefined;
}

/** One use of a tool, as it stands in the transcript. */
export interface ChatToolCall {
  readonly tool: string;
  readonly thought: string;
  readonly input: JsonValue;
  readonly observation: string;
  readonly failed: boolean;
}

/**
 * What a role may see, in order and each message once: what is addressed to all, what it said itself, what was
 * addressed to it (SchemaAgent, section 4.2). Messages inside of a nested chat are addressed to those inside only.
 */
export function visibleMessages(messages: readonly ChatMessage[], role: RoleId): readonly ChatMessage[] {
  return messages.filter((message) => {
    if (message.from === role) return message.leaves?.repeats === undefined;
    return message.to === 'all' || message.to.includes(role);
  });
}

/**
 * Messages of a chat as a model reads them: the role's own ones as its own answers, the others as the user's, each with
 * sender and addressee and with its text fenced, because it carries what people and models wrote. Neighbours of one
 * side are one message, which all vendors take.
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
