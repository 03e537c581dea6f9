import { tracing } from '@askema/otel';
import { sqlite } from '@askema/sqlite';
import { createText2Sql, plain, type Text2Sql } from '@askema/text2sql';
import { AlwaysOffSampler, AlwaysOnSampler, NoopSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Table } from '../harness/bench.ts';
import { scriptedModel } from '../harness/scripted-model.ts';
import { storeFile } from '../throughput/store.ts';
import { processorMs, takeTurns } from './take-turns.ts';

/** The most that a question may take more with sampling off, and how long a fast model of today takes to answer. */
const MOST = 0.02;
const MODEL_MS = 200;

export async function measureQuestions({ quick }: { readonly quick: boolean }): Promise<Table> {
  const file = await storeFile();
  const model = scriptedModel(() => "SELECT name FROM customers WHERE country = 'Norway' ORDER BY name");
  const options = { flow: plain(), linkValues: false };
  const stores: { readonly name: string; readonly store: Text2Sql }[] = [
    { name: 'without', store: createText2Sql({ ...options, adapter: sqlite({ file }), model }) },
  ];
  for (const [name, sampler] of [
    ['no SDK', undefined],
    ['sampling off', new AlwaysOffSampler()],
    ['sampling on', new AlwaysOnSampler()],
  ] as const) {
    const provider = sampler && new TracerProvider({ sampler, spanProcessors: [new NoopSpanProcessor()] });
    const traced = tracing({ tracer: provider?.getTracer('bench') });
    const adapter = traced.adapter(sqlite({ file }));
    const store = createText2Sql({ ...options, adapter, model: traced.model(model), onEvent: traced.onEvent });
    stores.push({ name, store });
  }
  const asked = quick ? 100 : 300;
  const ways = stores.map(({ store }) => async () => {
    for (let count = 0; count < asked; count += 1) {
      const { type } = await store.ask('Who lives in Norway?');
      if (type !== 'answered') throw new Error(`The question ended as ${type}.`);
    }
  });
  const times = await takeTurns(ways, { turns: quick ? 9 : 31, warmUp: 3, clock: processorMs });
  for (const { store } of stores) await store.close();
  const [bare = 0] = times;
  const more = times.map((time) => ((time - bare) * 1_000) / asked);
  const shares = more.map((microseconds) => microseconds / 1_000 / (MODEL_MS + bare / asked));
  const remarks = stores.flatMap(({ name }, index) => {
    const share = shares[index] ?? 0;
    if (share <= MOST) return [];
    return [`${name}: ${(share * 100).toFixed(1)} % of a question; it shall be ${MOST * 100} % at most.`];
  });
  return {
    columns: ['tracing', 'µs of a question', 'more, µs', 'more, %', `more with a model of ${MODEL_MS} ms, %`],
    rows: stores.map(({ name }, index) => [
      name,
      ((times[index] ?? 0) * 1_000) / asked,
      more[index] ?? 0,
      (((times[index] ?? 0) / bare - 1) * 100).toFixed(1),
      ((shares[index] ?? 0) * 100).toFixed(3),
    ]),
    remarks,
  };
}
