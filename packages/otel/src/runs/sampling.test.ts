import { createCallContext, type LanguageModel } from '@askema/core';
import { createText2Sql, plain } from '@askema/text2sql';
import { type Context, context, ROOT_CONTEXT, SamplingDecision, trace } from '@opentelemetry/api';
import { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, type Sampler } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { obligingModel, SQL, shop } from '../test-support/shop.ts';
import { type Telemetry, telemetry, treeOf } from '../test-support/telemetry.ts';

/** Drops spans by their names, and counts what it is asked. */
function droppingSampler(drop: (name: string) => boolean): Sampler & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    shouldSample(_context, _traceId, name) {
      asked.push(name);
      return { decision: drop(name) ? SamplingDecision.NOT_RECORD : SamplingDecision.RECORD_AND_SAMPLED };
    },
    toString: () => 'dropping',
  };
}

/** Asks a question, and tells what is active in model and database. */
async function ask({ tracing }: Telemetry, from: Context = ROOT_CONTEXT) {
  const seen: Context[] = [];
  const look = (): undefined => {
    seen.push(context.active());
  };
  const model: LanguageModel = obligingModel(look);
  await using store = createText2Sql({
    adapter: tracing.adapter(
      shop(() => {
        look();
        return [['a']];
      }),
      { tags: true },
    ),
    model: tracing.model(model),
    onEvent: tracing.onEvent,
    flow: plain(),
  });
  const outcome = await context.with(from, () => store.ask('Who?'));
  expect(outcome.type).toBe('answered');
  return seen.map((active) => trace.getSpanContext(active));
}

const COUNTED = [
  'askema.model.client.inference.duration',
  'askema.model.client.inference.usage.cache_read.input_tokens',
  'askema.model.client.inference.usage.input_tokens',
  'askema.model.client.inference.usage.output_tokens',
  'askema.run.duration',
  'askema.runs',
  'db.client.operation.duration',
];
const counted = async (sdk: Telemetry) => [
  ...new Set(Object.keys(await sdk.metrics()).map((name) => name.replace(/\{.*/, ''))),
];
const remoteOf = (traceFlags: number) =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags,
    isRemote: true,
  });

describe('a run that is not recorded', () => {
  it('asks the sampler once, and is counted as any other', async () => {
    const sampler = droppingSampler(() => true);
    using sdk = telemetry({ sampler });
    const active = await ask(sdk);
    expect(sampler.asked).toEqual(['run plain']);
    expect(sdk.spans()).toEqual([]);
    expect((await counted(sdk)).sort()).toEqual(COUNTED);
    // What model and database begin by themselves is not recorded either: they find a trace that is not.
    expect(active.length).toBeGreaterThan(1);
    expect(new Set(active.map((span) => span?.traceFlags))).toEqual(new Set([0]));
    expect(new Set(active.map((span) => span?.traceId)).size).toBe(1);
  });

  it('counts the same as one that is recorded', async () => {
    const sums: Record<string, number>[] = [];
    for (const sampler of [new AlwaysOnSampler(), new AlwaysOffSampler()]) {
      using sdk = telemetry({ sampler });
      await ask(sdk);
      sums.push(Object.fromEntries(Object.entries(await sdk.metrics()).filter(([name]) => !name.includes('duration'))));
    }
    expect(sums[1]).toEqual(sums[0]);
  });

  it.each([
    { type: 'run-finished', action: 'done', elapsedMs: 1 },
    { type: 'run-suspended', request: 'which?' },
    { type: 'call', call: 'no end is told', data: {} },
  ] as const)('is forgotten at its end ($type): the next one of the same id is asked for again', (end) => {
    const sampler = droppingSampler(() => sampler.asked.length === 1);
    using sdk = telemetry({ sampler });
    const { onEvent } = sdk.tracing;
    const base = { runId: 'r', spanId: '1', path: 'f@1', at: 0 };
    for (const _ of [1, 2, 3]) {
      onEvent({ ...base, type: 'run-started', flow: 'f', resumed: false });
      onEvent({ ...base, path: 'f@1/a#1', type: 'step-started', step: 'a', visit: 1 });
      onEvent({ ...base, ...end });
    }
    onEvent({ ...base, type: 'run-started', flow: 'f', resumed: false });
    expect(treeOf(sdk.spans())).toBe('run f\n  step a\nrun f\n  step a');
  });

  it('is one whose parent was dropped in this process, whatever the sampler would say of it', async () => {
    const sampler = droppingSampler((name) => name === 'GET /ask');
    using sdk = telemetry({ sampler });
    const request = sdk.tracer.startSpan('GET /ask');
    const active = await ask(sdk, trace.setSpan(ROOT_CONTEXT, request));
    expect(sampler.asked).toEqual(['GET /ask']);
    expect(new Set(active.map((span) => span?.spanId))).toEqual(new Set([request.spanContext().spanId]));
  });
});

describe('a parent in another process that is not recorded there', () => {
  it('is followed by a sampler that asks the parent', async () => {
    using sdk = telemetry({ sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }) });
    const active = await ask(sdk, remoteOf(0));
    expect(sdk.spans()).toEqual([]);
    expect(new Set(active.map((span) => span?.traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']));
    await ask(sdk, remoteOf(1));
    expect(sdk.spans().length).toBeGreaterThan(5);
  });

  it('binds nobody: a sampler may record all the same', async () => {
    using sdk = telemetry({ sampler: new AlwaysOnSampler() });
    await ask(sdk, remoteOf(0));
    expect(sdk.spans()[0]?.parentSpanContext).toMatchObject({ isRemote: true });
    expect(sdk.spans().length).toBeGreaterThan(5);
  });
});

it('a sampler that drops a step drops what stands below it, and nothing beside it', async () => {
  using sdk = telemetry({ sampler: droppingSampler((name) => name === 'step execute-sql') });
  await ask(sdk);
  const tree = treeOf(sdk.spans());
  expect(tree).toContain('  step generate-sql\n    chat gpt-test\n  step weigh-readings');
});

it('a call outside of runs asks for itself', async () => {
  const sampler = droppingSampler((name) => name === 'sqlite');
  using sdk = telemetry({ sampler });
  const adapter = shop();
  await sdk.tracing.adapter(adapter).query(SQL);
  await sdk.tracing.model(obligingModel()).generate({ messages: [], sample: 0, context: createCallContext() });
  expect(treeOf(sdk.spans())).toBe('chat gpt-test');
  expect(await counted(sdk)).toContain('db.client.operation.duration');
});

it('without an SDK a trace from elsewhere still reaches the model and the database', async () => {
  using sdk = telemetry();
  const { tracing } = await import('../tracing.ts');
  const active = await ask({ ...sdk, tracing: tracing() }, remoteOf(1));
  expect(new Set(active.map((span) => span?.spanId))).toEqual(new Set(['b7ad6b7169203331']));
});
