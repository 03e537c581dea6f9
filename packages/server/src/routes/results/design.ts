import { AskemaError } from '@askema/core';
import * as z from 'zod';
import type { Route } from '../route.ts';

const BODY = z.strictObject({ requirement: z.string().min(1).max(200_000) });
const OUTPUT = z.looseObject({ type: z.string() }).describe('A `DesignOutcome` of @askema/text2schema.');

/** Designs a schema. */
export const designSchema: Route = {
  method: 'POST',
  path: '/v1/designs',
  scope: 'design',
  summary: 'Design a schema from a requirement',
  description:
    'There only where the server was given a designer. It takes minutes; nothing is written into any database.',
  body: BODY,
  output: OUTPUT,
  async handle(call) {
    const { requirement } = await call.body(BODY);
    const { caller, signal, parts } = call;
    if (parts.design === undefined) throw new AskemaError('CAPABILITY_UNSUPPORTED', 'This server designs no schemas.');
    call.holdQuestion();
    call.beginQuestion(requirement);
    return parts.design({ tenant: caller.tenant, role: caller.role }).design(requirement, { signal });
  },
};
