import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import type { GroupChatOptions, NestedChat } from './group-chat.ts';
import type { RoleId, RoleProfile } from './role-profile.ts';
import { foldRoleName } from './role-profile.ts';
import type { SpeakerOf } from './speaker.ts';

/** Steps and actions of a chat that are no roles. */
export const RESERVED = {
  terminal: 'terminal',
  exhausted: 'exhausted',
  administrator: 'administrator',
  entrance: 'entrance',
} as const;

/** SchemaAgent, section 5.2. */
const DEFAULT_MAX_ROUNDS = 15;

/** Types forgotten: members of one chat differ in input and output. */
type AnySpeaker = SpeakerOf<never, never>;
type AnyNestedChat = Omit<NestedChat<never, never>, 'members' | 'result'> & {
  readonly members: readonly AnySpeaker[];
  readonly result?: NestedChat<never, never>['result'];
};
export type AnyGroupChatOptions = Omit<GroupChatOptions<never, never>, 'members'> & {
  readonly members: readonly (AnySpeaker | AnyNestedChat)[];
};

/** A nested chat, checked. */
export interface PlannedNested {
  readonly name: string;
  readonly maxRounds: number;
  readonly roles: readonly RoleId[];
  readonly reviewer: RoleId;
  /** Who speaks when it is over; undefined when that ends the whole chat. */
  readonly onward: RoleId | undefined;
  readonly result: AnyNestedChat['result'];
}

/** A role, checked, and where it stands. */
export interface PlannedRole {
  readonly id: RoleId;
  readonly speaker: AnySpeaker;
  /** In the forward order of the whole chat, from 0. */
  readonly position: number;
  readonly nested: PlannedNested | undefined;
  /** Who speaks when nobody is named; undefined for the last one. */
  readonly forward: RoleId | undefined;
  /** Whom it may name, the forward one included. */
  readonly candidates: readonly RoleId[];
  /** The administrator is asked when it names nobody. */
  readonly asks: boolean;
}

/** A whole chat, checked. */
export interface ChatPlan {
  readonly name: string;
  readonly version: number;
  readonly maxRounds: number;
  readonly roles: ReadonlyMap<RoleId, PlannedRole>;
  readonly profiles: readonly RoleProfile[];
  /** In the forward order. */
  readonly members: readonly (PlannedRole | PlannedNested)[];
  /** The options that the administrator's step needs; undefined when nobody would ever ask. */
  readonly administrator: AnyGroupChatOptions['administrator'];
}

export function isNested(member: PlannedRole | PlannedNested): member is PlannedNested {
  return 'roles' in member;
}

/**
 * Checks the members of a chat and lays out who may follow whom.
 *
 * @throws AskemaError `FLOW_INVALID`.
 */
export function planChat(options: AnyGroupChatOptions): ChatPlan {
  const { name, members, forwardOnly = false } = options;
  if (members.length === 0) throw invalid(name, 'has no members; give it speakers in the forward order');
  const speakers = members.flatMap((member) => (member.kind === 'chat' ? member.members : [member]));
  const profiles = speakers.map(({ profile }) => profile);
  checkNames(name, members, profiles);
  const planned = new Map<RoleId, PlannedRole>();
  const plannedMembers = members.map((member, index): PlannedRole | PlannedNested => {
    const following = members[index + 1];
    const onward = following === undefined ? undefined : entranceOf(following);
    const nested = member.kind === 'chat' ? planNested(name, member, onward) : undefined;
    const own = member.kind === 'chat' ? member.members : [member];
    for (const [place, speaker] of own.entries()) {
      const forward = nested === undefined ? onward : nested.roles[(place + 1) % nested.roles.length];
      const candidates = candidatesOf(name, speaker.profile, forward, profiles, forwardOnly);
      const asks =
        options.administrator !== undefined &&
        nested === undefined &&
        candidates.length + (forward === undefined ? 1 : 0) > 1;
      const { id } = speaker.profile;
      planned.set(id, { id, speaker, position: planned.size, nested, forward, candidates, asks });
    }
    return nested ?? (planned.get(entranceOf(member)) as PlannedRole);
  });
  const asked = [...planned.values()].some(({ asks }) => asks);
  return {
    name,
    version: options.version ?? 1,
    maxRounds: roundsOf(name, options.maxRounds),
    roles: planned,
    profiles,
    members: plannedMembers,
    administrator: asked ? options.administrator : undefined,
  };
}

