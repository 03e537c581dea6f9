import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { RunEvent } from '../events/run-event.ts';
import { createFlow } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import type { StepContext } from './step.ts';
import { settle } from './test-support/deferred.ts';

interface State {
  n: number;
}
const never = (): Promise<never> => new Promise(() => {});

function flowOf(exec: (context: StepContext) => unknown) {
  const step = defineStep<State>()({ name: 's', exec: (_input, context) => exec(context), post: () => {} });
  const next = defineStep<State>()({ name: 'next', exec: () => 1, post: () => {} });
  return createFlow<State>({ name: 'f' }).step(step, { default: 'next' }).step(next, { default: end }).build();
}

describe('abort', () => {
  it('ends the run at once, also when exec does not listen', async () => {
    const controller = new AbortController();
    const run = flowOf(never).run({ n: 1 }, {}, { signal: controller.signal });
    await settle();
    controller.abort();
    await expect(run).rejects.toMatchObject({
      code: 'ABORTED',
      message: 'The run of flow `f` was stopped by its caller.',
    });
  });

  it('reaches exec through its signal, and the calls inside of it', async () => {
    const controller = new AbortController();
    const fired: string[] = [];
    const listen = (name: string, signal: AbortSignal | undefined) =>
      signal?.addEventListener('abort', () => fired.push(name));
    const run = flowOf(async (context) => {
      listen('exec', context.signal);
      await context.memo('call', (inner) => {
        listen('call', inner.signal);
        return never();
      });
    }).run({ n: 1 }, {}, { signal: controller.signal });
    await settle();
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    expect(fired).toEqual(['exec', 'call']);
  });

  it('does not begin anything when the signal has fired before', async () => {
    let began = false;
    const run = flowOf(() => {
      began = true;
    }).run({ n: 1 }, {}, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    expect(began).toBe(false);
  });

  it('does not begin the next step when the signal fired during this one', async () => {
    const controller = new AbortController();
    const steps: string[] = [];
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'step-started') steps.push(event.step);
    };
    const run = flowOf(() => controller.abort()).run({ n: 1 }, {}, { signal: controller.signal, onEvent });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    expect(steps).toEqual(['s']);
  });

  it('ends the wait for a retry, and is never retried or replaced by a fallback', async () => {
    const controller = new AbortController();
    let calls = 0;
    const step = defineStep<State>()({
      name: 's',
      exec: (): string => {
        calls += 1;
        throw new AskemaError('MODEL_UNAVAILABLE', 'busy', { retryable: true });
      },
      fallback: () => 'fallback',
      post: () => {},
      retry: { attempts: 3, delayMs: 60_000, when: () => true },
    });
    const run = createFlow<State>({ name: 'f' }).step(step, { default: end }).build();
    const ended = expect(run.run({ n: 1 }, {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await settle();
    controller.abort();
    await ended;
    expect(calls).toBe(1);
  });

  it('ends a batch, and stops its items from beginning', async () => {
    const controller = new AbortController();
    const begun: number[] = [];
    const batch = defineBatchStep<State>()({
      name: 'batch',
      prep: () => [1, 2, 3, 4],
      exec: (item) => {
        begun.push(item);
        return never();
      },
      post: () => {},
      concurrency: 2,
    });
    const flow = createFlow<State>({ name: 'f' }).step(batch, { default: end }).build();
    const run = flow.run({ n: 1 }, {}, { signal: controller.signal });
    await settle();
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    await settle();
    expect(begun).toEqual([1, 2]);
  });

  it('keeps the reason when the caller gives an error of Askema', async () => {
    const controller = new AbortController();
    const reason = new AskemaError('BUDGET_EXCEEDED', 'no money left');
    const run = flowOf(never).run({ n: 1 }, {}, { signal: controller.signal });
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
  });

  it('leaves a run that can be resumed', async () => {
    const controller = new AbortController();
    const journal = memoryJournal();
    let blocked = true;
    const flow = flowOf(() => (blocked ? never() : 1));
    const run = flow.run({ n: 1 }, {}, { signal: controller.signal, journal, runId: 'r' });
    await settle();
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    blocked = false;
    await expect(flow.resume('r', {}, { journal })).resolves.toMatchObject({ status: 'finished' });
  });

  it('lets go of the signal when the run is over', async () => {
    const controller = new AbortController();
    const listeners = new Set<unknown>();
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[1]);
      remove(...args);
    };
    await flowOf((context) => context.signal.aborted).run({ n: 1 }, {}, { signal });
    expect(listeners.size).toBe(0);
  });
});
