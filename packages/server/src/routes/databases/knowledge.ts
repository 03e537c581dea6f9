import { AskemaError } from '@askema/core';
import * as z from 'zod';
import type { KnowledgeReader, ServedKnowledge } from '../../contract.ts';
import { RUN_ID } from '../../openapi/schemas.ts';
import { outcomeOfRun } from '../results/outcome-of-run.ts';
import type { Route, RouteCall } from '../route.ts';

const ITEMS = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      state: z.enum(['proposed', 'accepted', 'failed']),
      entry: z.record(z.string(), z.unknown()),
    }),
  ),
});
const PROPOSAL = z.strictObject({ run: RUN_ID.describe('One that is answered, and that its reader found right.') });
const PROPOSED = z.object({ kind: z.string(), id: z.string() });

/** What the business means by its words. */
export const listKnowledge: Route = {
  method: 'GET',
  path: '/v1/databases/:database/knowledge',
  scope: 'knowledge:read',
  summary: 'List metrics, rules and verified queries',
  output: ITEMS,
  async handle(call) {
    const { knowledge, keepsBack } = await knowledgeOf(call);
    if (keepsBack)
      throw new AskemaError(
        'CALLER_REFUSED',
        'Knowledge names relations, columns and values, and of these something is kept back from this caller.',
      );
    return { entries: await knowledge.list(readerOf(call)) };
  },
};

/** Proposes an answer that somebody found right. */
export const proposeKnowledge: Route = {
  method: 'POST',
  path: '/v1/databases/:database/knowledge/proposals',
  scope: 'knowledge:propose',
  summary: 'Propose the answer of a run as a verified query',
  description: 'Nothing uses it before somebody accepts it.',
  body: PROPOSAL,
  output: PROPOSED,
  async handle(call) {
    const { run } = await call.body(PROPOSAL);
    const { knowledge } = await knowledgeOf(call);
    const { outcome, database } = await outcomeOfRun(call, run);
    if (database !== call.param('database'))
      throw new AskemaError('INPUT_INVALID', `The run is one of the database ${JSON.stringify(database)}.`);
    const { kind, id } = await knowledge.propose(outcome, readerOf(call));
    return { kind, id };
  },
};

async function knowledgeOf(call: RouteCall): Promise<{ knowledge: ServedKnowledge; keepsBack: boolean }> {
  const name = call.param('database');
  // Whoever may not know the database is told so first.
  const { keepsBack } = await call.database(name);
  const { knowledge } = call.parts.databases.get(name) ?? {};
  if (knowledge !== undefined) return { knowledge, keepsBack };
  throw new AskemaError('CAPABILITY_UNSUPPORTED', `The database ${JSON.stringify(name)} is served without knowledge.`);
}

function readerOf({ caller }: RouteCall): KnowledgeReader {
  return { subject: caller.subject, tenant: caller.tenant, role: caller.role };
}
