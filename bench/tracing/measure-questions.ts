import { type Adapter, type EventSink, type LanguageModel, resolveAdapter } from '@askema/core';
import { type TracingOptions, tracing } from '@askema/otel';
import { sqlite } from '@askema/sqlite';
import { createText2Sql, plain, type Text2Sql } from '@askema/text2sql';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  NoopSpanProcessor,
  type Sampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Table } from '../harness/bench.ts';
import { scriptedModel } from '../harness/scripted-model.ts';
import { storeFile } from '../throughput/store.ts';
import { processorMs, takeTurns } from './take-turns.ts';

/** The most that a question may take more with sampling off, and how long a fast model of today takes to answer. */
const MOST = 0.02;
const MODEL_MS = 200;
const LIMITED = ['no SDK', 'sampling off'];

/** Short turns: whatever else this machine does falls on all ways alike. */
const ASKED = 4;

/** Keeps what is counted, and sends it nowhere. */
class KeepingReader extends MetricReader {
  protected override onShutdown = async () => {};
  protected override onForceFlush = async () => {};
}

const tracerOf = (sampler: Sampler) =>
  new TracerProvider({ sampler, spanProcessors: [new NoopSpanProcessor()] }).getTracer('bench');

export async function measureQuestions({ quick }: { readonly quick: boolean }): Promise<Table> {
  const file = await storeFile();
  const model = scriptedModel(() => "SELECT name FROM customers WHERE country = 'Norway' ORDER BY name");
  // One for all: what differs is what is around it.
  const adapter = resolveAdapter(sqlite({ file }));
  const bare = (onEvent?: EventSink): Text2Sql => storeOf(adapter, model, onEvent);
  const withTracing = (given: TracingOptions): Text2Sql => {
    const traced = tracing(given);
    return storeOf(traced.adapter(adapter), traced.model(model), traced.onEvent);
  };
  // As an SDK does; the other ways then run in a process that has one, too.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const [off, on] = [tracerOf(new AlwaysOffSampler()), tracerOf(new AlwaysOnSampler())];
  const meter = new MeterProvider({ readers: [new KeepingReader()] }).getMeter('bench');
  const stores: { readonly name: string; readonly store: Text2Sql }[] = [
    { name: 'without', store: bare() },
    { name: 'without, once more', store: bare() },
    {
      name: 'one span of the SDK, dropped',
      store: bare(({ type }) => void (type === 'run-started' && off.startSpan('run'))),
    },
    { name: 'no SDK', store: withTracing({}) },
    { name: 'sampling off', store: withTracing({ tracer: off }) },
    { name: 'sampling off, with metrics', store: withTracing({ tracer: off, meter }) },
    { name: 'sampling on', store: withTracing({ tracer: on }) },
    { name: 'sampling on, with metrics', store: withTracing({ tracer: on, meter }) },
  ];
  const ways = stores.map(({ store }) => async () => {
    for (let count = 0; count < ASKED; count += 1) {
      const { type } = await store.ask('Who lives in Norway?');
      if (type !== 'answered') throw new Error(`The question ended as ${type}.`);
    }
  });
  const taken = await takeTurns(ways, { turns: quick ? 500 : 2_000, warmUp: 300, clock: processorMs });
  await adapter.close();
  context.disable();
  const question = ((taken.times[0] ?? 0) * 1_000) / ASKED;
  const rows = stores.map(({ name }, index) => {
    const more = ((taken.more[index] ?? 0) * 1_000) / ASKED;
    return { name, more, share: more / question, known: more / (MODEL_MS * 1_000 + question) };
  });
  return {
    columns: ['tracing', 'µs of a question', 'more, µs', 'more, %', `more with a model of ${MODEL_MS} ms, %`],
    rows: rows.map(({ name, more, share, known }, index) => [
      name,
      ((taken.times[index] ?? 0) * 1_000) / ASKED,
      more,
      (share * 100).toFixed(1),
      (known * 100).toFixed(3),
    ]),
    remarks: rows
      .filter(({ name, known }) => LIMITED.includes(name) && known > MOST)
      .map(
        ({ name, known }) =>
          `${name}: ${(known * 100).toFixed(1)} % of a question; it shall be ${MOST * 100} % at most.`,
      ),
  };
}

function storeOf(adapter: Adapter, model: LanguageModel, onEvent: EventSink | undefined): Text2Sql {
  return createText2Sql({ adapter, model, onEvent, flow: plain(), linkValues: false });
}
