import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { killedChild, type Place } from '../fixtures/killed-child.ts';

const { place, run, start } = killedChild(new URL('../fixtures/converse-in-child.ts', import.meta.url));

/** The child says `gate`, or the turns as JSON. */
async function converse({ journal, calls }: Place, mode: 'gate' | 'through'): Promise<string> {
  // Ids of runs are random.
  return (await run(journal, calls, mode)).replaceAll(/conversation-[\da-f-]{36}/g, 'run');
}

it('killed with -9 behind each write in turn, it loses no turn and pays no model call twice', async () => {
  const undisturbed = place();
  const expected = await converse(undisturbed, 'through');
  expect(JSON.parse(expected)).toMatchObject([
    { turn: 1, answer: { type: 'answered' } },
    { turn: 2, understood: { kind: 'refine' }, answer: { type: 'answered' } },
    { turn: 3, answer: { type: 'explained', parts: [{ answer: { type: 'answered' } }, {}] }, calls: 4 },
    { turn: 4, answer: { type: 'needsClarification' } },
    { turn: 5, understood: { kind: 'answer', of: 4 }, answer: { sql: 'SELECT shipped' } },
  ]);
  const calls = readFileSync(undisturbed.calls, 'utf8');
  expect(calls.trim().split('\n')).toHaveLength(9);

  const killed = place();
  let kills = 0;
  let said = await converse(killed, 'gate');
  for (; said === 'gate'; said = await converse(killed, 'gate')) kills += 1;
  expect(said).toBe(expected);
  // Three writes of each turn, one of each message that a model read, of each part, and those of the runs.
  expect(kills).toBeGreaterThan(5 * 3 + 3 + 2 + 6);
  expect(readFileSync(killed.calls, 'utf8')).toBe(calls);
}, 120_000);

it('two processes on one conversation: while one answers, the other is told to wait', async () => {
  const shared = place();
  const first = start(shared.journal, shared.calls, 'gate');
  await once(first.stdout, 'data');
  expect(await converse(shared, 'through')).toContain('JOURNAL_LOCKED');
  first.kill('SIGKILL');
  await once(first, 'close');
  expect(JSON.parse(await converse(shared, 'through'))).toHaveLength(5);
});
