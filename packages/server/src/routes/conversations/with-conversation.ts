import type { Conversation } from '@askema/text2sql';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import type { RunRecord } from '../../runs/run-record.ts';
import type { RouteCall } from '../route.ts';

export interface OpenConversation {
  readonly conversation: Conversation;
  readonly record: RunRecord;
  readonly database: OpenDatabase;
}

/** The conversation of this id, by default the one that the path names. Rejects with `RUN_NOT_FOUND` for one that is not the caller's. */
export async function openConversation(call: RouteCall, id = call.param('conversation')): Promise<OpenConversation> {
  const record = await call.parts.records.find(call.caller, id, 'conversation');
  // The scope of the route: who may say something may not yet run a statement of their own.
  const database = await call.database(record.database);
  const journal = call.parts.records.journalOf(call.caller);
  const conversation = database.text2sql.conversation({ id: record.id, name: database.name, journal });
  return { conversation, record, database };
}

/** Closed when `work` is done. */
export async function withConversation<T>(call: RouteCall, work: (open: OpenConversation) => Promise<T>): Promise<T> {
  const open = await openConversation(call);
  try {
    return await work(open);
  } finally {
    await open.conversation.close();
  }
}
