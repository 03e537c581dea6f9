import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datasetFolder } from '../fixtures/dataset-folder.ts';
import { loadDataset } from '../load-dataset.ts';
import { defogAlternatives } from './defog.ts';

describe('defogAlternatives', () => {
  it.each([
    ['SELECT a FROM t;', ['SELECT a FROM t']],
    ['SELECT a FROM t; SELECT b FROM t;', ['SELECT a FROM t', 'SELECT b FROM t']],
    [
      'SELECT {u.id, u.name}, count(*) FROM u GROUP BY {}',
      [
        'SELECT u.id, count(*) FROM u GROUP BY u.id',
        'SELECT u.name, count(*) FROM u GROUP BY u.name',
        'SELECT u.id, u.name, count(*) FROM u GROUP BY u.id, u.name',
      ],
    ],
    ["SELECT ';{a,b}' FROM t", ["SELECT ';{a,b}' FROM t"]],
    ["SELECT {'a,b', c} FROM t", ["SELECT 'a,b' FROM t", 'SELECT c FROM t', "SELECT 'a,b', c FROM t"]],
    [' ; ', []],
  ])('%s', (query, expected) => {
    expect(defogAlternatives(query)).toEqual(expected);
  });

  it('gives every selection of the columns once, and no more than can be run', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), (count) => {
        const columns = Array.from({ length: count }, (_, n) => `c${n}`);
        const all = defogAlternatives(`SELECT {${columns.join(', ')}} FROM t`);
        expect(all).toHaveLength(2 ** count - 1);
        expect(all?.at(-1)).toBe(`SELECT ${columns.join(', ')} FROM t`);
      }),
    );
    expect(defogAlternatives(`SELECT {${'a,'.repeat(10)}b} FROM t`)).toBeUndefined();
  });
});

const HEADER = 'db_name,db_type,query_category,query,question,instructions\n';
const line = {
  id: 'd1',
  db_id: 'broker',
  category: 'ratio',
  question: 'How many?',
  evidence: '',
  gold_sql_postgres: ['SELECT 1', 'SELECT 1::int'],
  gold_sql_sqlite: ['SELECT 1'],
  now_dependent: false,
  sqlite_ok: true,
};
const today = { ...line, id: 'd2', now_dependent: true, sqlite_ok: false };
const onlyPostgres = { ...line, id: 'd3', gold_sql_sqlite: [] };
const files = { 'sqlite/broker.sqlite': '', 'questions.jsonl': [line, today, onlyPostgres] };

describe('the format defog', () => {
  it('reads the CSV of the benchmark', async () => {
    const csv = `${HEADER}broker,sqlite,order_by,"SELECT {a, b} FROM t ORDER BY a;",Which?,Use a\nbroker,sqlite,,SELECT 2,How?,\nbroker,sqlite,,;,None?,\n`;
    const root = datasetFolder({ 'questions_gen_sqlite.csv': csv, 'broker/broker.sqlite': '' });
    const { format, questions, problems, databases } = await loadDataset(root);
    expect(format).toBe('defog');
    expect(questions).toMatchObject([
      { id: 'questions_gen_sqlite-0', category: 'order_by', evidence: 'Use a', orderMatters: false, line: 2 },
      { id: 'questions_gen_sqlite-1', category: 'all', goldSql: ['SELECT 2'] },
    ]);
    expect(questions[0]?.goldSql).toHaveLength(3);
    expect(problems).toMatchObject([{ line: 4, message: expect.stringContaining('no statement') }]);
    expect(databases.broker?.dialect).toBe('sqlite');
  });

  it('takes the gold for the databases that are there, and reports what has none', async () => {
    const root = datasetFolder(files);
    const { questions, problems, databases } = await loadDataset(root);
    expect(questions).toMatchObject([{ id: 'd1', goldSql: ['SELECT 1'], features: [] }]);
    expect(problems.map(({ id, message }) => [id, message])).toEqual([
      ['d2', expect.stringContaining('depends on the date')],
      ['d3', expect.stringContaining('no gold SQL for sqlite')],
    ]);
    expect(databases.broker?.file).toBe(path.join(root, 'sqlite/broker.sqlite'));
  });

  it('takes the gold for PostgreSQL where the databases are on a server', async () => {
    const root = datasetFolder(files);
    const { questions, problems, databases } = await loadDataset(root, { databases: 'elsewhere' });
    expect(problems).toEqual([]);
    expect(questions.map(({ id, goldSql, features }) => [id, goldSql.length, features])).toEqual([
      ['d1', 2, []],
      ['d2', 2, ['now-dependent']],
      ['d3', 2, []],
    ]);
    expect(databases.broker?.dialect).toBe('postgres');
    const asFiles = await loadDataset(root, { databases: 'elsewhere', database: 'copies/{id}.sqlite' });
    expect(asFiles.databases.broker?.dialect).toBe('sqlite');
  });

  it('refuses files for the gold of a server, and dialects that have no gold', async () => {
    const root = datasetFolder({
      ...files,
      'p/questions_gen_postgres.csv': `${HEADER}broker,postgres,x,SELECT 1,How many?,\n`,
    });
    await expect(loadDataset(path.join(root, 'p/questions_gen_postgres.csv'))).rejects.toThrow(/written for postgres/);
    await expect(loadDataset(root, { dialect: 'oracle' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
