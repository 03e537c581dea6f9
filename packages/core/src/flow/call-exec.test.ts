import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { RunEvent } from '../events/run-event.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import type { RetryPolicy, StepContext } from './step.ts';
import { testRuntime } from './test-support/test-runtime.ts';

interface State {
  result?: unknown;
}
const transient = (message: string, retryAfterMs?: number) =>
  new AskemaError('MODEL_UNAVAILABLE', message, { retryable: true, details: { retryAfterMs } });

function flowOf(
  exec: (context: StepContext) => unknown,
  retry?: RetryPolicy,
  fallback?: (error: AskemaError, context: StepContext) => unknown,
) {
  const step = defineStep<State>()({
    name: 's',
    exec: (_input, context) => exec(context),
    fallback: fallback && ((_input, error, context) => fallback(error, context)),
    post: (state, _input, result) => {
      state.result = result;
    },
    retry,
  });
  return createFlow<State>({ name: 'f' }).step(step, { default: end }).build();
}

describe('retry', () => {
  it('tries again after a growing delay, and passes the attempt to exec', async () => {
    const runtime = testRuntime();
    const attempts: number[] = [];
    const flow = flowOf(
      (context) => {
        attempts.push(context.attempt);
        if (attempts.length < 4) throw transient('busy');
        return 'done';
      },
      { attempts: 4, delayMs: 100, factor: 3 },
    );
    await expect(flow.run({}, {}, { runtime })).resolves.toMatchObject({ state: { result: 'done' } });
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(runtime.slept).toEqual([100, 300, 900]);
  });

  it('waits as long as the vendor asks', async () => {
    const runtime = testRuntime();
    let calls = 0;
    const exec = () => {
      calls += 1;
      if (calls === 1) throw transient('busy', 5_000);
      return calls;
    };
    await flowOf(exec, { attempts: 2, delayMs: 100 }).run({}, {}, { runtime });
    expect(runtime.slept).toEqual([5_000]);
  });

  it('gives up with the last error, as it was thrown', async () => {
    let calls = 0;
    const errors = [transient('first'), transient('second')];
    const exec = () => {
      throw errors[calls++];
    };
    await expect(flowOf(exec, { attempts: 2 }).run({}, {})).rejects.toBe(errors[1]);
    expect(calls).toBe(2);
  });

  it.each([
    ['an error that is not retryable', new AskemaError('MODEL_AUTHENTICATION', 'bad key')],
    ['a foreign error', new TypeError('bug')],
  ])('does not repeat %s', async (_what, error) => {
    let calls = 0;
    const exec = () => {
      calls += 1;
      throw error;
    };
    await expect(flowOf(exec, { attempts: 3 }).run({}, {})).rejects.toThrow(error.message);
    expect(calls).toBe(1);
  });

  it('lets `when` decide', async () => {
    let calls = 0;
    const exec = () => {
      calls += 1;
      throw new TypeError(calls < 2 ? 'again' : 'stop');
    };
    const when = (error: AskemaError) => error.message.includes('again');
    await expect(flowOf(exec, { attempts: 9, when }).run({}, {})).rejects.toThrow('Step `s` failed in exec: stop');
    expect(calls).toBe(2);
  });

  it('uses the fallback when all attempts have failed', async () => {
    let calls = 0;
    const exec = () => {
      calls += 1;
      throw transient('busy');
    };
    const fallback = (error: AskemaError, context: StepContext) => `${error.message} at ${context.path}`;
    const result = await flowOf(exec, { attempts: 3 }, fallback).run({}, {});
    expect(calls).toBe(3);
    expect(result.state.result).toBe('busy at f@1/s#1/fallback');
  });

  it('tells listeners about each retry', async () => {
    const events: RunEvent[] = [];
    let calls = 0;
    const exec = () => {
      calls += 1;
      if (calls < 2) throw transient('busy');
      return calls;
    };
    await flowOf(exec, { attempts: 2, delayMs: 70 }).run(
      {},
      {},
      { runtime: testRuntime(), onEvent: (e) => events.push(e) },
    );
    expect(events.find((event) => event.type === 'step-retried')).toMatchObject({
      step: 's',
      attempt: 1,
      delayMs: 70,
      error: { code: 'MODEL_UNAVAILABLE' },
      path: 'f@1/s#1',
    });
  });
});

describe('the context of exec', () => {
  it('names the run, the place and what was passed', async () => {
    let seen: StepContext | undefined;
    const flow = flowOf((context) => {
      seen = { ...context };
    });
    await flow.run({}, { db: 1 }, { runId: 'r1', tags: { team: 'x' }, tenant: 't' });
    expect(seen).toMatchObject({
      runId: 'r1',
      path: 'f@1/s#1',
      idempotencyKey: 'r1/f@1/s#1',
      tags: { team: 'x' },
      tenant: 't',
      attempt: 1,
      deps: { db: 1 },
    });
    expect(seen?.signal).toBeInstanceOf(AbortSignal);
  });

  it('costs no encoding where there is no journal', async () => {
    let reads = 0;
    const input = {
      get big() {
        reads += 1;
        return 'data';
      },
    };
    const step = defineStep<State>()({ name: 's', prep: () => input, exec: (given) => given, post: () => {} });
    const flow = createFlow<State>({ name: 'f' }).step(step, { default: end }).build();
    await flow.run({}, {}, { onEvent: () => {} });
    expect(reads).toBe(0);
    await flow.run({}, {}, { journal: memoryJournal() });
    expect(reads).toBeGreaterThan(0);
  });

  it('is dead when exec is over', async () => {
    let kept: StepContext | undefined;
    await flowOf((context) => {
      kept = context;
      context.signal;
    }).run({}, {}, { journal: memoryJournal() });
    expect(kept?.signal.aborted).toBe(true);
    await expect(kept?.memo('late', async () => 1)).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(kept?.suspend('late')).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
