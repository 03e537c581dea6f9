import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean } from '../errors/nearest-names.ts';
import type { PostContext } from '../flow/step.ts';
import { shortened } from '../text/shortened.ts';
import type { ChatExit, ChatMessage } from './chat-message.ts';
import { type ChatPlan, type PlannedNested, type PlannedRole, RESERVED } from './chat-plan.ts';
import type { Chat, ChatState } from './chat-state.ts';
import { chooseNext, type Decision } from './choose-next.ts';
import type { RoleId } from './role-profile.ts';
import type { Said } from './speaker.ts';

/** What is told of a name that nobody has. */
const MAX_NAME_LENGTH = 60;

/** Writes what a role says into the chat, counts the round, and returns the action that leads to who is next. */
export function takeTurn(
  plan: ChatPlan,
  role: PlannedRole,
  state: ChatState,
  said: Said,
  context: PostContext | undefined,
): string {
  const { chat } = state;
  nameChat(chat, plan.name);
  const own = role.nested?.name ?? plan.name;
  chat.rounds[own] = (chat.rounds[own] ?? 0) + 1;
  const decision = chooseNext(plan, role, said, chat.rounds);
  const message = messageOf(plan, role, chat, said, decision);
  chat.messages.push(message);
  if (role.nested !== undefined && (decision.exit === 'approved' || decision.exit === 'exhausted'))
    chat.messages.push(resultOf(plan, role.nested, state, decision, decision.exit));
  setNext(chat, decision.next);
  tellTurn(plan, role, chat, message, decision, context);
  return decision.action;
}

/** Gives the word to a role, or to nobody. */
export function setNext(chat: Chat, next: RoleId | undefined): void {
  if (next === undefined) delete chat.next;
  else chat.next = next;
}

/** What the user said first was said before the chat had a name. */
function nameChat(chat: Chat, name: string): void {
  for (const [index, message] of chat.messages.entries()) {
    if (message.chat === '') chat.messages[index] = { ...message, chat: name };
  }
}

function messageOf(plan: ChatPlan, role: PlannedRole, chat: Chat, said: Said, decision: Decision): ChatMessage {
  const { nested } = role;
  const { next, exit, kind, ignoredNext } = decision;
  // A turn that leads out is heard outside; all others of a nested chat stay inside, and their last one has no next
  // speaker there.
  const inside = nested !== undefined && exit !== 'named';
  const where = inside ? nested.name : plan.name;
  const following = inside && exit !== undefined ? undefined : next;
  return {
    number: chat.messages.length + 1,
    chat: where,
    round: chat.rounds[where] ?? 0,
    from: role.id,
    to: inside ? readersInside(role.id, nested, said, decision) : readersOf(plan, role.id, said, decision),
    text: said.text,
    kind,
    ...(said.data === undefined ? {} : { data: said.data }),
    ...(following === undefined ? {} : { next: following }),
    ...(ignoredNext === undefined ? {} : { ignoredNext }),
    ...(exit === 'named' && nested !== undefined ? { leaves: { chat: nested.name, how: exit } } : {}),
    ...(said.toolCalls === undefined || said.toolCalls.length === 0 ? {} : { toolCalls: said.toolCalls }),
  };
}

/** Whoever is next always reads what was said. */
function readersOf(plan: ChatPlan, from: RoleId, said: Said, { addressee, action }: Decision): ChatMessage['to'] {
  if (said.to === 'all') return 'all';
  const named = said.to ?? [];
  for (const role of named) {
    if (!plan.roles.has(role))
      throw new AskemaError(
        'FLOW_INVALID',
        `Role \`${from}\` of chat \`${plan.name}\` addresses \`${role}\`, which is no role of it. ${didYouMean(role, plan.roles.keys())}`.trim(),
      );
  }
  const readers = new Set(addressee === undefined ? named : [...named, addressee]);
  // Where the administrator is asked, it adds whom it chooses.
  return readers.size === 0 && action !== RESERVED.administrator ? 'all' : [...readers];
}

/** Everybody inside is written out, because `all` would be everybody outside too. */
function readersInside(from: RoleId, nested: PlannedNested, said: Said, { addressee }: Decision): readonly RoleId[] {
  const others = nested.roles.filter((role) => role !== from);
  if (said.to === 'all') return others;
  const readers = others.filter((role) => role === addressee || said.to?.includes(role));
  return readers.length === 0 ? others : readers;
}

/** What a nested chat hands on: what its first member said last, unless it says otherwise. */
function resultOf(
  plan: ChatPlan,
  nested: PlannedNested,
  state: ChatState,
  decision: Decision,
  how: ChatExit['how'],
): ChatMessage {
  const { chat } = state;
  const source = lastWords(chat, nested);
  const made = nested.result?.(state as never);
  const data = made === undefined ? source.data : made.data;
  const repeats = made === undefined || made.text === source.text ? { repeats: source.number } : {};
  return {
    number: chat.messages.length + 1,
    chat: plan.name,
    round: chat.rounds[plan.name] ?? 0,
    from: source.from,
    to: nested.onward === undefined ? 'all' : [nested.onward],
    text: made?.text ?? source.text,
    kind: decision.action === RESERVED.terminal ? 'end' : 'forward',
    leaves: { chat: nested.name, how, ...repeats },
    ...(data === undefined ? {} : { data }),
    ...(decision.next === undefined ? {} : { next: decision.next }),
  };
}

/** What the first member said last inside; where it never spoke there, what was said last. */
function lastWords({ messages }: Chat, { name, roles }: PlannedNested): ChatMessage {
  const own = messages.findLast(({ chat, from }) => chat === name && from === roles[0]);
  return own ?? (messages.at(-1) as ChatMessage);
}

/** Sizes and names only: what was said stands in the transcript. */
function tellTurn(
  plan: ChatPlan,
  role: PlannedRole,
  chat: Chat,
  message: ChatMessage,
  decision: Decision,
  context: PostContext | undefined,
): void {
  if (context === undefined) return;
  const { replayed } = context;
  const { next, action, exit, ignoredNext, kind } = decision;
  const where = { role: role.id, chat: role.nested?.name ?? plan.name };
  if (ignoredNext !== undefined)
    context.emit({
      type: 'next-ignored',
      data: { ...where, named: shortened(ignoredNext, MAX_NAME_LENGTH), candidates: role.candidates, replayed },
    });
  context.emit({
    type: 'turn',
    data: {
      ...where,
      round: chat.rounds[where.chat] ?? 0,
      number: message.number,
      kind,
      next: next ?? null,
      action,
      leaves: exit ?? null,
      textLength: message.text.length,
      toolCalls: message.toolCalls?.length ?? 0,
      replayed,
    },
  });
}
