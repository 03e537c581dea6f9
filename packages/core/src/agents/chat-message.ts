import type { JsonValue } from '../values/value.ts';
import type { RoleId } from './role-profile.ts';

/**
 * One message of the pool. Plain JSON: the transcript is the list of them. A role sees what is addressed to all, what it said itself, and
 * what was addressed to it (SchemaAgent, section 4.2).
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
  /** `approved`: its reviewer said so. `exhausted`: its rounds were used up first. `named`: a speaker in it named a role outside. */
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
