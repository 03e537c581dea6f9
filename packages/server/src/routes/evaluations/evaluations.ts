import { AskemaError, redactSecrets } from '@askema/core';
import * as z from 'zod';
import { hasScopeForAll } from '../../caller/scopes.ts';
import type { EvaluationHead, KnowledgeReader, ServedEvaluations } from '../../contract.ts';
import type { Route, RouteCall } from '../route.ts';

const HEAD = z.looseObject({
  id: z.string(),
  dataset: z.string(),
  startedAt: z.string(),
  configuration: z.record(z.string(), z.unknown()),
  counts: z.record(z.string(), z.int()).describe('Questions by verdict: right, wrong, declined, failed, goldFailed.'),
  accuracy: z.number().optional().describe('Right answers of those that count.'),
  costUsd: z.number().optional(),
  unfinished: z.int().optional().describe('Absent while the run has not ended.'),
});
const EVALUATION = HEAD.extend({
  summary: z.looseObject({}).optional().describe('By difficulty and category, metrics, times; once the run has ended.'),
});
const QUERY = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).optional().describe('Default: 100.'),
  after: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Only what stands behind this item: `next` of the page before.'),
  verdict: z.enum(['right', 'wrong', 'declined', 'failed', 'goldFailed']).optional(),
});
const ITEMS = z.object({
  items: z.array(z.looseObject({ id: z.string(), question: z.string(), verdict: z.string() })),
  next: z.string().optional(),
});

/** The runs that were measured. */
export const listEvaluations: Route = {
  method: 'GET',
  path: '/v1/evaluations',
  scope: 'evaluations',
  summary: 'List evaluations, newest first',
  output: z.object({ evaluations: z.array(HEAD) }),
  async handle(call) {
    const { evaluations, who } = evaluationsOf(call);
    return { evaluations: (await evaluations.list(who)).map(shownHead) };
  },
};

/** What one of them found. */
export const showEvaluation: Route = {
  method: 'GET',
  path: '/v1/evaluations/:evaluation',
  scope: 'evaluations',
  summary: 'Show an evaluation: scores, by difficulty, cost, configuration',
  output: EVALUATION,
  async handle(call) {
    const { head, summary } = await evaluationNamed(call);
    return { ...shownHead(head), ...(summary === undefined ? {} : { summary }) };
  },
};

/** Its questions. */
export const showItems: Route = {
  method: 'GET',
  path: '/v1/evaluations/:evaluation/items',
  scope: 'evaluations',
  summary: 'List the questions of an evaluation with their statements and gold, page by page',
  query: QUERY,
  output: ITEMS,
  async handle(call) {
    const { limit = 100, after, verdict } = call.query(QUERY);
    const { items } = await evaluationNamed(call);
    const start = after === undefined ? 0 : items.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0)
      throw new AskemaError(
        'INPUT_INVALID',
        `\`after\` is ${JSON.stringify(after.slice(0, 60))}, which is no item there.`,
      );
    const fitting = items
      .slice(start)
      .filter((item) => verdict === undefined || (item as { readonly verdict?: unknown }).verdict === verdict);
    const page = fitting.slice(0, limit);
    const last = fitting.length > limit ? page.at(-1)?.id : undefined;
    return { items: page, ...(last === undefined ? {} : { next: last }) };
  },
};

function evaluationsOf({ caller, parts }: RouteCall): {
  readonly evaluations: ServedEvaluations;
  readonly who: KnowledgeReader;
} {
  if (!hasScopeForAll(caller, 'evaluations'))
    throw new AskemaError(
      'CALLER_REFUSED',
      'Test sets may be of several databases: this needs `evaluations` for all databases, not for one.',
    );
  const { evaluations } = parts;
  if (evaluations === undefined) throw new AskemaError('CAPABILITY_UNSUPPORTED', 'This server shows no evaluations.');
  const { subject, tenant, role } = caller;
  return { evaluations, who: { subject, tenant, role } };
}

async function evaluationNamed(call: RouteCall) {
  const { evaluations, who } = evaluationsOf(call);
  const id = call.param('evaluation');
  const found = await evaluations.read(id, who);
  if (found !== undefined) return found;
  throw new AskemaError('RUN_NOT_FOUND', `There is no evaluation ${JSON.stringify(id.slice(0, 60))}.`);
}

/** Addresses in a configuration may hold keys. */
function shownHead({ configuration, ...head }: EvaluationHead): object {
  const shown = (_: string, value: unknown): unknown => (typeof value === 'string' ? redactSecrets(value) : value);
  return { ...head, configuration: JSON.parse(JSON.stringify(configuration), shown) };
}
