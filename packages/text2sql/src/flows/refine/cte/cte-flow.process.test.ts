import { memoryJournal, type RunEvent, textOf } from '@askema/core';
import { type ScriptedModel, scriptedModel } from '@askema/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnswerFormat } from '../state/refine-state.ts';
import { depsOf, ended, judged, mended, openShop, planWith, type TestShop, threadOf, written } from './cte-fixture.ts';
import { cteFlow } from './cte-flow.ts';
import { cteTraceText } from './cte-trace.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.sent.length = 0;
});

const prompts = (model: ScriptedModel): string[] =>
  model.requests.map(({ messages }) => messages.map(({ content }) => textOf(content)).join('\n'));

/** Three CTEs; the second joins along the wrong key. */
const THREE = `WITH south AS (
  SELECT id, name FROM customer WHERE region = 'south' -- only these
),
spent AS (
  SELECT s.id, o.amount FROM south s LEFT JOIN orders o ON o.id = s.id
),
totals AS (SELECT id, SUM(amount) AS total FROM spent GROUP BY id)
SELECT name, COALESCE(total, 0) FROM south JOIN totals USING (id) ORDER BY name`;
const RIGHT_BODY = 'SELECT s.id, o.amount FROM south s LEFT JOIN orders o ON o.customer_id = s.id';

