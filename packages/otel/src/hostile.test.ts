import { createCallContext } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { expect, it } from 'vitest';
import { shop } from './test-support/shop.ts';
import { telemetry, toldBy } from './test-support/telemetry.ts';

const CANARY = 'canary';

it('what is no statement stands in no span: a model may answer in words', async () => {
  using sdk = telemetry();
  const adapter = sdk.tracing.adapter(shop());
  await adapter.query(`The answer is ${CANARY}`).catch(() => undefined);
  await adapter.planner
    .check(`${CANARY} lives in Oslo`, { context: createCallContext(), timeoutMs: 1_000 })
    .catch(() => undefined);
  expect(sdk.spans()).toHaveLength(2);
  expect(toldBy(sdk.spans())).not.toContain(CANARY);
});

it('what a provider says of itself is short', async () => {
  using sdk = telemetry({ genAi: true });
  const huge = CANARY.repeat(100_000);
  const model = scriptedModel(() => ({ text: 'x' }));
  const traced = sdk.tracing.model({
    ...model,
    generate: async (request) => ({ ...(await model.generate(request)), modelId: huge, responseId: huge }),
  });
  await traced.generate({ messages: [], sample: 0, context: createCallContext() });
  expect(toldBy(sdk.spans()).length).toBeLessThan(2_000);
});
