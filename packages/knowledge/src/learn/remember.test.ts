import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { acceptEntry } from '../folder/accept-entry.ts';
import { loadKnowledge } from '../folder/load-knowledge.ts';
import { makeFolder, shopModel } from '../folder/test-support/make-folder.ts';
import { findVerified } from '../verified/find-verified.ts';
import { forget } from './forget.ts';
import { type RememberOptions, remember } from './remember.ts';
import { answered } from './test-support/answered.ts';

const ANN = { by: 'ann', dialect: sqliteDialect, at: new Date('2026-01-02T03:04:05Z') } as const;
const FILES = { 'knowledge.yml': 'schema_version: 1\n', 'models/shop.ossie.yaml': shopModel('shop') };
const files = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');
const refusal = async (outcome: Outcome, options: Partial<RememberOptions> = {}): Promise<string> =>
  remember(makeFolder(FILES), outcome, { ...ANN, ...options }).then(
    ({ file }) => `was kept: ${file}`,
    (error: Error) => error.message,
  );

describe('remember', () => {
  it('proposes the question with its SQL, as its user alone', async () => {
    const folder = makeFolder(FILES);
    const basedOn = [{ kind: 'metric', name: 'revenue', definition: '', state: 'accepted' }] as const;
    const kept = await remember(folder, answered('Net sales in total?', 'SELECT SUM(x) FROM t', { basedOn }), ANN);
    expect(kept).toEqual({
      kind: 'proposed',
      id: 'query:net-sales-in-total',
      file: 'proposals/by/ann/sql/net-sales-in-total.md',
      question: 'Net sales in total?',
      sql: 'SELECT SUM(x) FROM t',
    });
    expect(read(folder, kept.file)).toBe(
      `---
nl: Net sales in total?
sql: SELECT SUM(x) FROM t
source: confirmed
dialect: sqlite
created_at: "2026-01-02T03:04:05.000Z"
confirmed_by: ann
run_id: run
based_on:
  - revenue
---
`,
    );
    expect(findVerified('net sales in total', await loadKnowledge(folder, { proposalsOf: 'ann' })).kind).toBe('none');
    await acceptEntry(folder, kept.id, 'kim');
    expect(findVerified('net sales in total', await loadKnowledge(folder))).toMatchObject({ kind: 'same' });
  });

  it.each([
    ['no answer', { type: 'cancelled', error: {} }, 'ended as cancelled'],
    ['a statement that writes', { sql: 'DELETE FROM t' }, 'Only a query that reads'],
    ['two statements', { sql: 'SELECT 1; SELECT 2' }, 'Only a query that reads'],
    ['an answer after something was asked back', { runId: 'ask-1~2' }, 'your answer to what was asked back'],
    ['a hole in the question', { question: 'Sales of {city}?' }, 'would be a hole'],
    ['relative time', { question: 'Sales last month?', sql: "SELECT 1 WHERE d >= '2026-01-01'" }, '"last month" means'],
    ['a month without a year', { question: 'Sales in May', sql: 'SELECT 1 WHERE y = 2025' }, '"May" means'],
    ['a quarter without a year', { question: 'Sales in Q1', sql: "SELECT '2025-01-01'" }, '"Q1" means'],
    ['the past week', { question: 'Sales of the past week', sql: "SELECT '2025-01-01'" }, 'means other days'],
    ['a weekday', { question: 'Sales since Monday', sql: "SELECT '2025-01-01'" }, '"Monday" means'],
    ['a month by its number', { question: 'Sales this month', sql: 'SELECT 1 WHERE m IN (5)' }, '"this month" means'],
    ['today', { question: 'Sales so far as of now', sql: "SELECT 1 WHERE m = '05'" }, '"now" means'],
    ['text that runs backwards', { question: 'Sales \u202etfel' }, 'nobody sees'],
    ['SQL that hides something', { sql: "SELECT '\u202e'" }, 'nobody sees'],
    ['a question of 200 kB', { question: 'a '.repeat(100_000) }, 'more than 2000'],
    ['SQL of 200 kB', { sql: `SELECT '${'a'.repeat(200_000)}'` }, 'more than 100000'],
    ['an empty question', { question: ' ' }, 'is empty'],
    ['a selector that shows as nothing', { question: 'Sales \ufe0f' }, 'U+FE0F'],
    ['a blank that is none in the SQL', { sql: "SELECT 'New\u00a0York'" }, 'U+00A0'],
    ['no SQL', { sql: undefined }, 'no outcome'],
    ['SQL that is no text', { sql: 5 }, 'no outcome'],
    ['what it stands on, as nothing', { basedOn: null }, 'no outcome'],
    ['what it stands on, without a name', { basedOn: [{ kind: 'metric' }] }, 'no outcome'],
  ])('refuses %s, and says what to do', async (_, more, message) => {
    const outcome = { ...answered('Net sales?', 'SELECT 1'), ...more } as unknown as Outcome;
    expect(await refusal(outcome)).toContain(message);
  });

  it('refuses what was told beside the question, until one says it all', async () => {
    expect(await refusal(answered('Sales?', 'SELECT 1'), { wasTold: true })).toContain('what was said beside it');
    expect(await refusal(answered('Sales?', 'SELECT 1'), { wasTold: true, question: 'Net sales?' })).toContain(
      'was kept',
    );
    const back = answered('Sales?', 'SELECT 1', { runId: 'run~2' });
    expect(await refusal(back, { question: 'Net sales?' })).toContain('net-sales.md');
    expect(await refusal(back, { question: 'Sales yesterday', wasTold: true })).toContain('was kept');
  });

  it.each([
    ['Top 5 products last month', "SELECT 1 WHERE d >= date('now', 'start of month') LIMIT 5"],
    ['Sales today?', "SELECT 1 WHERE d = date('now')"],
    ['Sales in May 2024', "SELECT 1 WHERE d >= '2024-05-01'"],
    ['Sales in Q1 2024', "SELECT 1 WHERE d >= '2024-01-01'"],
    ['Is "a: b" # --- or\n---\nsql: DROP', 'SELECT 1'],
    ['- [x] !!js/function "q" \'r\' \\ %', "SELECT 'it''s: # --- {a}' -- :x\nFROM t"],
    ['<<<end 0>>> yes', 'SELECT ":x", a FROM t\r\nWHERE b = 1'],
    ['no', 'SELECT $1'],
  ])('keeps %j as it is', async (question, sql) => {
    const folder = makeFolder(FILES);
    await remember(folder, answered(question, sql), ANN);
    const { verifiedQueries, problems } = await loadKnowledge(folder, { proposalsOf: 'ann' });
    expect(problems).toEqual([]);
    expect(verifiedQueries).toMatchObject([
      {
        question: question.replaceAll('\n', ' '),
        sql,
        other: { confirmed_by: 'ann' },
        standing: { state: 'proposed' },
      },
    ]);
  });

  it('keeps every name in a folder of its own, and writes nowhere else', async () => {
    const folder = makeFolder(FILES);
    const outcome = answered('Net sales?', 'SELECT 1');
    const names = ['../../ann', 'Ann', 'ann', "x: y\\'z"];
    for (const by of names) await remember(folder, outcome, { ...ANN, by });
    expect(files(folder).filter((file) => !(file in FILES))).toEqual(
      ['%2e%2e%2f%2e%2e%2fann', '%41nn', 'ann', 'x%3a%20y%5c%27z'].map((one) => `proposals/by/${one}/sql/net-sales.md`),
    );
    expect(read(folder, 'models/shop.ossie.yaml')).toBe(FILES['models/shop.ossie.yaml']);
    const all = await loadKnowledge(folder, { allProposals: true });
    expect(all.verifiedQueries.map(({ standing }) => standing.by).sort()).toEqual([...names].sort());
  });

  it.each(['ann ', 'an\u00a0n', 'ann\ufe0f', 'ann\u3164', 'Jo\u0308rg'])(
    'takes %j for no name: it looks like another',
    async (by) => {
      expect(await refusal(answered('Sales?', 'SELECT 1'), { by })).toContain('is no name of a person');
    },
  );

  it('keeps of a run only what is known, however much it says of itself', async () => {
    const folder = makeFolder(FILES);
    const basedOn = ['a\u202eb', 'REVENUE'].map(
      (name) => ({ kind: 'metric', name, definition: '', state: 'accepted' }) as const,
    );
    const { file } = await remember(folder, answered('Sales?', 'SELECT 1', { basedOn, runId: 'a\n'.repeat(1e6) }), ANN);
    const [query] = (await loadKnowledge(folder, { proposalsOf: 'ann' })).verifiedQueries;
    expect(query?.other).toMatchObject({ based_on: ['revenue'] });
    expect(read(folder, file).length).toBeLessThan(1_000);
  });

  it('takes the place of no accepted query for another question', async () => {
    const folder = makeFolder({
      ...FILES,
      'sql/of-x.md': '---\nnl: "Of {x}"\nsql: SELECT :x\nparameters: [{ name: x, type: text }]\n---\n',
    });
    const { id } = await remember(folder, answered('Of "{}"', 'SELECT 0'), ANN);
    await acceptEntry(folder, id, 'kim');
    expect(findVerified('Of "Bonn"', await loadKnowledge(folder))).toMatchObject({
      kind: 'same',
      query: { id: 'of-x' },
    });
  });

  it('loses nothing that is said at the same time', async () => {
    const folder = makeFolder(FILES);
    const at = [...Array(5).keys()];
    await Promise.all(
      at.map((each) => remember(folder, answered(`Net ${'>'.repeat(each)} sales`, `SELECT ${each}`), ANN)),
    );
    const { verifiedQueries } = await loadKnowledge(folder, { proposalsOf: 'ann' });
    expect(verifiedQueries.map(({ sql }) => sql).sort()).toEqual(at.map((each) => `SELECT ${each}`));
    const ids = verifiedQueries.map(({ id }) => `query:${id}`);
    await Promise.all(ids.map((id) => acceptEntry(folder, id, 'kim')));
    expect((await loadKnowledge(folder)).verifiedQueries).toHaveLength(5);
    expect(files(folder).filter((file) => file.includes('lock'))).toEqual([]);
  });

  it('says nothing twice, and replaces what the same person said before', async () => {
    const folder = makeFolder(FILES);
    await remember(folder, answered('Net sales?', 'SELECT 1'), ANN);
    expect(await remember(folder, answered('net sales', 'SELECT  1 -- one'), ANN)).toMatchObject({ kind: 'known' });
    expect(await remember(folder, answered('Net sales', 'SELECT 2'), ANN)).toMatchObject({
      kind: 'replaced',
      before: 'SELECT 1',
      id: 'query:net-sales',
    });
    expect(await remember(folder, answered('Net > sales', 'SELECT 3'), ANN)).toMatchObject({ id: 'query:net-sales-2' });
    expect(await remember(folder, answered('Net sales', 'SELECT 1'), { ...ANN, by: 'bob' })).toMatchObject({
      kind: 'proposed',
    });
    expect(files(folder)).toHaveLength(5);
  });

  it('knows what is accepted, and says what it contradicts', async () => {
    const folder = makeFolder({
      ...FILES,
      'sql/sales.md': '---\nnl: Net sales?\nsql: SELECT 1\nverified_by: kim\n---\n',
      'sql/x.md': '---\nnl: "Of {city}?"\nsql: SELECT :city\nparameters: [{ name: city, type: text }]\n---\n',
    });
    expect(await remember(folder, answered('Net sales', 'SELECT 1'), ANN)).toMatchObject({ kind: 'accepted' });
    expect(await remember(folder, answered('Of Bonn', "SELECT 'Bonn'"), ANN)).toMatchObject({ id: 'query:x' });
    expect(await remember(folder, answered('Net sales', 'SELECT 2'), ANN)).toMatchObject({
      kind: 'proposed',
      id: 'query:sales',
      contradicts: { id: 'query:sales', sql: 'SELECT 1', by: 'kim' },
    });
    expect(read(folder, 'sql/sales.md')).toContain('SELECT 1');
    await acceptEntry(folder, 'query:sales', 'kim');
    await remember(folder, answered('Net sales', 'SELECT 1'), { ...ANN, by: 'bob' });
    await acceptEntry(folder, 'query:sales', 'kim');
    expect(await remember(folder, answered('Net sales', 'SELECT 1'), ANN)).toMatchObject({ kind: 'accepted' });
  });

  it('takes no id of another question that is accepted', async () => {
    const folder = makeFolder({ ...FILES, 'sql/net-sales.md': '---\nnl: Gross?\nsql: SELECT 1\n---\n' });
    expect(await remember(folder, answered('Net sales', 'SELECT 2'), ANN)).toMatchObject({ id: 'query:net-sales-2' });
  });
});

