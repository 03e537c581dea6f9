import { describe, expect, it } from 'vitest';
import type { CallContext } from '../context/call-context.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import type { RetryPolicy, StepContext } from './step.ts';
import { deferred, settle } from './test-support/deferred.ts';

interface State {
  result?: unknown;
}

function flowOf(exec: (context: StepContext) => unknown, retry?: RetryPolicy) {
  const step = defineStep<State>()({
    name: 's',
    exec: (_input, context) => exec(context),
    post: (state, _input, result) => {
      state.result = result;
    },
    retry,
  });
  return createFlow<State>({ name: 'f' }).step(step, { default: end }).build();
}

/** Runs a flow whose exec crashes at its end, then resumes it: what does the second pass call again? */
async function crashAndResume(
  body: (context: StepContext, call: (name: string, context?: CallContext) => Promise<string>) => Promise<unknown>,
): Promise<{
  readonly first: string[];
  readonly second: string[];
  readonly result: unknown;
  readonly values: unknown[];
}> {
  const journal = memoryJournal();
  const calls: string[][] = [[], []];
  const values: unknown[] = [];
  let pass = 0;
  const flow = flowOf(async (context) => {
    const mine = calls[pass] ?? [];
    const value = await body(context, async (name) => {
      mine.push(name);
      return `${name} of pass ${pass}`;
    });
    values.push(value);
    if (pass === 0) throw new AskemaError('DATABASE_UNAVAILABLE', 'the crash', { retryable: true });
    return value;
  });
  await expect(flow.run({}, {}, { journal, runId: 'r' })).rejects.toThrow('the crash');
  pass = 1;
  const result = await flow.resume('r', {}, { journal });
  return { first: calls[0] ?? [], second: calls[1] ?? [], result: result.state.result, values };
}

const paths = async (journal: Journal, kind: string): Promise<string[]> =>
  (await journal.read('r')).filter((entry) => entry.kind === kind).map((entry) => entry.path);

describe('memo', () => {
  it('does not call again in a resumed run', async () => {
    const { first, second, result } = await crashAndResume(async (context, call) => [
      await context.memo('a', () => call('a')),
      await context.memo('b', () => call('b')),
    ]);
    expect(first).toEqual(['a', 'b']);
    expect(second).toEqual([]);
    expect(result).toEqual(['a of pass 0', 'b of pass 0']);
  });

  it('works without a journal, under the same paths', async () => {
    const seen: string[] = [];
    const run = (journal?: Journal) =>
      flowOf((context) =>
        context.memo('a/b', async (outer) => {
          seen.push(outer.path);
          return outer.memo?.('c', async (inner) => seen.push(inner.path, inner.idempotencyKey));
        }),
      ).run({}, {}, { journal, runId: 'r' });
    await run();
    const without = [...seen];
    seen.length = 0;
    await run(memoryJournal());
    expect(seen).toEqual(without);
    expect(seen).toEqual(['f@1/s#1/a%2Fb#1', 'f@1/s#1/a%2Fb#1/c#1', 'r/f@1/s#1/a%2Fb#1/c#1']);
  });

  it('numbers concurrent calls of one name in the order in which they are made', async () => {
    const journal = memoryJournal();
    const gates = [deferred(), deferred(), deferred()];
    const flow = flowOf((context) =>
      Promise.all(gates.map((gate, index) => context.memo('x', () => gate.promise.then(() => index)))),
    );
    const run = flow.run({}, {}, { journal, runId: 'r' });
    for (const index of [2, 0, 1]) {
      await settle();
      gates[index]?.resolve();
    }
    expect((await run).state.result).toEqual([0, 1, 2]);
    expect(await paths(journal, 'call')).toEqual(['f@1/s#1/x#3', 'f@1/s#1/x#1', 'f@1/s#1/x#2']);
  });

  it('gives concurrent branches their own results again, whichever was quicker', async () => {
    // Two branches of two calls each, all four of two names. The second branch is quicker, so its second call is made
    // first.
    const slow = deferred();
    const branch = async (
      context: StepContext,
      name: string,
      call: (name: string) => Promise<string>,
      wait?: boolean,
    ) => {
      const one = await context.memo('one', async () => {
        if (wait) await slow.promise;
        return call(`${name}.one`);
      });
      // The quick branch does more in between, and still comes first again.
      for (let hop = 0; !wait && hop < 20; hop += 1) await Promise.resolve();
      const two = await context.memo('two', () => call(`${name}.two`));
      return `${one}, ${two}`;
    };
    const { second, result, values } = await crashAndResume(async (context, call) => {
      const both = Promise.all([branch(context, 'slow', call, true), branch(context, 'quick', call)]);
      await settle();
      slow.resolve();
      return both;
    });
    expect(second).toEqual([]);
    expect(result).toEqual(values[0]);
    expect(result).toEqual(['slow.one of pass 0, slow.two of pass 0', 'quick.one of pass 0, quick.two of pass 0']);
  });

  it('numbers calls inside a call below it', async () => {
    const journal = memoryJournal();
    const flow = flowOf((context) =>
      Promise.all(
        [1, 2].map((sample) =>
          context.memo('sample', async (inner) => {
            await inner.memo?.('model', async () => sample);
            return inner.memo?.('model', async () => sample * 10);
          }),
        ),
      ),
    );
    expect((await flow.run({}, {}, { journal, runId: 'r' })).state.result).toEqual([10, 20]);
    expect((await paths(journal, 'call')).sort()).toEqual(
      ['sample#1', 'sample#1/model#1', 'sample#1/model#2', 'sample#2', 'sample#2/model#1', 'sample#2/model#2'].map(
        (path) => `f@1/s#1/${path}`,
      ),
    );
  });

  it('gives a recorded result only to the same key', async () => {
    let prompt = 'old prompt';
    const { first, second, result } = await crashAndResume(async (context, call) => {
      const kept = await context.memo('model', () => call('kept'), { key: 'same' });
      const asked = await context.memo('model', () => call(prompt), { key: prompt });
      prompt = 'new prompt';
      return [kept, asked];
    });
    expect(first).toEqual(['kept', 'old prompt']);
    expect(second).toEqual(['new prompt']);
    expect(result).toEqual(['kept of pass 0', 'new prompt of pass 1']);
  });

  it('does not record a call that rejects', async () => {
    const journal = memoryJournal();
    const flow = flowOf((context) => context.memo('a', () => Promise.reject(new Error('no'))).catch(() => 'caught'));
    expect((await flow.run({}, {}, { journal, runId: 'r' })).state.result).toBe('caught');
    expect(await paths(journal, 'call')).toEqual([]);
  });

  it('refuses a result that no journal can hold, and says where', async () => {
    const run = flowOf((context) => context.memo('a', async () => new Date(0))).run(
      {},
      {},
      { journal: memoryJournal() },
    );
    await expect(run).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/memo call `f@1\/s#1\/a#1` cannot be journaled\. A Date/),
    });
  });
});

