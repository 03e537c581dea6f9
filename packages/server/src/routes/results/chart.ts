import { chartOf, chartSpecSchema, describeChart, drawSvg } from '@askema/chart';
import { AskemaError, QUERY_DEFAULTS, type QueryResult, type Row } from '@askema/core';
import * as z from 'zod';
import { RUN_ID } from '../../openapi/schemas.ts';
import { accepts } from '../accepts.ts';
import { openConversation } from '../conversations/with-conversation.ts';
import type { Route, RouteCall } from '../route.ts';
import { outcomeOfRun } from './outcome-of-run.ts';

const SVG = 'image/svg+xml';

const BODY = z.strictObject({
  run: RUN_ID.optional(),
  turn: z
    .strictObject({ conversation: RUN_ID, turn: z.int().min(1) })
    .optional()
    .describe('In the place of `run`; the statement of the turn runs again.'),
  spec: chartSpecSchema.optional().describe('One that was chosen. Default: the first that fits.'),
  width: z.int().min(200).max(4_000).optional(),
  height: z.int().min(120).max(4_000).optional(),
  theme: z.enum(['color', 'monochrome']).optional(),
  locale: z.string().max(35).refine(isLocale, 'No language tag, such as `de-CH`').optional(),
  direction: z.enum(['ltr', 'rtl']).optional(),
});
const OUTPUT = z.object({
  first: z.enum(['chart', 'number', 'table']),
  spec: chartSpecSchema.optional(),
  offered: z.array(chartSpecSchema),
  reason: z.string(),
  description: z.string().optional().describe('The chart in words.'),
});

/** How the result of a run is drawn. */
export const drawChart: Route = {
  method: 'POST',
  path: '/v1/chart',
  scope: 'ask',
  summary: 'Choose and draw a chart of the result of a run',
  description: `With \`Accept: ${SVG}\`, the drawing; else what is chosen and offered, and why.`,
  body: BODY,
  output: OUTPUT,
  media: [SVG],
  async handle(call) {
    const { run, turn, spec: given, ...options } = await call.body(BODY);
    const { result, question } = await (run === undefined ? resultOfTurn(call, turn) : resultOfRun(call, run));
    const choice = chartOf(result, { question });
    const spec = given ?? choice.spec ?? choice.offered[0];
    if (!accepts(call.request, SVG)) {
      const { first, offered, reason } = choice;
      const chosen = given ?? choice.spec;
      const description = spec === undefined ? undefined : describeChart(spec, result);
      return {
        first,
        offered,
        reason,
        ...(chosen === undefined ? {} : { spec: chosen }),
        ...(description === undefined ? {} : { description }),
      };
    }
    if (spec === undefined) throw new AskemaError('INPUT_INVALID', `No chart fits this result. ${choice.reason}`);
    return new Response(drawSvg(spec, result, options), { headers: { 'content-type': SVG } });
  },
};

interface Drawn {
  readonly result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;
  readonly question: string;
}

async function resultOfRun(call: RouteCall, run: string): Promise<Drawn> {
  const { outcome } = await outcomeOfRun(call, run);
  const result = 'result' in outcome ? outcome.result : undefined;
  if (result !== undefined) return { result, question: outcome.question };
  throw new AskemaError('INPUT_INVALID', `The run ${run} has no result to draw: it is \`${outcome.type}\`.`);
}

/** No journal keeps the rows of a conversation. */
async function resultOfTurn(
  call: RouteCall,
  given: { readonly conversation: string; readonly turn: number } | undefined,
): Promise<Drawn> {
  if (given === undefined) throw new AskemaError('INPUT_INVALID', 'Say what to draw: `run`, or `turn`.');
  const { conversation, record } = await openConversation(call, given.conversation);
  const turns = await conversation.turns().finally(() => conversation.close());
  const { answer, understood, message } = turns.find(({ turn }) => turn === given.turn) ?? {};
  if (answer?.type !== 'answered')
    throw new AskemaError('INPUT_INVALID', `Turn ${given.turn} of the conversation is not there, or has no result.`);
  const database = await call.database(understood?.database ?? record.database ?? '', 'ask');
  const { maxRows, maxBytes } = QUERY_DEFAULTS;
  const stream = await database.text2sql.stream(answer.sql, { maxRows, maxBytes, signal: call.signal });
  const rows: Row[] = [];
  for await (const batch of stream) rows.push(...batch);
  const result = { columns: stream.columns, rows, truncated: stream.end?.truncated };
  return { result, question: understood?.question ?? message ?? '' };
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
