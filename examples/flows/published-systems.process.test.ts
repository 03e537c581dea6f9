import { fileURLToPath } from 'node:url';
import { type JsonValue, textOf } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql, type Text2SqlFlow } from '@askema/text2sql';
import { describe, expect, it } from 'vitest';
import { actSql, chainOf } from './act-sql.ts';
import { dinSql } from './din-sql.ts';
import { macSql } from './mac-sql.ts';
import { spiderAgent } from './spider-agent.ts';

const file = fileURLToPath(new URL('../store.sqlite', import.meta.url));

/** Asks the sample store, and tells what the model was shown last in each call. */
async function ask(flow: Text2SqlFlow, replies: readonly JsonValue[], question = 'How many customers are there?') {
  const model = scriptedModel(replies.map((json) => ({ json })));
  const store = createText2Sql({ adapter: sqlite({ file }), model, flow });
  const outcome = await store.ask(question);
  await store.close();
  const shown = model.requests.map(({ messages }) => messages.map(({ content }) => textOf(content)).join('\n'));
  const parts = shown.map((text) => text.slice(text.indexOf('Your part:')));
  const tasks = model.requests.map(({ output }) => output?.name);
  return { outcome, shown, parts, tasks };
}

const COUNT = 'SELECT COUNT(*) FROM customers';
const BAD = 'SELECT COUNT(*) FROM custmers';
const EMPTY = "SELECT name FROM customers WHERE name = 'nobody'";

describe('act-sql', () => {
  const examples = [
    {
      question: 'Which singers were born in 1950?',
      sql: 'SELECT T1.name FROM singer AS T1 WHERE T1.birth_year = 1950',
    },
    { question: 'How many customers bought something?', sql: 'SELECT COUNT(DISTINCT customer_id) FROM sales' },
    {
      question: 'What is the name of the longest river?',
      sql: 'SELECT river_name FROM river ORDER BY length DESC LIMIT 1',
    },
    { question: 'How many customers are from Rome?', sql: "SELECT COUNT(*) FROM customer WHERE city = 'Rome'" },
  ];
  const reply = { chain: [{ phrase: 'customers', uses: 'customers' }], sql: COUNT };

  it('answers in one call, with and without examples', async () => {
    const without = await ask(actSql(), [reply]);
    expect(without.outcome).toMatchObject({ type: 'answered', calls: 1, sql: COUNT });
    expect(without.shown[0]).not.toContain('An example');
    const { outcome, shown } = await ask(actSql({ examples, fixed: 1, similar: 2 }), [reply]);
    expect(outcome).toMatchObject({ type: 'answered', calls: 1 });
    // The first one always, those like the question behind it, and not the river.
    const at = examples.map(({ question }) => shown[0]?.indexOf(question) ?? -1);
    expect(at[2]).toBe(-1);
    expect(at[0]).toBeGreaterThan(0);
    expect(Math.min(at[1] ?? 0, at[3] ?? 0)).toBeGreaterThan(at[0] ?? 0);
  });

  it('makes chains from question and SQL: names and values, each with the nearest phrase', () => {
    expect(
      chainOf({
        question: 'List the song release year of Hey Jude',
        sql: "SELECT T1.Song_release_year FROM singer AS T1 WHERE T1.song_name = 'Hey Jude'",
      }),
    ).toEqual([
      { phrase: 'song release year', uses: 'Song_release_year' },
      { phrase: 'song', uses: 'song_name' },
      { phrase: 'Hey Jude', uses: "'Hey Jude'" },
    ]);
  });
});