describe('memo and retries, with and without a journal', () => {
  const journals: [string, () => Journal | undefined][] = [
    ['with', memoryJournal],
    ['without', () => undefined],
  ];

  it.each(journals)('%s a journal keeps finished calls when another call failed', async (_name, makeJournal) => {
    const calls: string[] = [];
    const flow = flowOf(
      async (context) => {
        const a = await context.memo('a', async () => calls.push('a'));
        await context.memo('b', async () => {
          calls.push('b');
          if (calls.length < 3) throw new AskemaError('MODEL_AUTHENTICATION', 'no');
        });
        return a;
      },
      { attempts: 2, when: () => true },
    );
    expect((await flow.run({}, {}, { journal: makeJournal() })).state.result).toBe(1);
    expect(calls).toEqual(['a', 'b', 'b']);
  });

  it.each(journals)('%s a journal keeps them when the error is retryable', async (_name, makeJournal) => {
    const calls: string[] = [];
    const flow = flowOf(
      async (context) => {
        await context.memo('a', async () => calls.push('a'));
        if (context.attempt === 1) throw new AskemaError('DATABASE_UNAVAILABLE', 'no', { retryable: true });
      },
      { attempts: 2 },
    );
    await flow.run({}, {}, { journal: makeJournal() });
    expect(calls).toEqual(['a']);
  });

  it.each(journals)(
    '%s a journal calls anew when exec itself failed, under another key',
    async (_name, makeJournal) => {
      const keys: string[] = [];
      const flow = flowOf(
        async (context) => {
          const answer = await context.memo('model', async (inner) => keys.push(inner.idempotencyKey));
          if (answer === 1) throw new AskemaError('MODEL_OUTPUT_INVALID', 'nonsense');
          return answer;
        },
        { attempts: 2, when: () => true },
      );
      expect((await flow.run({}, {}, { journal: makeJournal(), runId: 'r' })).state.result).toBe(2);
      expect(keys).toEqual(['r/f@1/s#1/model#1', 'r/f@1/s#1/model#1~2']);
    },
  );

  it.each(journals)('%s a journal renews only the call whose fault it was', async (_name, makeJournal) => {
    const calls: string[] = [];
    const flow = flowOf(
      async (context) => {
        await context.memo('first', async () => calls.push('first'));
        return context.memo('solve', async (inner) => {
          const answers = await inner.memo?.('model', async () => calls.push('model'));
          if (calls.filter((call) => call === 'model').length < 2) throw new AskemaError('MODEL_OUTPUT_INVALID', 'no');
          return answers;
        });
      },
      { attempts: 2, when: () => true },
    );
    await flow.run({}, {}, { journal: makeJournal() });
    expect(calls).toEqual(['first', 'model', 'model']);
  });

  it('remembers across a resume what has to be called anew', async () => {
    const journal = memoryJournal();
    const answers: number[] = [];
    const flow = flowOf(async (context) => {
      const answer = await context.memo('model', async () => answers.push(1));
      if (answer === 1) throw new AskemaError('MODEL_OUTPUT_INVALID', 'nonsense');
      return answer;
    });
    await expect(flow.run({}, {}, { journal, runId: 'r' })).rejects.toThrow('nonsense');
    await expect(flow.resume('r', {}, { journal })).resolves.toMatchObject({ state: { result: 2 } });
  });
});
