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

/** Counts the messages of a transcript by sender and addressee. */
export function messageMatrix(transcript: readonly ChatMessage[]): MessageMatrix {
  const senders = new Map<string, Map<string, number>>();
  const columns = new Set<string>();
  for (const { from, to } of transcript) {
    const row = senders.get(from) ?? new Map<string, number>();
    senders.set(from, row);
    for (const reader of to === 'all' ? ['all'] : to) {
      columns.add(reader);
      row.set(reader, (row.get(reader) ?? 0) + 1);
    }
  }
  const to = [...columns];
  return {
    from: [...senders.keys()],
    to,
    counts: [...senders.values()].map((row) => to.map((column) => row.get(column) ?? 0)),
  };
}

/**
 * Who complained to whom: messages of kind `feedback`, by sender, first addressee and place. The transcript is a whole
 * one, beginning with the user's message: that one says which chat is the outer one.
 */
export function feedbackSummary(transcript: readonly ChatMessage[]): FeedbackSummary {
  const outer = transcript[0]?.chat;
  const pairs = new Map<string, { from: RoleId; to: RoleId; nested: string | undefined; count: number }>();
  let total = 0;
  for (const message of transcript) {
    if (message.kind !== 'feedback') continue;
    total += 1;
    const { from } = message;
    const to = message.next ?? (message.to === 'all' ? 'all' : (message.to[0] ?? 'all'));
    const nested = message.chat === outer ? undefined : message.chat;
    const key = JSON.stringify([from, to, nested ?? null]);
    const pair = pairs.get(key) ?? { from, to, nested, count: 0 };
    pair.count += 1;
    pairs.set(key, pair);
  }
  const counted = [...pairs.values()];
  return { total, pairs: counted, onlyNested: total > 0 && counted.every(({ nested }) => nested !== undefined) };
}
