import { AskemaError } from '../errors/askema-error.ts';
import type { Flow } from '../flow/flow.ts';
import type { Solver } from '../task/task.ts';
import type { JsonValue } from '../values/value.ts';
import type { ChatState } from './chat-state.ts';
import type { RoleId } from './role-profile.ts';
import type { SpeakerOf } from './speaker.ts';

/** What a group chat ends with. `terminal`: a speaker said `end`, or the last one in order named nobody. `exhausted`: its rounds are used up. */
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

export function createGroupChat<State extends ChatState, Deps = unknown>(
  options: GroupChatOptions<State, Deps>,
): Flow<State, Deps, ChatEnd> {
  throw new AskemaError('INTERNAL', `Chat \`${options.name}\` is not built yet.`);
}