describe('cteFlow', () => {
  it('finds a wrong join in the second of three CTEs, and changes that text alone', async () => {
    const model = scriptedModel([
      written(THREE, [{ name: 'spent', purpose: 'the orders of customers of the south' }]),
      judged('right'),
      judged('wrong', { problem: 'joined along the order id', cte: 'spent', body: RIGHT_BODY }),
      judged('right'),
      judged('right'),
      judged('right'),
    ]);
    const events: RunEvent[] = [];
    const { action, state } = ended(
      await cteFlow.run(threadOf(), depsOf(shop, model), {
        onEvent: (event) => events.push(event),
      }),
    );
    expect(action).toBe('answered');
    expect(state.ending).toEqual({ type: 'answered', by: 'cte', attempt: 0 });
    expect(state.attempts).toMatchObject([
      {
        stage: 'cte',
        doubts: [],
        result: {
          rows: [
            ['Cid', 30],
            ['Dee', 0],
          ],
        },
        reviews: [{ isRight: true }],
      },
    ]);
    const mendedSql = THREE.replace('o.id = s.id', 'o.customer_id = s.id');
    expect(state.sql).toBe(mendedSql);
    expect(state.explanation).toBe('read as asked');
    expect({ calls: state.calls, executions: state.executions }).toEqual({ calls: 6, executions: 5 });
    // Seen: south, spent, then spent again, totals, and the whole.
    expect(cteTraceText(state.cteTrace).split('\n')).toEqual([
      '0. south: 2 rows; ok',
      '0. spent: 2 rows; rewritten: joined along the order id',
      '1. spent: 3 rows; ok',
      '1. totals: 2 rows; ok',
      '1. final SELECT: 2 rows; ok',
    ]);
    expect(state.cteTrace[1]?.rewrite).toEqual({
      cte: 'spent',
      from: 'SELECT s.id, o.amount FROM south s LEFT JOIN orders o ON o.id = s.id',
      to: RIGHT_BODY,
    });
    const shown = prompts(model);
    expect(shown[2]).toContain('spent: the orders of customers of the south');
    expect(shown[2]).toMatch(/It reads this step[^\n]*\n<<<data step \w+>>>\nsouth\nGives 2 rows, all distinct/);
    expect(shown[3]).toContain('joined along the order id');
    expect(
      events
        .filter(({ type }) => type === 'call')
        .flatMap((event) => ('call' in event && event.call === 'cte' ? [event.data] : [])),
    ).toContainEqual({ cte: 'spent', number: 2, of: 4, verdict: 'wrong', problem: 'joined along the order id' });
  });

  it("mends an error without a judge, and tells the database's words and the columns of the step before", async () => {
    const broken = THREE.replace('o.id = s.id', 'o.client = s.id');
    const model = scriptedModel([
      written(broken),
      judged('right'),
      mended(`\`\`\`sql\nspent AS (${RIGHT_BODY})\n\`\`\``),
      ...Array(3).fill(judged('right')),
    ]);
    const { action, state } = ended(await cteFlow.run(threadOf(), depsOf(shop, model)));
    expect(action).toBe('answered');
    expect(state.sql).toBe(THREE.replace('o.id = s.id', 'o.customer_id = s.id'));
    expect(state.cteTrace[1]).toMatchObject({
      cte: 'spent',
      rows: null,
      error: { code: 'QUERY_FAILED' },
      verdict: 'rewritten',
    });
    const [, , mend = ''] = prompts(model);
    expect(mend).toMatch(/no such column: o\.client/);
    expect(mend).toMatch(/south\nGives 2 rows, all distinct\nid: 2 distinct\nname: 2 distinct/);
  });

  it('shows rows that a join repeats, counted beyond the view', async () => {
    const sql = `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 600),
      doubled AS (SELECT n % 300 AS id, NULL AS absent, 0 AS zero FROM many) SELECT COUNT(*) FROM doubled`;
    const model = scriptedModel([
      written(sql),
      judged('right'),
      judged('wrong', { problem: 'twice', body: 'SELECT DISTINCT n % 300 AS id FROM many' }),
      judged('right'),
      judged('right'),
    ]);
    const { state } = ended(await cteFlow.run(threadOf(), depsOf(shop, model)));
    expect(state.attempts.at(-1)?.result?.rows).toEqual([[300]]);
    const judge = prompts(model)[2] ?? '';
    expect(judge).toContain('600 rows, 300 distinct: rows repeat each other');
    expect(judge).toContain('absent: 0 distinct, NULL in every row');
    expect(judge).toContain('zero: 1 distinct, 600 zero or empty');
    expect(judge).toContain('(more than 100 rows; only the first 100 are shown here)');
    // Two statements for each of three prefixes, one for the whole.
    expect(state.executions).toBe(7);
    expect(state.cteTrace).toMatchObject([{ rows: 600 }, { rows: 600, distinctRows: 300 }, { rows: 300 }, { rows: 1 }]);
  });

  it('keeps column lists, quoted names, nested WITH and an endless recursion under its limit', async () => {
    const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3),
      "two words"(k) AS (WITH inner_one AS (SELECT i FROM n) SELECT i FROM inner_one) SELECT MAX(k) FROM "two words"`;
    const model = scriptedModel([
      written(sql),
      judged('right'),
      judged('wrong', {
        cte: '"two words"',
        body: 'WITH inner_one AS (SELECT i * 2 AS i FROM n) SELECT i FROM inner_one',
      }),
      judged('right'),
      judged('right'),
    ]);
    const { action, state } = ended(await cteFlow.run(threadOf(), depsOf(shop, model)));
    expect(action).toBe('answered');
    expect(state.sql).toContain(
      `"two words"(k) AS (WITH inner_one AS (SELECT i * 2 AS i FROM n) SELECT i FROM inner_one\n)`,
    );
    expect(state.attempts[0]?.result?.rows).toEqual([[6]]);
  });

  it('goes back to an earlier step when that is the cause', async () => {
    const model = scriptedModel([
      written('WITH a AS (SELECT id FROM customer), b AS (SELECT id FROM a) SELECT name FROM b'),
      judged('right'),
      judged('right'),
      mended('SELECT id, name FROM a', { cte: 'b', problem: 'b has no name' }),
      mended('SELECT id, name FROM customer', { cte: 'A', problem: 'a has no name' }),
      ...Array(3).fill(judged('right')),
    ]);
    const { state } = ended(await cteFlow.run(threadOf(), depsOf(shop, model)));
    expect(state.sql).toBe(
      'WITH a AS (SELECT id, name FROM customer\n), b AS (SELECT id, name FROM a\n) SELECT name FROM b',
    );
    expect(state.cteTrace.map(({ cte, verdict, rewrite }) => [cte, verdict, rewrite?.cte])).toEqual([
      ['a', 'ok', undefined],
      ['b', 'ok', undefined],
      ['final SELECT', 'rewritten', 'b'],
      ['b', 'rewritten', 'a'],
      ['a', 'ok', undefined],
      ['b', 'ok', undefined],
      ['final SELECT', 'ok', undefined],
    ]);
  });

  it('looks further before it decides, and only reads', async () => {
    const model = scriptedModel([
      written("WITH a AS (SELECT id FROM customer WHERE region = 'South') SELECT COUNT(*) FROM a"),
      judged('look', {
        probes: ['SELECT DISTINCT region FROM customer;', 'DELETE FROM customer', 'SELECT nope', 'SELECT 4'],
      }),
      judged('wrong', { problem: 'lower case', body: "SELECT id FROM customer WHERE region = 'south'" }),
      judged('right'),
      judged('right'),
    ]);
    const { state } = ended(await cteFlow.run(threadOf(), depsOf(shop, model)));
    const [, , judge = ''] = prompts(model);
    expect(judge).toContain('"north"');
    expect(judge).toMatch(/DELETE FROM customer[\s\S]*failed:/);
    expect(judge).not.toContain('SELECT 4');
    expect(state.attempts.at(-1)?.result?.rows).toEqual([[2]]);
    expect(state.cteTrace[0]?.probes).toHaveLength(3);
    const { rows } = await shop.adapter.query('SELECT COUNT(*) FROM customer', { access: 'read' });
    expect(rows).toEqual([[4]]);
  });

  it('asks once for steps; a statement without WITH is then judged as one step, and may be written anew', async () => {
    const model = scriptedModel([
      written('SELECT 1'),
      written('SELECT 2'),
      judged('wrong', { body: 'WITH a AS (SELECT 3 AS x) SELECT x FROM a' }),
      judged('right'),
      judged('right'),
    ]);
    const { action, state } = ended(await cteFlow.run(threadOf(), depsOf(shop, model)));
    expect(action).toBe('answered');
    expect(prompts(model)[1]).toContain('Your last statement has no CTE');
    expect(state.cteTrace.map(({ cte, verdict }) => `${cte} ${verdict}`)).toEqual([
      'final SELECT rewritten',
      'a ok',
      'final SELECT ok',
    ]);
  });

  it('tells doubts of the answer, and takes an empty one only where steps before it were seen and the plan allows it', async () => {
    const format: AnswerFormat = {
      columns: [{ name: 'n', type: 'text', meaning: '' }],
      rows: 1,
      record: 'one',
      notes: [],
    };
    const none = 'WITH a AS (SELECT name, id FROM customer WHERE id > 9) SELECT name, id FROM a';
    const script = () => scriptedModel([written(none), judged('right'), judged('right')]);
    const model = script();
    const taken = ended(await cteFlow.run(threadOf(planWith(), format), depsOf(shop, model)));
    expect(prompts(model)[2]).toContain('- The expected format has 1 column, the result has 2.');
    expect(prompts(model)[1]).toContain('columns: name, id');
    expect(taken).toMatchObject({ action: 'answered', state: { attempts: [{ doubts: [{ code: 'no-rows' }, {}] }] } });
    const never = planWith({}, { implausible: 'never' });
    const refused = ended(await cteFlow.run(threadOf(never, format), depsOf(shop, script(), never)));
    expect(refused).toMatchObject({ action: 'unresolved', state: { ending: { type: 'exhausted', reason: 'cte' } } });
    const alone = scriptedModel([written('SELECT 0'), written('SELECT 0'), judged('right')]);
    expect(await cteFlow.run(threadOf(), depsOf(shop, alone))).toMatchObject({ action: 'unresolved' });
  });

  it('survives a journal with big integers and bytes, and a resumed run repeats no finished call', async () => {
    const sql = 'WITH big AS (SELECT total, seal FROM orders WHERE id = 1) SELECT total, seal FROM big';
    const replies = [written(sql), judged('right'), judged('right')];
    for (let crash = 0; crash < replies.length; crash += 1) {
      const journal = memoryJournal();
      const first = scriptedModel((_request, index) => (index === crash ? new Error('crash') : replies[index]));
      await expect(cteFlow.run(threadOf(), depsOf(shop, first), { journal, runId: 'r' })).rejects.toThrow();
      const second = scriptedModel(replies.slice(crash));
      const { state } = await cteFlow.resume('r', depsOf(shop, second), { journal });
      expect(second.requests).toHaveLength(replies.length - crash);
      expect(state.attempts[0]?.result?.rows).toEqual([[9007199254740993n, new Uint8Array([0, 255])]]);
      expect(state.calls).toBe(3);
    }
  });
});
