import { createText2Schema, type Text2SchemaOptions } from '@askema/text2schema';
import { expect, it } from 'vitest';
import { expectQuiet, expectSpent } from './test-support/expect-told.ts';
import { CANARY, obligingModel } from './test-support/shop.ts';
import { telemetry, treeOf } from './test-support/telemetry.ts';

const ATTRIBUTES = [
  { name: `Number of ${CANARY.literal}`, type: 'NUMERIC' },
  { name: 'Name', type: 'TEXT' },
];
const SCHEMA = {
  relations: [
    { name: 'Customer', attributes: ATTRIBUTES, primaryKey: [`Number of ${CANARY.literal}`], foreignKeys: [] },
  ],
};
/** What the roles of the preset `tested` say of it. */
const DRAFT = {
  thinking: CANARY.literal,
  refusal: '',
  schema: SCHEMA,
  rules: [{ unique: [], required: [], dependencies: [] }],
  assumptions: [],
  places: [],
  disputes: [],
  reportErrors: [],
};

/** Of the strategy `single-agent`: no more tools. */
const LAST_TURN = { thought: CANARY.literal, step: { tool: 'answer', input: { schema: SCHEMA } } };

const DESIGNS: Readonly<Record<string, Omit<Text2SchemaOptions, 'model'>>> = {
  'one-shot': { strategy: 'one-shot' },
  'chain-of-thought': { strategy: 'chain-of-thought' },
  'few-shot': { strategy: 'few-shot' },
  guided: { strategy: 'guided' },
  'single-agent, which uses a tool once': { strategy: 'single-agent' },
  'schema-agent, tested': { strategy: 'schema-agent', preset: 'tested' },
  'schema-agent, paper': { strategy: 'schema-agent', preset: 'paper' },
};

it.each(Object.entries(DESIGNS))('1, 4, 8: the spans of a design, %s', async (_name, options) => {
  using sdk = telemetry();
  const { tracing } = sdk;
  const model = tracing.model(
    obligingModel(({ output }, index) => {
      if (output?.name === 'text2schema_draft') return { json: DRAFT };
      return output?.name === 'text2schema_single-agent' && index > 0 ? { json: LAST_TURN } : undefined;
    }),
  );
  const design = createText2Schema({ ...options, model, onEvent: tracing.onEvent });
  const outcome = await design.design(`Keep customers and their ${CANARY.question}.`);
  expect(`${outcome.type}\n${treeOf(sdk.spans())}\n`).toMatchSnapshot();
  await expectQuiet(sdk);
  await expectSpent(sdk, outcome.usage);
});
