import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A question of a conversation, and the statement that answers it. */
export interface GoldTurn {
  readonly utterance: string;
  readonly gold_sql: string;
  readonly order_matters: boolean;
  /** False where the result depends on the order in which rows are stored: such a turn is asked, but not counted. */
  readonly stable: boolean;
}

export interface GoldConversation {
  readonly id: string;
  readonly db_id: string;
  readonly turns: readonly GoldTurn[];
}

/** So many conversations of the development half, drawn by a hash of their ids. */
export function drawnConversations(data: string, count: number, seed: string): readonly GoldConversation[] {
  const hashOf = ({ id }: GoldConversation): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  return readFileSync(path.join(data, 'conversations/conversations.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldConversation)
    .toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))
    .slice(0, count);
}

/** One conversation of so many turns: those about the database that has most, one after another. */
export function longConversation(all: readonly GoldConversation[], turns: number): GoldConversation {
  const byDatabase = [...Map.groupBy(all, ({ db_id }) => db_id)];
  const ofAll = byDatabase.map(([db_id, some]) => ({ db_id, turns: some.flatMap((one) => one.turns) }));
  const [most] = ofAll.toSorted((a, b) => b.turns.length - a.turns.length);
  if (most === undefined || most.turns.length < turns)
    throw new Error(`No database has ${turns} turns in its conversations; the most are ${most?.turns.length ?? 0}.`);
  return { ...most, id: `long-${most.db_id}`, turns: most.turns.slice(0, turns) };
}
