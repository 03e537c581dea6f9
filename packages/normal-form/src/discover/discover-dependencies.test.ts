import type { Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { codeRows } from './coded-rows.ts';
import { discoverDependencies } from './discover-dependencies.ts';

/** id, department, dormitory of the department, a mark that has nothing to do with them. */
function students(count: number, change: (row: (string | number | null)[], at: number) => void = () => {}): Row[] {
  return Array.from({ length: count }, (_, at) => {
    const row: (string | number | null)[] = [at, `d${at % 5}`, `h${(at % 5) % 4}`, (at * 7919) % 11];
    change(row, at);
    return row;
  });
}

const texts = async (rows: readonly Row[], options = {}) => {
  const { dependencies } = await discoverDependencies(codeRows(rows, rows[0]?.length ?? 0), options);
  return dependencies.map(({ left, right }) => `${left.join()}>${right}`);
};

describe('discoverDependencies', () => {
  it('finds a dependency that one row of a hundred breaks, with its error and two rows that show it', async () => {
    const rows = students(200, (row, at) => {
      if (at === 42) row[2] = 'elsewhere';
    });
    const { dependencies, complete } = await discoverDependencies(codeRows(rows, 4), { keys: [[0]] });
    expect(complete).toBe(true);
    expect(dependencies).toEqual([
      {
        left: [1],
        right: 2,
        violations: 1,
        rows: 200,
        g3: 1 / 200,
        distinctLeft: 5,
        expectedViolations: expect.closeTo(112.3, 0),
        counterExample: { usual: 2, usualCount: 39, unusual: 42 },
      },
    ]);
  });

  it('keeps silent above the error that was asked for', async () => {
    const rows = students(200, (row, at) => {
      if (at % 50 === 1) row[2] = 'elsewhere';
    });
    expect(await texts(rows, { keys: [[0]] })).toEqual([]);
    expect(await texts(rows, { keys: [[0]], maxError: 0.02 })).toEqual(['1>2']);
  });

  it('says nothing where too few rows repeat: a dozen rows prove nothing', async () => {
    expect(await texts(students(12))).toEqual([]);
    expect(await texts(students(12), { minEvidence: 3 })).toContain('1>2');
  });

  it('takes what is constant, or nearly, or empty, or unique for no side', async () => {
    const rows = students(300).map(([id = null, department = null], at) => [
      id,
      department,
      null,
      'EUR',
      at === 7 ? 1 : 0,
    ]);
    const found = await discoverDependencies(codeRows(rows, 5));
    expect(found.dependencies).toEqual([]);
    expect(found.leftOut).toEqual([
      { column: 0, reason: 'unique' },
      { column: 2, reason: 'empty' },
      { column: 3, reason: 'constant' },
      { column: 4, reason: 'constant' },
    ]);
  });

  it('does not tell what follows from a declared key, also of two columns', async () => {
    const rows = Array.from({ length: 400 }, (_, at) => {
      const [a, b] = [at % 20, Math.floor(at / 20) % 10];
      return [a, b, (a * b) % 7];
    });
    expect(await texts(rows)).toEqual(['0,1>2']);
    expect(await texts(rows, { keys: [[0, 1]] })).toEqual([]);
  });

  it('does not take a pair for more than the better one of its columns: a number that splits the groups explains nothing', async () => {
    // The first column nearly determines the second, but for 3 % of the rows; the third is a number that has nothing to
    // do with both.
    const rows = Array.from({ length: 600 }, (_, at) => [at % 40, at % 33 === 0 ? 9 : (at % 40) % 4, (at * 7919) % 13]);
    expect(await texts(rows)).toEqual([]);
    expect(await texts(rows, { minEvidence: 0, maxChance: Number.POSITIVE_INFINITY })).toContain('0,2>1');
  });

  it('one value that goes with another one proves nothing', async () => {
    // Half of the rows have neither; the others hardly repeat.
    const rows = Array.from({ length: 300 }, (_, at) => (at < 150 ? ['', ''] : [`a${at % 148}`, `b${at % 148}`]));
    expect(await texts(rows)).toEqual([]);
    expect(
      await texts(rows.map(([a, b], at) => (at < 150 ? [`a${at % 50}`, `b${at % 50}`] : [a ?? '', b ?? '']))),
    ).toEqual(['0>1', '1>0']);
  });

  it('a NULL on the left says nothing; on the right it is a value', async () => {
    const left = students(200, (row, at) => {
      if (at % 3 === 0) [row[1], row[2]] = [null, `x${at}`];
    });
    expect(await texts(left, { keys: [[0]] })).toContain('1>2');
    const right = students(200, (row, at) => {
      if (at % 10 === 0) row[2] = null;
    });
    expect(await texts(right, { keys: [[0]] })).not.toContain('1>2');
  });

  it('compares bytes and nested values by what they hold, and numbers never with text', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => [
      new Uint8Array([at % 4]),
      { a: [at % 4] },
      at % 8 < 4 ? String(at % 4) : at % 4,
      at % 4,
    ]);
    expect(await texts(rows)).toEqual(['0>1', '0>3', '1>0', '1>3', '2>0', '2>1', '2>3', '3>0', '3>1']);
  });

  it('stops at a number of steps, at its time and at the signal, and says so', async () => {
    const rows = codeRows(students(2_000), 4);
    const cut = await discoverDependencies(rows, { maxSteps: 5_000 });
    expect(cut).toMatchObject({ complete: false, candidates: 10 });
    expect(cut.lookedAt).toBeLessThan(10);
    expect(await discoverDependencies(rows, { maxSteps: 5_000 })).toEqual(cut);
    let now = 0;
    const clock = { now: () => (now += 30) };
    expect(await discoverDependencies(rows, { clock, timeoutMs: 100 })).toMatchObject({ complete: false });
    const controller = new AbortController();
    controller.abort();
    await expect(discoverDependencies(rows, { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('gives the event loop a turn, so that an abort is heard while it works', async () => {
    const rows = codeRows(
      Array.from({ length: 20_000 }, (_, at) =>
        Array.from({ length: 12 }, (__, column) => (at * (column + 3)) % (50 + column)),
      ),
      12,
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    let now = 0;
    const clock = { now: () => (now += 50) };
    await expect(
      discoverDependencies(rows, { clock, timeoutMs: 1e9, signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('has nothing to say of no rows and of no columns', async () => {
    expect(await discoverDependencies(codeRows([], 3))).toMatchObject({ dependencies: [], complete: true });
    expect(await discoverDependencies(codeRows([[]], 0))).toMatchObject({ dependencies: [], candidates: 0 });
  });
});
