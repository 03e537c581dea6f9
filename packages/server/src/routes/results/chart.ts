import { chartOf, chartSpecSchema, describeChart, drawSvg } from '@askema/chart';
import { AskemaError, type QueryResult } from '@askema/core';
import * as z from 'zod';
import { RUN_ID } from '../../openapi/schemas.ts';
import { accepts } from '../accepts.ts';
import type { Route } from '../route.ts';
import { outcomeOfRun } from './outcome-of-run.ts';

const SVG = 'image/svg+xml';

const BODY = z.strictObject({
  run: RUN_ID,
  spec: chartSpecSchema.optional().describe('One that was chosen. Default: the first that fits.'),
  width: z.int().min(200).max(4_000).optional(),
  height: z.int().min(120).max(4_000).optional(),
  theme: z.enum(['color', 'monochrome']).optional(),
  locale: z.string().max(35).optional(),
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
    const { run, spec: given, ...options } = await call.body(BODY);
    const { outcome } = await outcomeOfRun(call, run);
    const result: QueryResult | undefined = 'result' in outcome ? outcome.result : undefined;
    if (result === undefined)
      throw new AskemaError('INPUT_INVALID', `The run ${run} has no result to draw: it is \`${outcome.type}\`.`);
    const choice = chartOf(result, { question: outcome.question });
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
