import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../events/run-event.ts';
import { createFlow } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { addStep, START, type TrailDeps, type TrailState, trailFlow } from './test-support/journaled-flow.ts';
import { testRuntime } from './test-support/test-runtime.ts';

function listen() {
  const events: RunEvent[] = [];
  return { events, onEvent: (event: RunEvent) => void events.push(event) };
}
const brief = (event: RunEvent): string => {
  const { type, path } = event;
  const rest = type === 'step-finished' ? ` ${event.action}${event.replayed ? ' replayed' : ''}` : '';
  return `${type} ${path}${rest}`;
};

describe('the events of a run', () => {
  it('come in order, those of an inner flow inside its step, with the calls of exec', async () => {
    const call = defineStep<TrailState, TrailDeps>()({
      name: 'call',
      exec: async (_input, context) => {
        context.emit({ type: 'sql', data: { rows: 1 } });
        await context.memo('model', async (inner) => inner.emit?.({ type: 'model', data: { tokens: 5 } }));
      },
      post: () => {},
    });
    const inner = createFlow<TrailState, TrailDeps>({ name: 'inner' }).step(call, { default: end }).build();
    const flow = createFlow<TrailState, TrailDeps>({ name: 'outer' })
      .step(addStep('one', 1), { default: 'sub' })
      .flow('sub', inner, { default: end })
      .build();
    const { events, onEvent } = listen();
    await flow.run(START, { calls: [] }, { onEvent, runId: 'r', runtime: testRuntime() });
    expect(events.map(brief)).toEqual([
      'run-started outer@1',
      'step-started outer@1/one#1',
      'step-finished outer@1/one#1 default',
      'step-started outer@1/sub#1',
      'step-started outer@1/sub#1/inner@1/call#1',
      'call outer@1/sub#1/inner@1/call#1',
      'call outer@1/sub#1/inner@1/call#1/model#1',
      'step-finished outer@1/sub#1/inner@1/call#1 default',
      'step-finished outer@1/sub#1 default',
      'run-finished outer@1',
    ]);
    expect(events.filter((event) => event.type === 'call')).toMatchObject([
      { call: 'sql', data: { rows: 1 } },
      { call: 'model', data: { tokens: 5 } },
    ]);
    const spans = new Map(events.map((event) => [event.spanId, event]));
    const ancestors = (event: RunEvent): string[] => {
      const parent = event.parentSpanId === undefined ? undefined : spans.get(event.parentSpanId);
      return parent === undefined ? [event.path] : [event.path, ...ancestors(parent)];
    };
    expect(ancestors(events[6] as RunEvent)).toEqual([
      'outer@1/sub#1/inner@1/call#1/model#1',
      'outer@1/sub#1/inner@1/call#1',
      'outer@1/sub#1',
      'outer@1',
    ]);
    expect(new Set(events.map((event) => event.runId))).toEqual(new Set(['r']));
  });

  it('tell what was replayed and what ran', async () => {
    const journal = memoryJournal();
    const flow = trailFlow();
    const failing = { calls: [], fail: new Set(['loop']) };
    const first = listen();
    await expect(flow.run(START, failing, { journal, runId: 'r', onEvent: first.onEvent })).rejects.toThrow();
    expect(first.events.slice(-3)).toMatchObject([
      { type: 'step-started', step: 'loop', visit: 1 },
      { type: 'step-failed', step: 'loop', error: { code: 'INTERNAL' } },
      { type: 'run-failed', error: { code: 'INTERNAL' } },
    ]);
    const second = listen();
    await flow.resume('r', { calls: [] }, { journal, onEvent: second.onEvent });
    expect(second.events[0]).toMatchObject({ type: 'run-started', resumed: true });
    expect(second.events.filter((event) => event.type === 'step-finished').map(brief)).toEqual([
      'step-finished trail@1/one#1 default replayed',
      'step-finished trail@1/two#1 default replayed',
      'step-finished trail@1/loop#1 again',
      'step-finished trail@1/loop#2 done',
    ]);
  });

  it('name the item of a batch that is tried again', async () => {
    let failures = 1;
    const batch = defineBatchStep<TrailState>()({
      name: 'batch',
      prep: () => ['a', 'b'],
      exec: (item) => {
        if (item === 'b' && failures-- > 0) throw new Error('no');
        return item;
      },
      post: () => {},
      retry: { attempts: 2, when: () => true },
    });
    const { events, onEvent } = listen();
    await createFlow<TrailState>({ name: 'f' }).step(batch, { default: end }).build().run(START, {}, { onEvent });
    expect(events.filter((event) => event.type === 'step-retried')).toMatchObject([{ path: 'f@1/batch#1/1' }]);
  });

  it('cannot break the run, whatever the listener does', async () => {
    const sinks = [
      () => {
        throw new Error('listener');
      },
      (async () => {
        throw new Error('listener');
      }) as () => void,
    ];
    for (const onEvent of sinks) {
      await expect(trailFlow().run(START, { calls: [] }, { onEvent })).resolves.toMatchObject({ status: 'finished' });
    }
  });
});

describe('onState', () => {
  it('shows how far a run came that fails, whatever the listener does', async () => {
    const outer = createFlow<TrailState, TrailDeps>({ name: 'outer' })
      .flow('inner', trailFlow(), { done: 'last' })
      .step(addStep('last', 1), { default: end })
      .build();
    const seen: string[] = [];
    const onState = (state: Readonly<TrailState>): void => {
      seen.push(state.trail.join(' '));
      throw new Error('listener');
    };
    const failing: TrailDeps = { calls: [], fail: new Set(['last']) };
    await expect(outer.run(START, failing, { onState })).rejects.toThrow('last failed');
    expect(seen).toEqual(['one', 'one two', 'one two loop', 'one two loop loop', 'one two loop loop']);
  });
});