/** The role that begins when a member gets the word. */
function entranceOf(member: AnySpeaker | AnyNestedChat): RoleId {
  return member.kind === 'chat' ? (member.members[0] as AnySpeaker).profile.id : member.profile.id;
}

function planNested(outer: string, chat: AnyNestedChat, onward: RoleId | undefined): PlannedNested {
  const roles = chat.members.map(({ profile }) => profile.id);
  const reviewer = chat.reviewer ?? (roles.at(-1) as RoleId);
  if (!roles.includes(reviewer))
    throw invalid(
      outer,
      `has the nested chat \`${chat.name}\`, whose reviewer \`${reviewer}\` is none of its members. ${didYouMean(reviewer, roles)}`,
      nearestNames(reviewer, roles),
    );
  return {
    name: chat.name,
    maxRounds: roundsOf(chat.name, chat.maxRounds),
    roles,
    reviewer,
    onward,
    result: chat.result,
  };
}

function candidatesOf(
  chat: string,
  profile: RoleProfile,
  forward: RoleId | undefined,
  profiles: readonly RoleProfile[],
  forwardOnly: boolean,
): readonly RoleId[] {
  const known = profiles.map(({ id }) => id);
  const named = profile.nextSpeakers.map(({ role }) => role);
  for (const role of named) {
    if (role === profile.id) throw invalid(chat, `lets \`${role}\` name itself as the next speaker; leave that out`);
    if (!known.includes(role))
      throw invalid(
        chat,
        `lets \`${profile.id}\` name \`${role}\`, which is no role of it; use \`withoutRoles\` for roles that do not take part. ${didYouMean(role, known)}`,
        nearestNames(role, known),
      );
  }
  return [...new Set([...(forward === undefined ? [] : [forward]), ...(forwardOnly ? [] : named)])];
}

function checkNames(
  chat: string,
  members: readonly (AnySpeaker | AnyNestedChat)[],
  profiles: readonly RoleProfile[],
): void {
  const owners = new Map<string, string>(
    [chat, 'user', 'all', ...Object.values(RESERVED)].map((name) => [foldRoleName(name), '']),
  );
  const take = (name: string, owner: string): void => {
    const folded = foldRoleName(name);
    const holder = owners.get(folded);
    if (holder === owner) return;
    if (folded === '' || holder !== undefined)
      throw invalid(
        chat,
        `cannot tell \`${name}\` from another name in it, or from a word of its own; choose another one`,
      );
    owners.set(folded, owner);
  };
  for (const member of members) {
    if (member.kind !== 'chat') continue;
    take(member.name, `chat ${member.name}`);
    if (member.members.length < 2)
      throw invalid(
        chat,
        `has the nested chat \`${member.name}\` of fewer than two members; make a single speaker a member`,
      );
  }
  for (const [index, { id, title }] of profiles.entries()) {
    if (!/^[A-Za-z0-9-]+$/.test(id)) throw invalid(chat, `has a role \`${id}\`; an id is letters, digits and \`-\``);
    if (profiles.findIndex((other) => other.id === id) < index) throw invalid(chat, `has two roles \`${id}\``);
    take(id, `role ${id}`);
    take(title, `role ${id}`);
  }
}

function roundsOf(chat: string, maxRounds = DEFAULT_MAX_ROUNDS): number {
  if (Number.isInteger(maxRounds) && maxRounds >= 1) return maxRounds;
  throw invalid(chat, `has maxRounds ${maxRounds}; it is a whole number from 1`);
}

function invalid(chat: string, problem: string, names: readonly string[] = []): AskemaError {
  const text = `Chat \`${chat}\` ${problem.trim()}`;
  return new AskemaError('FLOW_INVALID', /[.?]$/.test(text) ? text : `${text}.`, {
    details: names.length === 0 ? {} : { nearestNames: names },
  });
}
