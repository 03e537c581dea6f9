import type { Flow } from '../flow/flow.ts';
import { buildGraph, type GraphNode } from '../flow/flow-graph.ts';
import { makeFlow } from '../flow/make-flow.ts';
import { end, type Target } from '../flow/routes.ts';
import type { StepOf } from '../flow/step.ts';
import type { Solver } from '../task/task.ts';
import type { JsonValue } from '../values/value.ts';
import { administratorStep } from './administrator-step.ts';
import { visibleMessages } from './chat-message.ts';
import {
  type AnyGroupChatOptions,
  type ChatPlan,
  isNested,
  type PlannedNested,
  type PlannedRole,
  planChat,
  RESERVED,
} from './chat-plan.ts';
import type { ChatState } from './chat-state.ts';
import type { RoleId } from './role-profile.ts';
import type { SpeakerOf } from './speaker.ts';
import { takeTurn } from './take-turn.ts';

/**
 * What a group chat ends with. `terminal`: a speaker said `end`, or the last one in order named nobody. `exhausted`:
 * its rounds are used up.
 */
export type ChatEnd = 'terminal' | 'exhausted';

/** What {@link createNestedChat} takes. */
export interface NestedChatOptions<State extends ChatState, Deps = unknown> {
  /** Its name as a member, in paths and messages. Other than all roles. */
  readonly name: string;
  /** In the order in which they speak; the last one is followed by the first. */
  readonly members: readonly SpeakerOf<State, Deps>[];
  /** Whose `approved` ends it; the last member by default. */
  readonly reviewer?: RoleId | undefined;
  /** Turns of its members on each entry before it goes on unapproved; 15 by default. */
  readonly maxRounds?: number | undefined;
  /** What goes on when it ends approved or exhausted; by default what its first member said last. */
  readonly result?:
    | ((state: Readonly<State>) => { readonly text: string; readonly data?: JsonValue | undefined })
    | undefined;
}

/** A chat that is a member of another one: what is said inside stays inside. Made by {@link createNestedChat}. */
export interface NestedChat<State extends ChatState, Deps = unknown> extends NestedChatOptions<State, Deps> {
  readonly kind: 'chat';
}

/** What {@link createGroupChat} takes. */
export interface GroupChatOptions<State extends ChatState, Deps = unknown> {
  /** Stands in paths, journals and messages. */
  readonly name: string;
  /** A whole number; 1 by default. */
  readonly version?: number | undefined;
  /** In the forward order, which holds whenever nobody is named. */
  readonly members: readonly (SpeakerOf<State, Deps> | NestedChat<State, Deps>)[];
  /** 15 by default (section 5.2). A round is one turn of a member; a nested chat, from entry to exit, is one round. */
  readonly maxRounds?: number | undefined;
  /** Chooses the next speaker when the speaker named none and has several candidates (section 4.2). */
  readonly administrator?: ((deps: Deps) => Solver | undefined) | undefined;
  /** Ignores every named speaker but the forward one. */
  readonly forwardOnly?: boolean | undefined;
}

/** Makes a chat that can be a member of another chat. */
export function createNestedChat<State extends ChatState, Deps = unknown>(
  options: NestedChatOptions<State, Deps>,
): NestedChat<State, Deps> {
  return Object.freeze({ ...options, kind: 'chat' as const });
}

/**
 * A group chat as a flow: one step per role, named by its id, so runs are journaled, resumed and forked like any other
 * (`from: 'logical-designer#2'`). Nested chats are inner flows over the same state. The state begins with
 * `chat: startChat(text)`.
 *
 * After a turn: `end` ends the chat; used-up rounds end it as `exhausted`; a named next speaker that is a candidate of
 * the role's profile gets the word, at whatever depth it sits; any other name is recorded as `ignoredNext` and the
 * forward order holds; without a name the administrator chooses, where there is one and a choice, else the forward
 * order holds (SchemaAgent, sections 4.2 and 4.3).
 *
 * Rounds: a turn of a member is one round of its chat; a nested chat, from entry to exit, is one round of the chat
 * around it, and its own count begins anew on each entry. The administrator's choices are none.
 *
 * Emits a `turn` call event per turn, `next-ignored` and `speaker-chosen`: names and sizes, never text.
 *
 * @throws AskemaError `FLOW_INVALID`: no members, ids or titles that cannot be told apart, a candidate that is not a
 * role of the chat (with the nearest name), a role that may name itself, a reviewer outside of its chat, fewer than one
 * round.
 */
