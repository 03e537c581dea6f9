import { describe, expect, it } from 'vitest';
import { loadKnowledge } from '../folder/load-knowledge.ts';
import { takeProposals } from '../folder/take-proposals.ts';
import { makeFolder } from '../folder/test-support/make-folder.ts';
import { diffAnswers } from './diff-answers.ts';
import { MODEL, QUERIES, reply, shopAdapter, teach } from './test-support/teach.ts';

describe('diffAnswers', () => {
  it('tells what proposals change, with both numbers, and what contradicts a verified statement', async () => {
    const { folder } = await teach('no, without the cancelled ones', [reply({ filter: "orders.status <> 'C'" })]);
    const before = await loadKnowledge(folder, { proposalsOf: 'ann' });
    const after = takeProposals(before, ({ by }) => by === 'ann');
    const { metrics, answers, statements, skipped } = await diffAnswers({
      before,
      after,
      adapter: shopAdapter(),
      today: '2024-05-15',
    });
    expect(answers).toEqual([
      { id: 'metric', question: 'Turnover of it all?', verdict: 'other', before: '990', after: '960' },
      { id: 'plain', question: 'Stores?', verdict: 'same', before: '3', after: '3' },
      {
        id: 'total',
        question: 'What is the revenue?',
        verdict: 'contradicts',
        before: '990',
        after: '990',
        defined: '960',
      },
    ]);
    expect(metrics).toEqual([{ name: 'revenue', verdict: 'other', before: '990', after: '960' }]);
    expect([statements, skipped]).toEqual([7, []]);
    const capped = await diffAnswers({ before, after, adapter: shopAdapter(), maxStatements: 3, today: '2024-05-15' });
    expect(capped.skipped.length).toBeGreaterThan(0);
  });

  it('tells which accepted query no longer answers, as another asks the same', async () => {
    const folder = makeFolder({
      'sql/bonn.md': '---\nnl: Stores in Bonn\nsql: SELECT 1\n---\n',
      'proposals/by/ann/sql/x.md':
        '---\nnl: Stores in {x}\nsql: SELECT 2 WHERE :x > 0\nparameters: [{ name: x, type: text, default: Rome }]\n---\n',
    });
    const before = await loadKnowledge(folder, { allProposals: true });
    const { answers } = await diffAnswers({ before, after: takeProposals(before, () => true), adapter: shopAdapter() });
    expect(answers.find(({ id }) => id === 'bonn')).toMatchObject({
      verdict: 'fails',
      reason: 'query:x asks the same with other SQL, so none of them answers.',
    });
  });

  it('tells what no longer runs', async () => {
    const folder = makeFolder({
      'models/shop.ossie.yaml': MODEL,
      ...QUERIES,
      'proposals/by/ann/sql/x.md': '---\nnl: stores\nsql: SELECT nothing\n---\n',
    });
    const before = await loadKnowledge(folder, { allProposals: true });
    const { answers } = await diffAnswers({ before, after: takeProposals(before, () => true), adapter: shopAdapter() });
    const writes = makeFolder({
      'proposals/by/ann/sql/x.md': '---\nnl: Stores?\nsql: DELETE FROM stores\n---\n',
      ...QUERIES,
    });
    const now = await loadKnowledge(writes, { allProposals: true });
    const tried = await diffAnswers({ before: now, after: takeProposals(now, () => true), adapter: shopAdapter() });
    expect(tried.answers[1]).toMatchObject({ verdict: 'fails', reason: 'It is not one query that only reads.' });
    expect(answers.find(({ id }) => id === 'plain')).toMatchObject({
      verdict: 'fails',
      before: '3',
      reason: expect.stringContaining('nothing'),
    });
  });
});