describe('din-sql', () => {
  const linked = { reasoning: '', links: ['customers.customer_id'], values: [] };
  const found = { problems: '', sql: COUNT };

  it('takes the way of an easy question: four calls', async () => {
    const replies = [linked, { reasoning: '', kind: 'easy', sub_questions: ['ignored'] }, { sql: BAD }, found];
    const { outcome, shown, tasks } = await ask(dinSql(), replies);
    expect(outcome).toMatchObject({ type: 'answered', calls: 4, executions: 1, sql: COUNT });
    expect(tasks).toEqual(['din-sql_link-schema', 'din-sql_classify', 'din-sql_write-easy', 'din-sql_proofread']);
    expect(shown[1]).toContain('customers.customer_id');
    expect(shown[2]).not.toContain('ignored');
    expect(shown[3]).toContain(BAD);
  });

  it('takes the nested way, with its sub-questions', async () => {
    const replies = [
      linked,
      { reasoning: '', kind: 'nested', sub_questions: ['Who ordered?'] },
      { parts: [{ sub_question: 'Who ordered?', sql: 'SELECT 1' }], outline: '', sql: COUNT },
      found,
    ];
    const { outcome, shown, tasks } = await ask(dinSql(), replies);
    expect(outcome).toMatchObject({ type: 'answered', calls: 4 });
    expect(tasks[2]).toBe('din-sql_write-nested');
    expect(shown[2]).toContain('Who ordered?');
  });

  it('does not mend what fails when it runs', async () => {
    const replies = [
      linked,
      { reasoning: '', kind: 'easy', sub_questions: [] },
      { sql: BAD },
      { problems: '', sql: BAD },
    ];
    const { outcome } = await ask(dinSql(), replies);
    expect(outcome).toMatchObject({ type: 'failed', calls: 4, error: { code: 'QUERY_FAILED' } });
  });
});

describe('mac-sql', () => {
  const kept = { reasoning: '', relations: ['customers', '"order"'] };
  const written = (sql: string) => ({ steps: [{ sub_question: 'How many?', sql }], sql });

  it('cuts the schema down to what the selector keeps, with the keys between', async () => {
    const { outcome, shown } = await ask(macSql(), [kept, written(COUNT)], 'How many are from Utrecht?');
    expect(outcome).toMatchObject({ type: 'answered', calls: 2, sql: COUNT });
    expect(shown[1]).toContain('"Utrecht": customers.city');
    expect(shown[0]).toContain('Support Ticket');
    expect(shown[1]).not.toContain('Support Ticket');
    expect(shown[1]).toMatch(/CREATE TABLE customers/);
    expect(shown[1]).toMatch(/CREATE TABLE "order"/);
  });

  it('shows no values of relations that were cut', async () => {
    const { shown } = await ask(
      macSql(),
      [{ reasoning: '', relations: ['main.order'] }, written(COUNT)],
      'How many are from Utrecht?',
    );
    expect(shown.map((text) => text.includes('"Utrecht": customers.city'))).toEqual([true, false]);
  });

  it('asks no selector about a small schema, and keeps all where it names nothing that exists', async () => {
    const small = await ask(macSql({ maxAttributes: 1_000 }), [written(COUNT)]);
    expect(small.outcome).toMatchObject({ type: 'answered', calls: 1 });
    const { shown } = await ask(macSql(), [{ reasoning: '', relations: ['clients'] }, written(COUNT)]);
    expect(shown[1]).toContain('Support Ticket');
  });

  it('mends an error, then an empty result', async () => {
    const mended = (sql: string) => ({ cause: 'It was wrong.', sql });
    const { outcome, shown } = await ask(macSql(), [kept, written(BAD), mended(EMPTY), mended(COUNT)]);
    expect(outcome).toMatchObject({ type: 'answered', calls: 4, executions: 3, sql: COUNT });
    expect(outcome.candidates.map(({ status }) => status)).toEqual(['failed', 'rejected', 'chosen']);
    expect(shown[2]).toContain('no such table: custmers');
    expect(shown[3]).toContain('no rows');
  });

  it('gives up after its repairs: an empty result is the answer then, an error the outcome', async () => {
    const mended = (sql: string) => ({ cause: '', sql });
    const empty = await ask(macSql({ maxRepairs: 1 }), [kept, written(BAD), mended(EMPTY)]);
    expect(empty.outcome).toMatchObject({ type: 'answered', calls: 3, result: { rows: [] } });
    const failed = await ask(macSql({ maxRepairs: 1 }), [kept, written(EMPTY), mended(BAD)]);
    expect(failed.outcome).toMatchObject({ type: 'failed', calls: 3 });
  });
});

