import { type AdapterSpec, createCallContext, createFlow, defineStep, end, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { tracing } from '@askema/otel';
import type { Table } from '../harness/bench.ts';
import { scriptedModel } from '../harness/scripted-model.ts';
import { processorMs, takeTurns } from './take-turns.ts';

const STEPS = 10;

/** A flow of steps that do nothing. */
function emptyFlow() {
  const step = (index: number) => defineStep<object>()({ name: `s${index}`, exec: () => index, post: () => undefined });
  let flow = createFlow<object>({ name: 'empty' });
  for (let index = 1; index < STEPS; index += 1) flow = flow.step(step(index), { default: `s${index + 1}` }) as never;
  return flow.step(step(STEPS), { default: end }).build();
}

/** Gives a row at once. */
const SPEC: AdapterSpec = {
  contract: 1,
  name: 'empty',
  dialect: sqliteDialect,
  access: 'read',
  executor: {
    async *execute() {
      yield { type: 'columns', columns: [] };
      yield { type: 'rows', rows: [[]] };
      yield { type: 'end' };
    },
  },
  introspector: { introspect: () => Promise.reject(new Error('There is no catalog.')) },
  close: async () => undefined,
};

/** Each kind of span, by what it adds. The listener of the other way does nothing: events are made for it, too. */
export async function measureSpans({ quick }: { readonly quick: boolean }): Promise<Table> {
  const times = quick ? 2_000 : 10_000;
  const traced = tracing();
  const flow = emptyFlow();
  const model = scriptedModel(() => 'SELECT 1');
  const request = { messages: [], sample: 0, context: createCallContext() };
  const sql = "SELECT name FROM customers WHERE country = 'Norway'";
  const runs = (onEvent: typeof traced.onEvent) => async () => {
    for (let count = 0; count < times / STEPS; count += 1) await flow.run({}, undefined, { onEvent });
  };
  const calls = (asked: typeof model) => async () => {
    for (let count = 0; count < times; count += 1) await asked.generate(request);
  };
  const statements = (adapter: ReturnType<typeof resolveAdapter>) => async () => {
    for (let count = 0; count < times; count += 1) await adapter.query(sql);
  };
  const works = [
    { name: 'runs and steps', spans: (times / STEPS) * (STEPS + 1), ways: [runs(() => {}), runs(traced.onEvent)] },
    { name: 'model calls', spans: times, ways: [calls(model), calls(traced.model(model))] },
    {
      name: 'statements',
      spans: times,
      ways: [statements(resolveAdapter(SPEC)), statements(traced.adapter(SPEC))],
    },
  ];
  const rows: (string | number)[][] = [];
  const remarks: string[] = [];
  for (const { name, spans, ways } of works) {
    const taken = await takeTurns(ways, { turns: quick ? 15 : 45, warmUp: 3, clock: processorMs });
    const [bare = 0, own = 0, perSpan = 0] = [...taken.times, ...taken.more.slice(1)].map(
      (time) => (time * 1_000) / spans,
    );
    rows.push([name, spans, bare, own, perSpan]);
    if (perSpan > 2) remarks.push(`${name}: ${perSpan.toFixed(1)} µs for a span; it shall be less than 2.`);
  }
  return { columns: ['spans of', 'spans of a turn', 'without, µs', 'with, µs', 'more, µs'], rows, remarks };
}
