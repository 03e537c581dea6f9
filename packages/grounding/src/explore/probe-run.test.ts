import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExplorationOptions } from './exploration-limits.ts';
import { EXPLORATION_PRESETS, explorationLimits } from './exploration-limits.ts';
import { type ProbeRules, probeRules } from './next-action.ts';
import type { Probe, ProbeFailure } from './probe-run.ts';
import { type ProbeHost, runProbes } from './run-probes.ts';
import { memoryDialect } from './test-support/memory-database.ts';

const probes = (...statements: readonly string[]): readonly Probe[] =>
  statements.map((sql) => ({ sql, purpose: `of ${sql}` }));
const fails = (errorClass: ProbeFailure['errorClass'], message = errorClass as string, name?: string) =>
  ({ type: 'failed', failure: { message, errorClass, name } }) as const;
const result = (view = 'x\n1') => ({ type: 'result', view, rowCount: 1 }) as const;
const rules = (options: ExplorationOptions = {}): ProbeRules => probeRules(explorationLimits(options), memoryDialect);

/** Runs with a script: what each statement gives, and what the model answers in turn. */
async function run(
  queue: readonly Probe[],
  outcomeOf: (sql: string) => ReturnType<typeof fails> | ReturnType<typeof result>,
  script: {
    readonly options?: ExplorationOptions;
    readonly corrections?: readonly string[];
    readonly revise?: (queue: readonly Probe[]) => readonly Probe[] | undefined;
    readonly more?: Partial<ProbeHost>;
  } = {},
) {
  const log: string[] = [];
  const corrections = [...(script.corrections ?? [])];
  const done = await runProbes(queue, rules(script.options), {
    execute: async ({ sql }) => {
      log.push(`run ${sql}`);
      return outcomeOf(sql);
    },
    correct: async ({ failure }) => {
      const sql = corrections.shift();
      log.push(`correct ${failure.errorClass}`);
      return { type: 'corrected', sql, calls: 1 };
    },
    revise: async ({ queue: rest }) => {
      log.push(`revise ${rest.length}`);
      return { type: 'revised', probes: script.revise?.(rest), calls: 1 };
    },
    ...script.more,
  });
  return { ...done, log };
}

