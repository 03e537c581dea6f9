import { AskemaError, type Clock, type EventSink, type QueryResult, type Solver } from '@askema/core';
import type { OpenText2Sql } from '../text2sql-options.ts';
import type { KeptTurn, SayOptions } from './conversation-options.ts';
import type { StoredTurn } from './conversation-state.ts';
import type { OpenConversation } from './kept-entries.ts';
import type { DatabaseTitles } from './named-database.ts';

/** What all turns of a conversation are answered with. */
export interface TurnTools {
  readonly databases: Readonly<Record<string, OpenText2Sql>>;
  readonly titles: DatabaseTitles | undefined;
  readonly solver: Solver;
  readonly tenant: string | undefined;
  readonly clock: Clock;
  readonly onEvent: EventSink | undefined;
  /** The results that this process has shown last, by run: turns count anew where a conversation was deleted. */
  readonly shown: Map<string, QueryResult>;
}

/** A turn that has begun. */
export interface BegunTurn {
  readonly turn: StoredTurn;
  /** The turns before it. */
  readonly path: readonly KeptTurn[];
  readonly open: OpenConversation;
  readonly given: SayOptions & { readonly signal: AbortSignal };
}

export function databaseOf(name: string, { databases }: TurnTools): OpenText2Sql {
  const found = Object.hasOwn(databases, name) ? databases[name] : undefined;
  if (found !== undefined) return found;
  throw new AskemaError(
    'INPUT_INVALID',
    `The conversation speaks of the database \`${name}\`, which is not among \`databases\`: ${Object.keys(databases).join(', ')}.`,
  );
}

/** Never that of another conversation, also where one was deleted and begun anew under its id. */
export function runIdOf({ turn, open }: BegunTurn): string {
  return `conversation-${open.runs}.${turn.turn}`;
}
