import type { RetryPolicy, StepContext } from '../flow/step.ts';
import type { JsonValue } from '../values/value.ts';
import type { ChatMessage, ChatToolCall } from './chat-message.ts';
import type { ChatState } from './chat-state.ts';
import type { RoleId, RoleProfile } from './role-profile.ts';

/**
 * What a speaker says at the end of its turn. Who is next is decided by these fields alone, never by a word in `text`.
 */
export interface Said {
  /** What other roles read. */
  readonly text: string;
  /** The structured output behind it, for code and reports. */
  readonly data?: JsonValue | undefined;
  /**
   * The next speaker, as the structured output names it: its id or title. Null, undefined or blank for the usual order.
   */
  readonly next?: string | null | undefined;
  /**
   * Who reads it; by default the next speaker, and everybody when there is none. What is said inside of a nested chat
   * stays inside.
   */
  readonly to?: 'all' | readonly RoleId[] | undefined;
  /** By default `feedback` when it goes to an earlier role, else `forward`. */
  readonly kind?: 'forward' | 'feedback' | undefined;
  /** Ends the whole chat with `terminal`. */
  readonly end?: boolean | undefined;
  /** Ends the nested chat, when its reviewer says it; means nothing anywhere else. */
  readonly approved?: boolean | undefined;
  readonly toolCalls?: readonly ChatToolCall[] | undefined;
}

/** What {@link defineSpeaker} takes: a step of a flow that, in place of an action, returns what it says. */
export interface SpeakerDefinition<State, Deps, Input, Output> {
  readonly profile: RoleProfile;
  /**
   * What `exec` needs. `visible` are the messages that the role may see. Synchronous and deterministic: run again on
   * every resume.
   */
  readonly prep: (state: Readonly<State>, visible: readonly ChatMessage[]) => Input;
  /**
   * Does the work, without the state. Its result is journaled, so it must survive `encodeValue` when there is a
   * journal.
   */
  readonly exec: (input: NoInfer<Input>, context: StepContext<Deps>) => Output | Promise<Output>;
  /**
   * Writes the result to the state (not to `state.chat`) and says it. Synchronous and deterministic: run again on every
   * resume.
   */
  readonly post: (state: State, input: NoInfer<Input>, output: NoInfer<Output>) => Said;
  /** One attempt by default. Unparsable output is repeated further down, by the solver. */
  readonly retry?: RetryPolicy | undefined;
}

/** A role that speaks in a chat. A plain value: `{ ...designer, profile: other }` is another speaker. */
export interface Speaker<State, Deps, Input, Output> extends SpeakerDefinition<State, Deps, Input, Output> {
  readonly kind: 'speaker';
}

/** Any speaker that works on (a part of) this state with (a part of) these dependencies. */
export interface SpeakerOf<State, Deps> {
  readonly kind: 'speaker';
  readonly profile: RoleProfile;
  readonly prep: (state: Readonly<State>, visible: readonly ChatMessage[]) => unknown;
  readonly exec: (input: never, context: StepContext<Deps>) => unknown;
  readonly post: (state: State, input: never, output: never) => Said;
  readonly retry?: RetryPolicy | undefined;
}

/**
 * Defines a role that speaks in a group chat. Called in two parts, so that the state is named and everything else is
 * inferred:
 *
 * ```ts
 * const designer = defineSpeaker<State, Deps>()({
 *   profile: DESIGNER,
 *   prep: (_state, visible) => ({ profile: DESIGNER, visible }),
 *   exec: (input, context) => context.deps.solver.solve(designTask, input, context),
 *   post: (state, _input, { value }) => {
 *     state.model = value.model;
 *     return { text: modelText(value.model), next: value.next };
 *   },
 * });
 * ```
 */
export function defineSpeaker<State extends ChatState, Deps = unknown>() {
  return <Input, Output>(
    definition: SpeakerDefinition<State, Deps, Input, Output>,
  ): Speaker<State, Deps, Input, Output> => Object.freeze({ ...definition, kind: 'speaker' as const });
}
