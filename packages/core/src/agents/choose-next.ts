import type { ChatExit, ChatMessage } from './chat-message.ts';
import { type ChatPlan, type PlannedRole, RESERVED } from './chat-plan.ts';
import type { RoleId } from './role-profile.ts';
import { roleOfName } from './role-profile.ts';
import type { Said } from './speaker.ts';

/** What follows a turn. */
export interface Decision {
  /** The action of the step: the next role, or how it ends. */
  readonly action: string;
  /** Undefined when the chat is over or the administrator is asked. */
  readonly next: RoleId | undefined;
  /** Whom the turn speaks to, also where the rounds do not let that role answer. */
  readonly addressee: RoleId | undefined;
  readonly kind: ChatMessage['kind'];
  /** How a nested chat was left by this turn. */
  readonly exit: ChatExit['how'] | undefined;
  /** What was named and could not be followed. */
  readonly ignoredNext: string | undefined;
}

/**
 * Who speaks after a turn (SchemaAgent, section 4.3): by the structured fields of what was said, then by the forward
 * order. `rounds` already counts this turn. The text of the message plays no part.
 */
export function chooseNext(
  plan: ChatPlan,
  role: PlannedRole,
  said: Said,
  rounds: Readonly<Record<string, number>>,
): Decision {
  const name = said.next?.trim();
  const named = name === undefined || name === '' ? undefined : name;
  const approved = said.approved === true && role.nested?.reviewer === role.id;
  const allowed = named === undefined ? undefined : allowedRole(plan, role, named, approved);
  const ignoredNext = named !== undefined && allowed === undefined && said.end !== true ? named : undefined;
  const ended = { next: undefined, addressee: undefined, exit: undefined, ignoredNext };
  if (said.end) return { ...ended, action: RESERVED.terminal, kind: 'end' };

  const wanted = approved ? role.nested?.onward : (allowed ?? role.forward);
  const spoken = { ...ended, addressee: wanted };
  const kind = said.kind ?? (isBackward(plan, role, wanted, approved) ? 'feedback' : 'forward');
  const left = approved ? 'approved' : leaving(role, wanted, rounds);
  const next = left === 'exhausted' ? role.nested?.onward : wanted;
  if (role.nested !== undefined && left === undefined) return { ...spoken, action: next as RoleId, next, kind };
  if (next === undefined && !(role.asks && named === undefined))
    return { ...spoken, exit: left, action: RESERVED.terminal, kind: left === undefined ? 'end' : kind };
  if ((rounds[plan.name] ?? 0) >= plan.maxRounds) return { ...spoken, exit: left, action: RESERVED.exhausted, kind };
  if (role.asks && named === undefined) return { ...ended, action: RESERVED.administrator, kind };
  return { ...spoken, exit: left, action: next as RoleId, next, kind };
}

/** The role that a name stands for, when this one may name it. A reviewer that approves can only hand on. */
function allowedRole(plan: ChatPlan, role: PlannedRole, name: string, approved: boolean): RoleId | undefined {
  const found = roleOfName(name, plan.profiles);
  if (found === undefined) return undefined;
  if (approved) return found === role.nested?.onward ? found : undefined;
  return role.candidates.includes(found) ? found : undefined;
}

function isBackward(plan: ChatPlan, role: PlannedRole, wanted: RoleId | undefined, approved: boolean): boolean {
  if (approved || wanted === undefined) return false;
  return (plan.roles.get(wanted)?.position ?? role.position) < role.position;
}

/** Whether the turn leads out of the nested chat in which it was spoken. */
function leaving(
  { nested }: PlannedRole,
  wanted: RoleId | undefined,
  rounds: Readonly<Record<string, number>>,
): 'exhausted' | 'named' | undefined {
  if (nested === undefined) return undefined;
  if (wanted === undefined || !nested.roles.includes(wanted)) return 'named';
  return (rounds[nested.name] ?? 0) >= nested.maxRounds ? 'exhausted' : undefined;
}
