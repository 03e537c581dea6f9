import type { KeptTurn } from '@askema/text2sql';
import * as z from 'zod';
import { publicTurn } from '../../errors/public-outcome.ts';
import { DATABASE_NAME, RUN_ID, TURN } from '../../openapi/schemas.ts';
import type { RunRecord } from '../../runs/run-record.ts';
import { askableDatabases } from '../askable-databases.ts';
import { onlyDatabase } from '../choose-database.ts';
import type { Route, RouteCall } from '../route.ts';
import { checkTurn, withConversation } from './with-conversation.ts';

const BEGIN = z.strictObject({
  database: DATABASE_NAME.optional().describe('Default: all that the caller may ask.'),
  title: z.string().max(200).optional(),
});
const CONVERSATION = z.object({
  id: RUN_ID,
  database: z
    .string()
    .optional()
    .describe('Absent where it is about all that the caller may ask; each turn has its own.'),
  title: z.string(),
  at: z.iso.datetime(),
});
const TURNS = CONVERSATION.extend({ turns: z.array(TURN) });
const HEAD = z.object({ last: TURN.nullable().describe('The turn that the next message follows.') });
const BRANCH = z.strictObject({ turn: z.int().min(0).describe('0 is the beginning.') });

export const beginConversation: Route = {
  method: 'POST',
  path: '/v1/conversations',
  scope: 'ask',
  summary: 'Begin a conversation',
  body: BEGIN,
  output: CONVERSATION,
  async handle(call) {
    const { database: name, title = '' } = await call.body(BEGIN);
    const database = name ?? onlyDatabase(call, 'ask');
    if (database === undefined) await askableDatabases(call);
    else await call.database(database, 'ask');
    // Each one stays in the journal.
    call.beginQuestion(title);
    const { records } = call.parts;
    const id = records.newId();
    await records.whileOpen(call.caller, id, (open) => open.begin({ kind: 'conversation', database, text: title }));
    return headOfRecord(await records.find(call.caller, id, 'conversation'));
  },
};

export const showConversation: Route = {
  method: 'GET',
  path: '/v1/conversations/:conversation',
  scope: 'ask',
  summary: 'Show a conversation: the turns that led to the last one',
  output: TURNS,
  handle: (call) =>
    withConversation(call, async ({ conversation, record }) => ({
      ...headOfRecord(record),
      turns: (await conversation.turns()).map(publicTurn),
    })),
};

export const undoTurn: Route = {
  method: 'POST',
  path: '/v1/conversations/:conversation/undo',
  scope: 'ask',
  summary: 'Take the last turn back',
  output: HEAD,
  handle: (call) => withConversation(call, async ({ conversation }) => headOf(call, await conversation.undo())),
};

export const branchConversation: Route = {
  method: 'POST',
  path: '/v1/conversations/:conversation/branch',
  scope: 'ask',
  summary: 'Go on behind an earlier turn',
  body: BRANCH,
  output: HEAD,
  async handle(call) {
    const { turn } = await call.body(BRANCH);
    return withConversation(call, async ({ conversation }) => headOf(call, await conversation.branch(turn)));
  },
};

function headOfRecord({ id, database, text: title, at }: RunRecord): object {
  return { id, ...(database === undefined ? {} : { database }), title, at: new Date(at).toISOString() };
}

function headOf(call: RouteCall, turn: KeptTurn | undefined): object {
  if (turn === undefined) return { last: null };
  checkTurn(call, turn);
  return { last: publicTurn(turn) };
}
