import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { killedChild, type Place } from './fixtures/killed-child.ts';

const { place, run } = killedChild(new URL('./fixtures/ask-in-child.ts', import.meta.url));

/** The child says `gate`, or the outcome as JSON. */
const ask = (scenario: string, { journal, calls }: Place, mode: 'gate' | 'second-call' | 'through'): Promise<string> =>
  run(scenario, journal, calls, mode);

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

describe('killed with -9', () => {
  it.each([
    // get-schema, generate-sql, then three times execute-sql with debug-sql in between, weigh-readings.
    ['plain', 8],
    // get-schema, think, explore, think, execute-sql, report-failure, think, execute-sql, weigh-readings.
    ['react', 9],
  ])(
    'after each step in turn, %s repeats no finished model call and gives the same answer',
    async (flow, steps) => {
      const undisturbed = place();
      const expected = await ask(flow, undisturbed, 'through');
      expect(JSON.parse(expected)).toMatchObject({ type: 'answered', sql: 'SELECT good', calls: 3 });
      expect(linesOf(undisturbed.calls)).toHaveLength(3);

      const killed = place();
      let kills = 0;
      while ((await ask(flow, killed, 'gate')) === 'gate') kills += 1;
      expect(kills).toBe(steps);
      expect(await ask(flow, killed, 'through')).toBe(expected);
      expect(linesOf(killed.calls)).toEqual(linesOf(undisturbed.calls));
    },
    60_000,
  );

  it('after each step in turn, refine repeats no finished model call and gives the same answer', async () => {
    const undisturbed = place();
    const expected = await ask('refine', undisturbed, 'through');
    // The format, then explore, write and review in each thread, and once more write in the first.
    expect(JSON.parse(expected)).toMatchObject({ type: 'answered', sql: 'SELECT good', calls: 8 });
    const killed = place();
    let kills = 0;
    while ((await ask('refine', killed, 'gate')) === 'gate') kills += 1;
    // get-schema, take-choice, expect-format, profile-columns; 6 and 4 steps of the threads; vote, weigh-readings.
    expect(kills).toBe(16);
    expect(await ask('refine', killed, 'through')).toBe(expected);
    expect(linesOf(killed.calls)).toEqual(linesOf(undisturbed.calls));
  }, 120_000);

  it('after each step in turn, inspect repeats no finished model call and gives the same answer', async () => {
    const undisturbed = place();
    const expected = await ask('inspect', undisturbed, 'through');
    // The sequence, its sub-question, and a revision for the error of the database.
    expect(JSON.parse(expected)).toMatchObject({ type: 'answered', calls: 3, inspection: { iterations: 1 } });
    const killed = place();
    let kills = 0;
    while ((await ask('inspect', killed, 'gate')) === 'gate') kills += 1;
    // get-schema, generate-actions; twice answer-sub-questions, inspect-actions, connect-conditions, execute-sql;
    // report-engine-error and revise-actions in between; weigh-readings.
    expect(kills).toBe(13);
    expect(await ask('inspect', killed, 'through')).toBe(expected);
    expect(linesOf(killed.calls)).toEqual(linesOf(undisturbed.calls));
  }, 180_000);

  it('in the middle of a step, a model call that was finished before is not repeated', async () => {
    const undisturbed = place();
    const expected = await ask('stubborn', undisturbed, 'through');
    expect(JSON.parse(expected)).toMatchObject({ type: 'answered', sql: 'SELECT good', calls: 2 });

    const killed = place();
    expect(await ask('stubborn', killed, 'second-call')).toBe('gate');
    expect(linesOf(killed.calls)).toHaveLength(1);
    expect(await ask('stubborn', killed, 'through')).toBe(expected);
    expect(linesOf(killed.calls)).toEqual(linesOf(undisturbed.calls));
  }, 60_000);
});
