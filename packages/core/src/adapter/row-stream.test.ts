import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fixtureSpec } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createCallContext } from '../context/call-context.ts';
import type { Row } from '../values/value.ts';
import type { ResultEvent } from './adapter-spec.ts';
import { resolveAdapter } from './resolve-adapter.ts';

const COLUMNS = [{ name: 'n', nativeType: 'INTEGER', type: 'NUMERIC' as const }];

async function* numbers(most: number, onEnd: () => void = () => undefined): AsyncGenerator<ResultEvent> {
  try {
    yield { type: 'columns', columns: COLUMNS };
    for (let n = 0; n < most; n += 1) {
      // As a driver does, which waits for the database.
      await nextTurn();
      yield { type: 'rows', rows: [[n]] };
    }
    yield { type: 'end', queryId: 'q1' };
  } finally {
    onEnd();
  }
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await nextTurn();
    collect();
  }
}

describe('Adapter.stream', () => {
  it('holds no batch that was handed over', async () => {
    const batches: WeakRef<readonly Row[]>[] = [];
    const stream = await resolveAdapter(fixtureSpec(() => numbers(100))).stream('x');
    for await (const rows of stream) {
      batches.push(new WeakRef(rows));
      if (batches.length < 50) continue;
      await collectGarbage();
      break;
    }
    // A frame that the engine compiled again may still name one or two; a stream that keeps them keeps all 50.
    expect(batches.filter((batch) => batch.deref() !== undefined).length).toBeLessThan(15);
  });

  it('says how the result ended once its last row was taken', async () => {
    const stream = await resolveAdapter(fixtureSpec(() => numbers(3))).stream('x');
    const rows: Row[] = [];
    for await (const batch of stream) {
      expect(stream.end).toBeUndefined();
      rows.push(...batch);
    }
    expect(rows).toEqual([[0], [1], [2]]);
    expect(stream.end).toEqual({ queryId: 'q1', elapsedMs: expect.any(Number) });
  });

  it('tells its listener once, also when the loop is left', async () => {
    const told: unknown[] = [];
    let ended = 0;
    const context = createCallContext({ emit: (event) => void told.push(event) });
    const adapter = resolveAdapter(fixtureSpec(() => numbers(9, () => (ended += 1))));
    for await (const _ of await adapter.stream('x', { context })) break;
    expect(told).toEqual([{ type: 'query', data: { rows: 1, elapsedMs: expect.any(Number) } }]);
    expect(ended).toBe(1);
  });
});
