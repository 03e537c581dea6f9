import { describe, expect, it } from 'vitest';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import { end } from './routes.ts';

interface State {
  trail: string[];
}
const mark = <const Name extends string, const Action extends string = 'default'>(
  name: Name,
  ...actions: readonly Action[]
) =>
  defineStep<State>()({
    name,
    actions: actions.length === 0 ? (['default'] as unknown as readonly Action[]) : actions,
    exec: () => 1,
    post: (state) => {
      state.trail.push(name);
      return (actions[0] ?? 'default') as never;
    },
  });
const run = async (flow: {
  run: (state: State, deps: unknown) => Promise<{ state: State; status: string; action?: string }>;
}) => {
  const result = await flow.run({ trail: [] }, {});
  return `${result.state.trail.join(' ')} → ${result.action}`;
};

/** write → execute; a failure is repaired and executed again. */
const pipeline = createFlow<State>({ name: 'ask' })
  .step(mark('write'), { default: 'execute' })
  .step(mark('execute', 'done', 'failed'), { done: end, failed: 'repair' })
  .step(mark('repair'), { default: 'execute' })
  .build();

describe('recomposing a flow', () => {
  it('leaves the flow it was called on as it is', async () => {
    pipeline.replace('write', mark('draft')).without('repair').before('write', mark('link')).with({ version: 9 });
    expect(await run(pipeline)).toBe('write execute → done');
    expect(pipeline.version).toBe(1);
    expect([...pipeline.graph.nodes.keys()]).toEqual(['write', 'execute', 'repair']);
  });

  it('replaces a step, which keeps its name in the flow', async () => {
    const flow = pipeline.replace('write', mark('draft'));
    expect(await run(flow)).toBe('draft execute → done');
    expect(Object.keys(flow.steps)).toContain('write');
    const tweaked = pipeline.replace('execute', { ...pipeline.steps.execute, post: () => 'done' });
    expect(await run(tweaked)).toBe('write → done');
  });

  it('replaces a step by one with routes of its own', async () => {
    const flow = pipeline.replace('write', mark('draft', 'unclear', 'clear'), { unclear: end, clear: 'execute' });
    expect(await run(flow)).toBe('draft → unclear');
  });

  it('leaves steps out, in the middle and at the start', async () => {
    expect(await run(pipeline.without('write'))).toBe('execute → done');
    const failing = pipeline.replace('execute', mark('execute', 'failed', 'done'), { failed: 'repair', done: end });
    const direct = failing.reroute('repair', { default: end('repaired') });
    expect(await run(direct)).toBe('write execute repair → repaired');
    // What led to `repair` now ends as `repair` did: with `repaired`, not with the action that led there.
    expect(await run(direct.without('repair'))).toBe('write execute → repaired');
  });

  it('keeps the action of a bare end when the step before it is left out', async () => {
    const flow = createFlow<State>({ name: 'f' })
      .step(mark('a', 'x'), { x: 'b' })
      .step(mark('b', 'y'), { y: end })
      .build();
    expect(await run(flow)).toBe('a b → y');
    expect(await run(flow.without('b'))).toBe('a → y');
    expect(await run(flow.after('b', mark('c')))).toBe('a b c → y');
  });

  it('inserts before a step on all ways that lead there', async () => {
    let failures = 1;
    const execute = {
      ...pipeline.steps.execute,
      post: (state: State) => {
        state.trail.push('execute');
        failures -= 1;
        return failures === 0 ? ('failed' as const) : ('done' as const);
      },
    };
    const flow = pipeline.replace('execute', execute).before('execute', mark('log'));
    expect(await run(flow)).toBe('write log execute repair log execute → done');
    expect(await run(pipeline.before('write', mark('link')))).toBe('link write execute → done');
    const guarded = pipeline.before('execute', mark('guard', 'no', 'yes'), { no: end('refused'), yes: 'execute' });
    expect(await run(guarded)).toBe('write guard → refused');
  });

  it('inserts after a step on the one way that is named', async () => {
    expect(await run(pipeline.after('execute', mark('check'), 'done'))).toBe('write execute check → done');
    expect(await run(pipeline.after('execute', mark('check'), 'failed'))).toBe('write execute → done');
    expect(await run(pipeline.after('write', mark('check')))).toBe('write check execute → done');
  });

  it('replaces an inner flow', async () => {
    const other = pipeline.with({ name: 'other' }).replace('write', mark('draft'));
    const outer = createFlow<State>({ name: 'outer' }).flow('ask', pipeline, { done: end }).build();
    expect(await run(outer)).toBe('write execute → done');
    expect(await run(outer.replaceFlow('ask', other))).toBe('draft execute → done');
    expect(await run(outer.replaceFlow('ask', outer.steps.ask.without('write')))).toBe('execute → done');
  });

  it('works on a parallel flow as on any step', async () => {
    const outer = createFlow<State>({ name: 'outer' })
      .parallel(
        'threads',
        pipeline,
        { default: 'vote' },
        {
          enter: () => [{ trail: [] }, { trail: [] }],
          leave: (state, ended) => void state.trail.push(ended.map((item) => item.state.trail.join('+')).join('|')),
        },
      )
      .step(mark('vote'), { default: end })
      .build();
    expect(await run(outer)).toBe('write+execute|write+execute vote → default');
    expect(await run(outer.before('threads', mark('link')).after('threads', mark('sort')))).toBe(
      'link write+execute|write+execute sort vote → default',
    );
    expect(await run(outer.without('threads'))).toBe('vote → default');
    expect(await run(outer.replace('threads', mark('once')))).toBe('once vote → default');
    expect(await run(outer.without('vote').reroute('threads', { default: end('unvoted') }))).toBe(
      'write+execute|write+execute → unvoted',
    );
    const short = outer.replaceFlow('threads', outer.steps.threads.flow.without('write'));
    expect(await run(short)).toBe('execute|execute vote → default');
    expect(await run(short.replaceFlow('threads', pipeline))).toBe(await run(outer));
    const first = short.replace('threads', { ...short.steps.threads, concurrency: 1, enough: () => true });
    expect(await run(first)).toBe('execute| vote → default');
    expect(outer.graph.hash()).not.toBe(short.graph.hash());
    expect(first.graph.hash()).toBe(short.graph.hash());
    expect(() => outer.replace('threads', { ...outer.steps.threads, concurrency: 0 })).toThrow(
      'Step `threads` has concurrency 0; it is a whole number from 1, or Infinity.',
    );
  });

  it.each([
    [
      'a step that is not there',
      () => pipeline.without('repiar' as 'repair'),
      /no step `repiar`\. Did you mean `repair`/,
    ],
    ['a name that is taken', () => pipeline.before('execute', mark('write')), /two steps named `write`/],
    [
      'a step that nothing leads to any more',
      () => pipeline.replace('execute', mark('execute', 'done')),
      /never reaches `repair`/,
    ],
    ['a loop by which a step cannot be left', () => loop.without('a', 'again'), /leads back to it/],
    ['the only step', () => loop.without('a', 'done'), /would end before its first step/],
    [
      'an action that is none',
      () => pipeline.after('execute', mark('x'), 'finished' as 'done'),
      /`finished` is no action of step `execute` \(done, failed\)/,
    ],
    [
      'several actions and none named',
      () => (pipeline.after as (name: string, step: object) => unknown)('execute', mark('x')),
      /several actions; name the one that is meant: done, failed/,
    ],
  ] as const)('refuses %s', (_what, change, message) => {
    expect(change).toThrowError(expect.objectContaining({ code: 'FLOW_INVALID' }));
    expect(change).toThrow(message);
  });
});

const loop = createFlow<State>({ name: 'loop' })
  .step(mark('a', 'again', 'done'), { again: 'a', done: end })
  .build();
