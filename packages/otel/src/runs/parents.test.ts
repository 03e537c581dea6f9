import { createCallContext, createFlow, defineStep, end, memoryJournal, resolveAdapter } from '@askema/core';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { obligingModel, SQL, shop } from '../test-support/shop.ts';
import { type Telemetry, telemetry, treeOf } from '../test-support/telemetry.ts';

interface Item {
  name: string;
}
interface Items {
  names: string[];
}

/** For each name, at the same time: two steps that call the model and the database. */
function itemsFlow({ tracing }: Telemetry) {
  const model = tracing.model(obligingModel());
  const adapter = resolveAdapter(tracing.adapter(shop()));
  const turns: (() => void)[] = [];
  /** Lets the others go first: the last to come is the first to go on. */
  const wait = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    turns.unshift(resolve);
    if (turns.length === 3) for (const go of turns.splice(0)) go();
    await promise;
  };
  const step = (name: string) =>
    defineStep<Item>()({
      name,
      prep: (state) => state.name,
      async exec(item, call) {
        await wait();
        await call.memo(`ask-${item}`, (inner) => model.generate({ messages: [], sample: 0, context: inner }));
        await wait();
        await adapter.query(SQL.replace('customer', `${name}_${item}`), { context: call });
      },
      post: () => undefined,
    });
  const inner = createFlow<Item>({ name: 'item' })
    .step(step('draft'), { default: 'check' })
    .step(step('check'), { default: end })
    .build();
  return createFlow<Items>({ name: 'items' })
    .parallel(
      'each',
      inner,
      { default: end },
      {
        enter: (state) => state.names.map((name) => ({ name })),
        leave: () => undefined,
      },
    )
    .build();
}

it('12: items at the same time do not mix, whatever is active', async () => {
  using sdk = telemetry();
  const provider = new TracerProvider();
  const other = trace.setSpan(ROOT_CONTEXT, provider.getTracer('other').startSpan('other'));
  const flow = itemsFlow(sdk);
  const runs = ['one', 'two'].map((runId) =>
    flow.run({ names: ['a', 'b', 'c'] }, undefined, { runId, onEvent: sdk.tracing.onEvent, journal: memoryJournal() }),
  );
  await context.with(other, () => Promise.all(runs));
  const spans = sdk.spans();
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const statements = spans.filter(({ name }) => name.startsWith('SELECT'));
  expect(statements).toHaveLength(12);
  for (const { name, parentSpanContext, ...statement } of statements) {
    const step = byId.get(parentSpanContext?.spanId ?? '');
    const [, visit = '', item = ''] = /^SELECT (\w+)_(\w)$/.exec(name) ?? [];
    expect(step?.name).toBe(`step ${visit}`);
    expect(step?.attributes['askema.path']).toContain(`/each#1/${'abc'.indexOf(item)}/`);
    expect(statement).toBeDefined();
  }
  expect(treeOf(spans)).toBe(
    ['one', 'two']
      .flatMap(() => [
        'run items',
        '  step each',
        ...['draft', 'check'].flatMap((name) =>
          ['a', 'b', 'c'].flatMap((item) => [
            `    step ${name}`,
            '      chat gpt-test',
            `      SELECT ${name}_${item}`,
          ]),
        ),
      ])
      .join('\n'),
  );
});

it('3: what is active when a run starts is its parent; a call outside of runs stands below what is active', async () => {
  using sdk = telemetry();
  const remote = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: 1,
    isRemote: true,
  };
  const active = trace.setSpanContext(ROOT_CONTEXT, remote);
  await context.with(active, () =>
    itemsFlow(sdk).run({ names: ['a', 'b', 'c'] }, undefined, { onEvent: sdk.tracing.onEvent }),
  );
  const [run] = sdk.spans();
  expect(run?.parentSpanContext).toMatchObject({ spanId: remote.spanId, isRemote: true });
  expect(new Set(sdk.spans().map((span) => span.spanContext().traceId))).toEqual(new Set([remote.traceId]));

  const adapter = sdk.tracing.adapter(shop());
  await context.with(active, () => adapter.query(SQL, { context: createCallContext() }));
  expect(sdk.spans().at(-1)?.parentSpanContext?.spanId).toBe(remote.spanId);
});

it('what an adapter or a model does by itself stands below its span', async () => {
  using sdk = telemetry();
  const seen: (string | undefined)[] = [];
  const look = (): void => void seen.push(trace.getActiveSpan()?.spanContext().spanId);
  const adapter = sdk.tracing.adapter(
    shop(async () => {
      look();
      return [[1]];
    }),
  );
  const model = sdk.tracing.model(obligingModel(() => void look()));
  const request = { messages: [], sample: 0, context: createCallContext() };
  await adapter.query(SQL);
  await model.generate(request);
  for await (const _ of model.stream?.(request) ?? []);
  expect(seen).toEqual(sdk.spans().map((span) => span.spanContext().spanId));
});

it('a run that waits for an answer ends its spans, and its second part is a run of its own', async () => {
  using sdk = telemetry();
  const ask = defineStep<object>()({
    name: 'ask',
    exec: (_input, call) => call.suspend<string>('which?'),
    post: () => undefined,
  });
  const flow = createFlow<object>({ name: 'asking' }).step(ask, { default: end }).build();
  const options = { journal: memoryJournal(), onEvent: sdk.tracing.onEvent };
  const { runId } = await flow.run({}, undefined, options);
  expect(treeOf(sdk.spans())).toBe('run asking\n  step ask');
  await flow.resume(runId, undefined, { ...options, answer: 'this' });
  expect(sdk.spans().map(({ attributes }) => attributes['askema.run.outcome'])).toEqual([
    'suspended',
    undefined,
    'finished',
    undefined,
  ]);
  expect(Object.keys(await sdk.metrics())).toEqual([
    'askema.runs{askema.flow=asking,askema.run.outcome=suspended}',
    'askema.runs{askema.flow=asking,askema.run.action=default,askema.run.outcome=finished}',
    'askema.run.duration{askema.flow=asking,askema.run.action=default,askema.run.outcome=finished}',
  ]);
});
