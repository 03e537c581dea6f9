import { sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { shopCatalog } from '../fixtures/scripted-adapter.ts';
import { showMessages } from '../fixtures/show-messages.ts';
import { correctProbeTask } from './tasks/correct-probe.ts';
import { exploreColumnsTask } from './tasks/explore-columns.ts';
import { reviseQueueTask } from './tasks/revise-queue.ts';

const input = {
  question: ' How many customers are called Ann? ',
  catalog: shopCatalog(),
  dialect: { ...sqliteDialect, hints: sqliteDialect.hints.slice(0, 1) },
  schemaText: 'CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);',
  evidence: 'a customer is active when status = 1',
  documents: undefined,
  values: [],
  today: '2024-03-09',
  allowWrite: false,
  profile: "customer (2 rows)\n  name: 2 distinct: 'Ann' 1×, 'Bob' 1×; no NULL",
};

describe('prompts of an exploration', () => {
  it('explore-columns', () => {
    const request = { ...input, thread: 0, minProbes: 0, maxProbes: 12, earlier: [] };
    expect(showMessages(exploreColumnsTask.render(request))).toMatchSnapshot();
    const again = {
      ...request,
      profile: '',
      thread: 4,
      minProbes: 10,
      maxProbes: Number.POSITIVE_INFINITY,
      earlier: [{ sql: 'SELECT 1' }],
    };
    expect(showMessages(exploreColumnsTask.render(again)).split('</').at(-1)).toMatchSnapshot();
  });

  it('correct-probe', () => {
    const failure = { message: 'no such column: nam', errorClass: 'identifier', nearestNames: ['name'] } as const;
    const tried = [{ sql: 'SELECT nam FROM customer', failure }];
    const request = { ...input, purpose: 'spelling of names', tried };
    const text = showMessages(correctProbeTask.render(request));
    expect(text).toMatchSnapshot();
    expect(text).not.toContain('should not be there');
    const exceptions = correctProbeTask.render({ ...request, looksFor: 'exceptions' });
    expect(showMessages(exceptions)).toContain('should not be there');
  });

  it('revise-queue', () => {
    const lesson = {
      failed: 'SELECT nam FROM customer',
      message: 'no such column: nam',
      corrected: 'SELECT name FROM customer',
    };
    const queue = [{ purpose: 'all names', sql: 'SELECT DISTINCT nam FROM customer' }];
    expect(showMessages(reviseQueueTask.render({ ...input, ...lesson, queue }))).toMatchSnapshot();
  });

  it('are the same up to the side of the thread for all threads', () => {
    const of = (thread: number) =>
      showMessages(exploreColumnsTask.render({ ...input, thread, minProbes: 0, maxProbes: 12, earlier: [] }));
    const start = of(0).indexOf('Look above all');
    expect(start).toBeGreaterThan(0);
    expect(of(1).slice(0, start).split('Look above all')[0]).toBe(of(0).slice(0, start));
    expect(of(0).endsWith('Question: How many customers are called Ann?')).toBe(true);
  });
});