describe('spider-agent', () => {
  const turn = (action: 'run_sql' | 'answer', sql: string) => ({ thought: `Now ${action}.`, action, sql });

  it('looks, is shown results and errors, and answers', async () => {
    const { outcome, shown } = await ask(spiderAgent(), [
      turn('run_sql', BAD),
      turn('run_sql', COUNT),
      turn('answer', COUNT),
    ]);
    expect(outcome).toMatchObject({ type: 'answered', calls: 3, executions: 3, sql: COUNT });
    expect(shown[1]).toContain('no such table: custmers');
    expect(shown[2]).toMatch(/COUNT\(\*\)\n\d+\n\(1 row\)/);
  });

  it('is told of an answer that fails, and goes on', async () => {
    const { outcome, shown } = await ask(spiderAgent(), [turn('answer', BAD), turn('answer', COUNT)]);
    expect(outcome).toMatchObject({ type: 'answered', calls: 2 });
    expect(shown[1]).toContain('no such table: custmers');
  });

  it('ends at its limit: the last statement is the answer, or the outcome says why there is none', async () => {
    const looking = [turn('run_sql', 'SELECT 1'), turn('run_sql', COUNT)];
    const { outcome, shown } = await ask(spiderAgent({ maxTurns: 2 }), looking);
    expect(outcome).toMatchObject({ type: 'answered', calls: 2, executions: 2, sql: COUNT });
    expect(shown[0]).not.toContain('last turn');
    expect(shown[1]).toContain('last turn');
    const failed = await ask(spiderAgent({ maxTurns: 2 }), [turn('run_sql', 'SELECT 1'), turn('answer', BAD)]);
    expect(failed.outcome).toMatchObject({ type: 'failed', error: { code: 'QUERY_FAILED' }, calls: 2 });
    const silent = await ask(spiderAgent({ maxTurns: 1 }), [turn('answer', '')]);
    expect(silent.outcome).toMatchObject({ type: 'failed', calls: 1 });
  });

  it('only reads', async () => {
    const { outcome, shown } = await ask(spiderAgent(), [
      turn('run_sql', 'DELETE FROM customers'),
      turn('answer', COUNT),
    ]);
    expect(shown[1]).toContain('read');
    expect(outcome).toMatchObject({ type: 'answered' });
    if (outcome.type === 'answered') expect(Number(outcome.result.rows[0]?.[0])).toBeGreaterThan(0);
  });
});

it('prompts, from the part of the task on', async () => {
  const nested = { reasoning: '', kind: 'nested', sub_questions: ['Who is one?'] };
  const question = 'How many customers from Utrecht are there?';
  const all = [
    await ask(
      actSql({ examples: [{ question: 'How many ships?', sql: 'SELECT COUNT(*) FROM ship' }] }),
      [{ chain: [], sql: COUNT }],
      question,
    ),
    await ask(
      dinSql(),
      [
        { reasoning: '', links: ['customers.city'], values: ['Utrecht'] },
        nested,
        { parts: [], outline: '', sql: COUNT },
        { problems: '', sql: COUNT },
      ],
      question,
    ),
    await ask(
      macSql(),
      [
        { reasoning: '', relations: ['customers'] },
        { steps: [], sql: BAD },
        { cause: '', sql: COUNT },
      ],
      question,
    ),
    await ask(
      spiderAgent({ maxTurns: 2 }),
      [
        { thought: 'Look.', action: 'run_sql', sql: 'SELECT 1 AS one' },
        { thought: '', action: 'answer', sql: COUNT },
      ],
      question,
    ),
  ];
  const prompts = all.flatMap(({ tasks, parts }) => tasks.map((task, at) => `=== ${task}\n${parts[at]}`));
  expect(prompts.join('\n\n')).toMatchSnapshot();
});
