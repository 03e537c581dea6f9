import { auto, createText2Sql, direct, inspect, plain, react, refine, type Text2SqlFlow } from '@askema/text2sql';
import { expect, it } from 'vitest';
import { CANARY, obligingModel, shop } from './test-support/shop.ts';
import { telemetry, toldBy, treeOf } from './test-support/telemetry.ts';

const FLOWS: readonly (readonly [string, Text2SqlFlow])[] = [
  ['plain', plain()],
  ['direct', direct()],
  ['auto', auto()],
  ['react', react()],
  ['refine', refine({ limits: { threads: 2 } })],
  ['inspect', inspect()],
];

it.each(FLOWS)('1, 4: the spans of %s, without a literal, prompt or row', async (_name, flow) => {
  using sdk = telemetry();
  const { tracing } = sdk;
  const options = { adapter: tracing.adapter(shop()), model: tracing.model(obligingModel()), onEvent: tracing.onEvent };
  await using store = createText2Sql({ ...options, flow });
  const outcome = await store.ask(`Who is called ${CANARY.question}?`);
  expect(`${outcome.type}\n${treeOf(sdk.spans())}\n`).toMatchSnapshot();
  expect(toldBy(sdk.spans())).not.toMatch(/canary|4711|as asked/);
  expect(sdk.spans().every(({ ended }) => ended)).toBe(true);
  // Test 8: the sums of spans and metrics are what the run says.
  const sum = (name: string) => sdk.spans().reduce((total, span) => total + Number(span.attributes[name] ?? 0), 0);
  const { usage } = outcome;
  expect(sum('askema.model.usage.input_tokens')).toBe(usage.inputTokens);
  expect(sum('askema.model.usage.output_tokens')).toBe(usage.outputTokens);
  expect(sum('askema.model.usage.cache_read.input_tokens')).toBe(usage.cachedInputTokens);
  const metrics = Object.entries(await sdk.metrics()).filter(([name]) => name.includes('token.type=input'));
  expect(metrics.map(([, tokens]) => tokens)).toEqual([usage.inputTokens]);
});
