import { AskemaError } from '@askema/core';
import { type Conversation, conversation as converse, type KeptTurn } from '@askema/text2sql';
import { hasScope } from '../../caller/scopes.ts';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import type { RunRecord } from '../../runs/run-record.ts';
import { type AskableDatabases, askableDatabases } from '../askable-databases.ts';
import type { RouteCall } from '../route.ts';

export interface OpenConversation {
  readonly conversation: Conversation;
  readonly record: RunRecord;
}

/**
 * The conversation of this id, by default the one that the path names. One that was begun about no certain database is
 * about all that the caller may ask now. Rejects with `RUN_NOT_FOUND` for one that is not the caller's, and with
 * `CALLER_REFUSED` where its turns are about a database that they may not ask any more.
 */
export async function openConversation(call: RouteCall, id = call.param('conversation')): Promise<OpenConversation> {
  const record = await call.parts.records.find(call.caller, id, 'conversation');
  const { databases, titles, reader } = await databasesOf(call, record);
  const { tenant } = call.caller;
  const { runtime } = call.parts;
  const journal = call.parts.records.journalOf(call.caller, 'chat');
  const conversation = converse({ id: record.id, databases, titles, model: reader, journal, tenant, runtime });
  for (const turn of await conversation.turns()) checkTurn(call, turn);
  return { conversation, record };
}

async function databasesOf(call: RouteCall, { database: name }: RunRecord): Promise<AskableDatabases> {
  if (name === undefined) return askableDatabases(call);
  // The scope of the route: who may say something may not yet run a statement of their own.
  const { text2sql, reader }: OpenDatabase = await call.database(name);
  return { databases: { [name]: text2sql }, titles: {}, reader };
}

/** The databases that a turn is about. */
function databasesOfTurn({ understood, answer }: KeptTurn): readonly string[] {
  const ofParts = answer.type === 'explained' ? answer.parts.map(({ database }) => database) : [];
  const named = [understood?.database, ...(understood?.databases ?? []), ...ofParts];
  const asked = answer.type === 'needsClarification' ? answer.choices : [];
  const ofChoices = [...asked, ...(understood?.asks?.choices ?? [])].flatMap(({ resolution }) =>
    resolution.kind === 'question' ? [resolution.database] : [],
  );
  return [...named, ...ofChoices].filter((database) => database !== undefined);
}

/** @throws AskemaError `CALLER_REFUSED`, without the name. */
export function checkTurn({ caller }: RouteCall, turn: KeptTurn): void {
  if (databasesOfTurn(turn).every((database) => hasScope(caller, 'ask', database))) return;
  throw new AskemaError(
    'CALLER_REFUSED',
    'This conversation is about a database that the caller may not ask any more. Begin another one.',
  );
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
