import { createText2Schema } from '@askema/text2schema';
import { auto, createText2Sql, direct, inspect, plain, react, refine, type Text2SqlFlow } from '@askema/text2sql';
import { expect, it } from 'vitest';
import { CANARY, obligingModel, shop } from './test-support/shop.ts';
import { type Telemetry, telemetry, toldBy, treeOf } from './test-support/telemetry.ts';

const FLOWS: readonly (readonly [string, Text2SqlFlow])[] = [
  ['plain', plain()],
  ['direct', direct()],
  ['auto', auto()],
  ['react', react()],
  ['refine', refine({ limits: { threads: 2 } })],
  ['inspect', inspect()],
];

function expectOutcome({ spans }: Telemetry, type: string) {
  expect(spans()[0]?.attributes['askema.outcome']).toBe(type);
}

async function expectSpent({ spans, metrics }: Telemetry, usage: { readonly inputTokens?: number | undefined }) {
  const sum = (name: string) => spans().reduce((total, { attributes }) => total + Number(attributes[name] ?? 0), 0);
  const { inputTokens = 0 } = usage;
  expect(inputTokens).toBeGreaterThan(0);
  expect(sum('askema.model.usage.input_tokens')).toBe(inputTokens);
  // The model of these tests says the same of each call.
  expect(sum('askema.model.usage.output_tokens')).toBe((inputTokens / 100) * 7);
  expect(sum('askema.model.usage.cache_read.input_tokens')).toBe((inputTokens / 100) * 60);
  const sums = Object.entries(await metrics()).filter(([name]) => name.includes('usage.input_tokens'));
  expect(sums.map(([, tokens]) => tokens)).toEqual([inputTokens]);
}

it.each(FLOWS)('1, 4, 8: the spans of %s, without a literal, prompt or row, and its tokens', async (_name, flow) => {
  using sdk = telemetry();
  const { tracing } = sdk;
  const options = { adapter: tracing.adapter(shop()), model: tracing.model(obligingModel()), onEvent: tracing.onEvent };
  await using store = createText2Sql({ ...options, flow });
  const outcome = await store.ask(`Who is called ${CANARY.question}?`);
  expect(`${outcome.type}\n${treeOf(sdk.spans())}\n`).toMatchSnapshot();
  expect(toldBy(sdk.spans())).not.toMatch(/canary|4711|as asked/);
  expectOutcome(sdk, outcome.type);
  await expectSpent(sdk, outcome.usage);
});

it.each(['one-shot', 'schema-agent'] as const)('1, 4, 8: the spans of a design, %s', async (strategy) => {
  using sdk = telemetry();
  const { tracing } = sdk;
  const model = tracing.model(obligingModel());
  const design = createText2Schema({ model, strategy, onEvent: tracing.onEvent });
  const outcome = await design.design(`Keep customers and their ${CANARY.question}.`);
  expect(`${outcome.type}\n${treeOf(sdk.spans())}\n`).toMatchSnapshot();
  expect(toldBy(sdk.spans())).not.toMatch(/canary|as asked/);
  expectOutcome(sdk, outcome.type);
  await expectSpent(sdk, outcome.usage);
});