describe('Algorithm 1', () => {
  it('runs the queue in its order, repetitions left out', async () => {
    const { log, reason, findings } = await run(probes('a', 'b', ' a ', '', 'c'), (sql) => result(`view of ${sql}`));
    expect(log).toEqual(['run a', 'run b', 'run c']);
    expect(reason).toBe('done');
    expect(findings.map(({ view }) => view)).toEqual(['view of a', 'view of b', 'view of c']);
  });

  it('asks for corrections, and carries one that runs over to the rest of the queue', async () => {
    const { log, findings, counts } = await run(
      probes('bad 1', 'bad 2', 'bad 3'),
      (sql) => (sql.startsWith('bad') ? fails('syntax') : result()),
      {
        corrections: ['bad again', 'good 1'],
        revise: (rest) => rest.map(({ sql, purpose }) => ({ purpose, sql: sql.replace('bad', 'good') })),
      },
    );
    expect(log).toEqual([
      'run bad 1',
      'correct syntax',
      'run bad again',
      'correct syntax',
      'run good 1',
      'revise 2',
      'run good 2',
      'run good 3',
    ]);
    expect(findings[0]).toMatchObject({ sql: 'good 1', correctedFrom: 'bad 1', view: 'x\n1' });
    expect(counts).toMatchObject({ executions: 5, modelCalls: 3, corrections: 2, revisions: 1, revisionsTaken: 1 });
  });

  it('takes a revised queue only when at least half of it came back', async () => {
    const revise = (keep: number) => (rest: readonly Probe[]) =>
      rest.slice(0, keep).map((probe) => ({ ...probe, sql: `new ${probe.sql}` }));
    const outcome = (sql: string) => (sql === 'bad' ? fails('syntax') : result());
    const queue = probes('bad', 'b', 'c', 'd', 'e');
    const half = await run(queue, outcome, { corrections: ['good'], revise: revise(2) });
    expect(half.log.slice(4)).toEqual(['run new b', 'run new c']);
    const less = await run(queue, outcome, { corrections: ['good'], revise: revise(1) });
    expect(less.log.slice(4)).toEqual(['run b', 'run c', 'run d', 'run e']);
    const nothing = await run(queue, outcome, { corrections: ['good'], revise: () => undefined });
    expect(nothing.counts.revisionsTaken).toBe(0);
  });

  it.each([
    ['permission', 0],
    ['empty', 1],
    ['timeout', 1],
    ['syntax', 3],
    ['other', 3],
  ] as const)('asks for corrections of %s at most %i times', async (errorClass, times) => {
    const { log } = await run(probes('a'), (sql) => fails(errorClass, `about ${sql}`), {
      corrections: ['b', 'c', 'd', 'e'],
    });
    expect(log.filter((line) => line.startsWith('correct'))).toHaveLength(times);
    const always = await run(probes('a'), (sql) => fails(errorClass, `about ${sql}`), {
      corrections: ['b', 'c', 'd', 'e'],
      options: { preset: 'v5' },
    });
    expect(always.log.filter((line) => line.startsWith('correct'))).toHaveLength(3);
  });

  it('keeps an empty result as knowledge, also when a wider statement found something', async () => {
    const outcome = (sql: string) => (sql === 'narrow' ? fails('empty') : result('found'));
    const widened = await run(probes('narrow', 'next'), outcome, { corrections: ['wide'] });
    expect(widened.findings).toMatchObject([
      { sql: 'narrow', view: '(no rows)', errorClass: 'empty' },
      { sql: 'wide', correctedFrom: 'narrow', view: 'found' },
      { sql: 'next' },
    ]);
    // An empty result is no mistake that others could repeat.
    expect(widened.log).not.toContain('revise 1');
    const kept = await run(probes('narrow'), outcome, { corrections: [''] });
    expect(kept.findings).toEqual([{ purpose: 'of narrow', sql: 'narrow', view: '(no rows)', errorClass: 'empty' }]);
  });

  it('takes no row for the answer where a probe looks for exceptions, and goes on', async () => {
    const exceptions = probes('a', 'b', 'c', 'd', 'e').map((probe) => ({ ...probe, looksFor: 'exceptions' as const }));
    const { log, findings } = await run(exceptions, () => fails('empty'), { corrections: ['wide'] });
    expect(log).toEqual(['run a', 'run b', 'run c', 'run d', 'run e']);
    expect(findings).toHaveLength(5);
    expect(findings[0]).toMatchObject({ sql: 'a', view: '(no rows)', errorClass: 'empty' });
    const always = await run(exceptions, () => fails('empty'), { corrections: [''], options: { preset: 'paper' } });
    expect(always.log).toEqual(log);
  });

  it('gives up when the model repeats itself, or the engine says the same again', async () => {
    const same = await run(probes('a'), () => fails('syntax'), { corrections: ['a', 'b', 'c'] });
    expect(same.log).toEqual(['run a', 'correct syntax']);
    const again = await run(probes('a'), () => fails('syntax'), { corrections: ['b', 'c', 'd'] });
    expect(again.log).toEqual(['run a', 'correct syntax', 'run b', 'correct syntax', 'run c']);
  });

  it('puts a name right without the model, in the rest of the queue too', async () => {
    const fix = { from: 'nmae', to: 'name', relation: 't' };
    const { log, counts, findings } = await run(
      probes('SELECT nmae FROM t', "SELECT 'nmae', t.nmae FROM t", 'SELECT nmae FROM other'),
      () => result(),
      {
        more: {
          execute: async ({ sql }) =>
            sql === 'SELECT nmae FROM t' ? { ...fails('identifier', 'no nmae', 'nmae'), fix } : result(sql),
        },
      },
    );
    expect(findings.map(({ sql }) => sql)).toEqual([
      'SELECT name FROM t',
      "SELECT 'nmae', t.name FROM t",
      'SELECT nmae FROM other',
    ]);
    expect(counts).toMatchObject({ modelCalls: 0, nameFixes: 1, propagated: 1 });
    expect(log).toEqual([]);
  });

  it('revises the queue only where the name that was wrong occurs', async () => {
    const outcome = (sql: string) => (sql.includes('FOO(x)') ? fails('function', 'no FOO', 'FOO') : result());
    const script = { corrections: ['SELECT BAR(x) FROM t'] };
    const used = await run(probes('SELECT FOO(x) FROM t', 'SELECT foo(y) FROM t'), outcome, script);
    expect(used.log).toContain('revise 1');
    const unused = await run(probes('SELECT FOO(x) FROM t', "SELECT 'FOO' FROM t"), outcome, script);
    expect(unused.log).not.toContain('revise 1');
  });

  it('stops after failures in a row, enough results, bytes, calls, time, or when told', async () => {
    const many = probes(...Array.from({ length: 40 }, (_, n) => `s${n}`));
    const failures = await run(many, () => fails('permission'));
    expect(failures).toMatchObject({ reason: 'failures', outcomes: [false, false, false, false] });
    const results = await run(many, () => result(), { options: { maxProbes: 40, maxResults: 5 } });
    expect(results).toMatchObject({ reason: 'results', counts: { executions: 5 } });
    const bytes = await run(many, () => result('ä'.repeat(300)), { options: { maxBytes: 1_000 } });
    expect(bytes.reason).toBe('bytes');
    expect(bytes.findings.reduce((sum, { view = '' }) => sum + Buffer.byteLength(view), 0)).toBe(1_000);
    const calls = await run(many, (sql) => fails('syntax', sql), {
      options: { maxModelCalls: 2, maxFailuresInARow: 99 },
      corrections: many.map(({ sql }) => `${sql}'`),
    });
    expect(calls.counts.modelCalls).toBe(2);
    expect(calls.reason).toBe('done');
    let now = 0;
    const clock = { now: () => (now += 1_000) };
    const time = await run(many, () => result(), { options: { maxMs: 4_500 }, more: { clock } });
    // Each statement takes a second; the fifth begins after four of them.
    expect(time).toMatchObject({ reason: 'time', counts: { executions: 5 } });
    const stopped = await run(many, () => result(), { more: { isStopped: () => true } });
    expect(stopped).toMatchObject({ reason: 'stopped', counts: { executions: 0 } });
  });

  it('keeps what a probe found when the time ends in the middle of its corrections', async () => {
    let now = 0;
    const clock = { now: () => now };
    const done = await run(probes('narrow'), () => fails('empty'), {
      options: { maxMs: 10 },
      more: {
        clock,
        execute: async () => {
          now = 20;
          return fails('empty');
        },
      },
    });
    expect(done).toMatchObject({ reason: 'time', findings: [{ sql: 'narrow', view: '(no rows)' }] });
  });

  it('does not count the time that a model takes', async () => {
    let now = 0;
    const done = await run(probes('bad', 'b', 'c'), (sql) => (sql === 'bad' ? fails('syntax') : result()), {
      options: { maxMs: 1_000 },
      more: {
        clock: { now: () => now },
        correct: async () => {
          now += 600_000;
          return { type: 'corrected', sql: 'a', calls: 1 };
        },
      },
    });
    expect(done).toMatchObject({ reason: 'done', findings: [{ sql: 'a' }, { sql: 'b' }, { sql: 'c' }] });
  });

  it('does not run what is no probe, and asks nobody about it', async () => {
    const done = await run(probes('DROP TABLE x'), () => result(), {
      more: { execute: async () => ({ type: 'refused', reason: 'It begins with DROP.' }) },
    });
    expect(done).toMatchObject({
      counts: { executions: 0, modelCalls: 0 },
      findings: [{ error: 'It begins with DROP.' }],
    });
  });

  it('ends whatever happens, within its calls, with one outcome a probe', async () => {
    const classes = ['identifier', 'syntax', 'function', 'type', 'permission', 'timeout', 'empty', 'other'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 25 }),
        fc.infiniteStream(fc.oneof(fc.constant('ok' as const), fc.constantFrom(...classes))),
        fc.infiniteStream(fc.option(fc.integer({ min: 0, max: 50 }))),
        fc.constantFrom('askema' as const, 'paper' as const, 'v5' as const),
        async (numbers, outcomes, answers, preset) => {
          const queue = probes(...numbers.map((n) => `SELECT ${n}`));
          const next = <T>(stream: Iterator<T>): T => stream.next().value as T;
          const corrections = { shift: () => next(answers) };
          const done = await runProbes(queue, rules({ preset, maxModelCalls: 9 }), {
            execute: async () => {
              const outcome = next(outcomes);
              return outcome === 'ok' ? result() : fails(outcome, `${outcome} ${next(answers)}`);
            },
            correct: async () => {
              const answer = corrections.shift();
              return { type: 'corrected', sql: answer === null ? undefined : `SELECT c${answer}`, calls: 1 };
            },
            revise: async ({ queue: rest }) => ({ type: 'revised', probes: rest.slice(next(answers) ?? 0), calls: 1 }),
          });
          expect(done.current).toBeUndefined();
          expect(done.counts.modelCalls).toBeLessThanOrEqual(9);
          expect(done.findings.length).toBeGreaterThanOrEqual(done.outcomes.length);
          const distinct = new Set(numbers).size;
          expect(done.outcomes.length).toBeLessThanOrEqual(distinct);
          expect(done.counts.executions).toBeLessThanOrEqual(4 * distinct);
          if (
            done.reason === 'done' &&
            done.counts.revisionsTaken === 0 &&
            distinct <= EXPLORATION_PRESETS[preset].maxProbes
          )
            expect(done.outcomes).toHaveLength(distinct);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('limits', () => {
  it('take a preset and what differs, and refuse nonsense', () => {
    expect(explorationLimits()).toEqual(EXPLORATION_PRESETS.askema);
    expect(explorationLimits({ preset: 'v5', maxProbes: 4, maxMs: undefined })).toMatchObject({
      maxProbes: 4,
      viewBytes: 500,
    });
    expect(() => explorationLimits({ maxProbes: -1 })).toThrow(/maxProbes/);
    expect(() => explorationLimits({ preset: 'v6' as never })).toThrow(/'askema', 'paper' or 'v5'/);
    expect(() => explorationLimits({ repair: 'never' as never })).toThrow(/repair/);
  });
});