export function createGroupChat<State extends ChatState, Deps = unknown>(
  options: GroupChatOptions<State, Deps>,
): Flow<State, Deps, ChatEnd> {
  const plan = planChat(options as unknown as AnyGroupChatOptions);
  const members = plan.members.map((member) =>
    isNested(member)
      ? nodeOf(nestedFlow(plan, member), member.name, placeIn(plan))
      : roleNode(plan, member, placeIn(plan)),
  );
  const administrator =
    plan.administrator === undefined ? [] : [nodeOf(administratorStep(plan), RESERVED.administrator, placeIn(plan))];
  return makeFlow(
    buildGraph({
      name: plan.name,
      version: plan.version,
      // Each round may be followed by a question to the administrator.
      maxSteps: 2 * plan.maxRounds,
      start: members[0]?.name,
      nodes: [...members, ...administrator],
    }),
  );
}

/** A nested chat as an inner flow: it ends with the role outside that is next, or with the end of the whole chat. */
function nestedFlow(plan: ChatPlan, nested: PlannedNested): Flow<never, never, string> {
  const place = (name: string): string | undefined => (nested.roles.includes(name) ? name : undefined);
  return makeFlow(
    buildGraph({
      name: nested.name,
      version: plan.version,
      maxSteps: nested.maxRounds + 1,
      start: RESERVED.entrance,
      nodes: [
        nodeOf(entranceStep(plan, nested), RESERVED.entrance, place),
        ...nested.roles.map((role) => roleNode(plan, plan.roles.get(role) as PlannedRole, place)),
      ],
    }),
  );
}

function roleNode(plan: ChatPlan, role: PlannedRole, place: (name: string) => string | undefined): GraphNode {
  return nodeOf(speakerStep(plan, role), role.id, place);
}

/** Where the outer chat finds a role: its own step, or the nested chat in which it sits. */
function placeIn(plan: ChatPlan): (name: string) => string | undefined {
  return (name) =>
    name === RESERVED.administrator ? name : (plan.roles.get(name)?.nested?.name ?? plan.roles.get(name)?.id);
}

type AnyStep = StepOf<never, never>;

/**
 * The turn of a role as a step, named by its id. Its actions are the roles that may follow, and how the chat may end.
 */
function speakerStep(plan: ChatPlan, role: PlannedRole): AnyStep {
  const { speaker, nested } = role;
  const followers = new Set(role.candidates);
  if (nested?.onward !== undefined) followers.add(nested.onward);
  return {
    kind: 'step',
    name: role.id,
    actions: [...followers, ...(role.asks ? [RESERVED.administrator] : []), RESERVED.terminal, RESERVED.exhausted],
    prep: (state: ChatState) => speaker.prep(state as never, visibleMessages(state.chat.messages, role.id)),
    exec: speaker.exec,
    post: (state: ChatState, input, output, context) =>
      takeTurn(plan, role, state, speaker.post(state as never, input, output), context),
    ...(speaker.retry === undefined ? {} : { retry: speaker.retry }),
  };
}

/**
 * The start of a nested chat: counts it as a round of the outer one, begins its own count, and leads to whoever was
 * named.
 */
function entranceStep(plan: ChatPlan, nested: PlannedNested): AnyStep {
  return {
    kind: 'step',
    name: RESERVED.entrance,
    actions: nested.roles,
    exec: () => null,
    post: ({ chat }: ChatState) => {
      chat.rounds[plan.name] = (chat.rounds[plan.name] ?? 0) + 1;
      chat.rounds[nested.name] = 0;
      return chat.next !== undefined && nested.roles.includes(chat.next) ? chat.next : nested.roles[0];
    },
  };
}

/** A step with its routes: followers that stand in this graph, and the way out for all others. */
function nodeOf(part: GraphNode['part'], name: string, nodeOfRole: (role: string) => Target | undefined): GraphNode {
  return { name, part, routes: new Map(part.actions.map((action) => [action, nodeOfRole(action) ?? end])) };
}
