import { conversation, createText2Sql, plain } from '@askema/text2sql';
import { expect, it } from 'vitest';
import { expectQuiet } from './test-support/expect-told.ts';
import { CANARY, obligingModel, SQL, shop } from './test-support/shop.ts';
import { telemetry, treeOf } from './test-support/telemetry.ts';

/** A question, one that changes it, one about why, and a person's own statement. */
async function talk({ tracing }: ReturnType<typeof telemetry>, listens: 'conversation' | 'both'): Promise<void> {
  const kinds = ['refine', 'explain'];
  const model = tracing.model(
    obligingModel(({ output }) => {
      if (output?.name !== 'conversation_rewrite') return undefined;
      const nothing = { database: '', detail: '', questions: [] };
      return { json: { kind: kinds.shift() ?? 'new', turn: 1, question: CANARY.question, ...nothing } };
    }),
  );
  const { onEvent } = tracing;
  const heard = listens === 'both' ? { onEvent } : {};
  await using store = createText2Sql({
    ...heard,
    adapter: tracing.adapter(shop()),
    model,
    flow: plain(),
    linkValues: false,
  });
  const chat = conversation({ databases: { shop: store }, model, onEvent });
  await chat.say(`Who is called ${CANARY.question}?`);
  await chat.say(`And in ${CANARY.literal}?`, { summarize: 'always' });
  await chat.say(`Why ${CANARY.literal}?`);
  await chat.edit(SQL);
}

it('1, 4: the spans of a conversation, without a literal, prompt or row', async () => {
  using sdk = telemetry();
  await talk(sdk, 'conversation');
  expect(`\n${treeOf(sdk.spans())}\n`).toMatchSnapshot();
  await expectQuiet(sdk);
});

it('1: an event that both the conversation and what it asks tell is one span, and counts once', async () => {
  const told = async (listens: 'conversation' | 'both') => {
    using sdk = telemetry();
    await talk(sdk, listens);
    const runs = Object.entries(await sdk.metrics()).filter(([name]) => name.startsWith('askema.runs'));
    return { tree: treeOf(sdk.spans()), runs };
  };
  expect(await told('both')).toEqual(await told('conversation'));
});
