import { AskemaError } from '../errors/askema-error.ts';
import type { ChatMessage } from './chat-message.ts';
import type { RoleId } from './role-profile.ts';

/** Who wrote to whom how often (SchemaAgent, Figure 8). */
export interface MessageMatrix {
  /** Rows: senders in the order of their first message. */
  readonly from: readonly (RoleId | 'user')[];
  /** Columns: addressees in the order in which they were first addressed; `all` for what everybody reads. */
  readonly to: readonly (RoleId | 'all')[];
  /** `counts[row][column]`. A message to two roles counts in two columns. */
  readonly counts: readonly (readonly number[])[];
}

/** What was complained about in a chat. */
export interface FeedbackSummary {
  readonly total: number;
  /** By who complained to whom. `nested` is the nested chat in which it was said, undefined outside of any. */
  readonly pairs: readonly {
    readonly from: RoleId;
    readonly to: RoleId;
    readonly nested: string | undefined;
    readonly count: number;
  }[];
  /** There was feedback, and all of it inside of nested chats. */
  readonly onlyNested: boolean;
}

export function messageMatrix(_transcript: readonly ChatMessage[]): MessageMatrix {
  throw new AskemaError('INTERNAL', 'Not built yet.');
}

export function feedbackSummary(_transcript: readonly ChatMessage[]): FeedbackSummary {
  throw new AskemaError('INTERNAL', 'Not built yet.');
}
