import { AskemaError, createCallContext } from '@askema/core';
import { expect, test } from 'vitest';
import { likeIndex, likePatterns } from './like-index.ts';
import { cellCatalog, cellDatabase } from './test-support/cell-database.ts';

const CELLS = {
  cartoon: { written_by: ['Todd Casey', 'Joseph Kuhr'], directed_by: ['Ben Jones'] },
  odd: { text: [`O'Neill "x" %`, 'a_b'] },
};
const catalog = cellCatalog(CELLS);
const context = createCallContext();

test('asks the database, one bounded statement for each relation, and ranks what comes', async () => {
  const { adapter, sent } = cellDatabase(CELLS);
  const index = likeIndex(adapter, catalog, { maxCells: 7 });
  expect(await index.find({ text: 'todd caseey', limit: 2, context })).toMatchObject([
    { mention: 'todd caseey', attribute: 'cartoon#written_by', value: 'Todd Casey' },
  ]);
  expect(sent).toHaveLength(2);
  expect(sent.join('\n').match(/LIMIT 7/g)).toHaveLength(3);
  expect(await index.covers?.('cartoon#written_by', context)).toBe('part');
});

test.each([`o'neill "X" %`, `'; DROP TABLE odd; --`, '100%', '\\', 'nul\0'])('takes %j for data', async (text) => {
  const { adapter } = cellDatabase(CELLS);
  const found = await likeIndex(adapter, catalog).find({ text, attributes: ['odd#text'], limit: 1, context });
  expect(found.map(({ value }) => value)).toEqual(text.startsWith('o') ? [`O'Neill "x" %`] : []);
});

test('a relation that fails is left out, the abort of the caller is not', async () => {
  const failing = cellDatabase(CELLS);
  const { adapter } = cellDatabase(CELLS, {
    executor: {
      async *execute(sql, options) {
        if (sql.includes('odd')) throw new AskemaError('QUERY_FAILED', 'no');
        yield* failing.adapter.executor.execute(sql, options);
      },
    },
  });
  const index = likeIndex(adapter, catalog);
  expect(await index.find({ text: 'Ben Jones', limit: 1, context })).toMatchObject([{ value: 'Ben Jones', score: 1 }]);
  const stopped = createCallContext({ signal: AbortSignal.abort() });
  await expect(index.find({ text: 'x', limit: 1, context: stopped })).rejects.toMatchObject({ code: 'ABORTED' });
});

test('patterns hold letters, digits and one-character wildcards only', () => {
  expect(likePatterns(`Dept. of 100% O'Hara\\`)).toEqual(['%dept__of_100__o_hara_%', '%dep%', '%har%', '%100%']);
  expect(likePatterns('***')).toEqual([]);
});
