import { describe, expect, it } from 'vitest';
import { runLimited } from './run-limited.ts';
import { deferred } from './test-support/deferred.ts';

describe('runLimited', () => {
  it('begins in order, as many as may run, and the next as soon as one is over', async () => {
    const begun: number[] = [];
    const works = Array.from({ length: 4 }, () => deferred<void>());
    const all = runLimited(4, 2, (index) => {
      begun.push(index);
      return works[index]?.promise ?? Promise.resolve();
    });
    expect(begun).toEqual([0, 1]);
    works[1]?.resolve();
    await works[1]?.promise;
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2]);
    for (const work of works) work.resolve();
    await all;
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('is over at once when there is nothing to do', async () => {
    await runLimited(0, Number.POSITIVE_INFINITY, () => Promise.reject(new Error('nobody calls this')));
  });
});
