import { sqlite } from '@askema/sqlite';
import { expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import { plain } from '../flows/plain/plain.ts';

const file = new URL('../../../../examples/store.sqlite', import.meta.url).pathname;

it('a statement that a person has changed reads, or does not run', async () => {
  const model = scriptedSolver(['SELECT count(*) AS n FROM customers']);
  await using store = createText2Sql({ adapter: sqlite({ file }), model, flow: plain() });
  const chat = store.conversation();
  const first = await chat.say('How many customers are there?');
  expect(first.answer).toMatchObject({ type: 'answered', columns: ['n'] });
  const cross = 'SELECT a.*, b.* FROM customers a, customers b, customers c, customers d, customers e, customers f';
  const all = await chat.edit(cross);
  expect(all).toMatchObject({ answer: { type: 'answered', rows: 10_000, truncated: true } });
  for (const [sql, type, reason] of [
    ['DELETE FROM customers', 'refused', /read/i],
    ['SELECT 1; DROP TABLE customers', 'refused', /one|statement/i],
    ['SELEC 1', 'failed', /SELEC/],
    ['SELECT nam FROM customers', 'failed', /nam/],
  ] as const)
    expect((await chat.edit(sql)).answer).toMatchObject({ type, reason: expect.stringMatching(reason) });
  expect(await chat.edit('SELECT count(*) FROM customers')).toMatchObject({
    understood: { of: all.turn },
    outcome: { result: { rows: first.outcome?.type === 'answered' ? first.outcome.result.rows : [] } },
  });
});