describe('holes', () => {
  const outcome = answered(
    'Sales in "New York" above 5 since 2024-05-01',
    "SELECT 5.0 FROM t WHERE c = 'New York' AND n > 5 AND d >= DATE '2024-05-01'",
  );

  it('stand where a value stands once in the question and in the SQL, and are filled anew', async () => {
    const folder = makeFolder(FILES);
    const parameters = { city: 'New York', least: 5, start: '2024-05-01' };
    const { id } = await remember(folder, outcome, { ...ANN, parameters });
    await acceptEntry(folder, id, 'kim');
    const knowledge = await loadKnowledge(folder);
    expect(knowledge.verifiedQueries[0]?.parameters.map(({ type }) => type)).toEqual(['text', 'number', 'date']);
    const found = findVerified("sales in 'Bonn' above 7 since 2025-01-01?", knowledge, { dialect: sqliteDialect });
    expect(found).toMatchObject({ sql: "SELECT 5.0 FROM t WHERE c = 'Bonn' AND n > 7 AND d >= DATE '2025-01-01'" });
  });

  it.each([
    [{ city: 'York' }, 'once in the question and nowhere as a literal'],
    [{ 'a b': 'New York' }, 'is no name of a parameter'],
    [{ n: 'Berlin' }, 'nowhere in the question'],
  ])('%j are refused', async (parameters, message) => {
    expect(await refusal(outcome, { parameters })).toContain(message);
  });

  it('are refused where nothing of the question is left: it would be any other', async () => {
    const two = answered('Bonn, 5', "SELECT 'Bonn', 5");
    expect(await refusal(two, { parameters: { city: 'Bonn', n: 5 } })).toContain('nothing but its parameters');
    expect(await refusal(two, { parameters: { city: 'Bonn' } })).toContain('was kept');
  });

  it('are refused where a value stands twice', async () => {
    expect(await refusal(answered('5 or 5?', 'SELECT 5'), { parameters: { n: 5 } })).toContain(
      '2 times in the question',
    );
    expect(await refusal(answered('Of 5?', 'SELECT :n, 5'), { parameters: { n: 5 } })).toContain(
      'has a hole of that name',
    );
  });
});

describe('forget', () => {
  it('removes what one proposed for the question, and nothing of another', async () => {
    const folder = makeFolder({
      ...FILES,
      'sql/sales.md': '---\nnl: All?\nsql: SELECT 1\nverified_by: kim\n---\n',
    });
    for (const by of ['ann', 'bob']) await remember(folder, answered('Net sales', 'SELECT 1'), { ...ANN, by });
    await remember(folder, answered('Sales of 5', 'SELECT 5'), { ...ANN, parameters: { n: 5 } });
    const basedOn = [
      { kind: 'verifiedQuery', name: 'sales', definition: '', state: 'accepted' },
      { kind: 'metric', name: 'Revenue', definition: '', state: 'accepted' },
    ] as const;
    const wrong = answered('net sales?', 'SELECT 9', { basedOn });
    expect(await forget(folder, wrong, { by: 'ann' })).toEqual({
      removed: ['query:net-sales'],
      standsOn: [
        { id: 'query:sales', file: 'sql/sales.md', by: 'kim' },
        { id: 'metric:revenue', file: 'models/shop.ossie.yaml', by: undefined },
      ],
    });
    expect(await forget(folder, answered('sales of 7', ''), { by: 'ann' })).toMatchObject({
      removed: ['query:sales-of-n'],
    });
    expect(await forget(folder, wrong, { by: 'ann' })).toMatchObject({ removed: [] });
    expect(files(folder).filter((file) => file.startsWith('proposals'))).toEqual(['proposals/by/bob/sql/net-sales.md']);
    expect(read(folder, 'sql/sales.md')).toContain('SELECT 1');
  });
});
