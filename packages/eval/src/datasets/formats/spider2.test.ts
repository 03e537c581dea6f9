import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spider2Metric } from '../../metrics/spider2-metric.ts';
import { datasetFolder } from '../fixtures/dataset-folder.ts';
import { loadDataset } from '../load-dataset.ts';

const task = {
  instance_id: 'local001',
  set: 'lite',
  db: 'Harbour-Log',
  question: 'Which ships?',
  external_knowledge: 'tides.md',
  temporal: false,
  gold_tables: ['ships'],
  condition_cols: [[0], []],
  ignore_order: true,
  gold_id: 'sf_local001',
  gold_files: ['sf_local001_a.csv', 'sf_local001_b.csv'],
};
const bigquery = {
  ...task,
  instance_id: 'bq002',
  db: 'weather',
  external_knowledge: null,
  condition_cols: [null],
  ignore_order: false,
  temporal: true,
  gold_id: 'sf_bq002',
  gold_files: ['sf_bq002.csv'],
};
const snow = { ...task, set: 'snow', instance_id: 'sf_local001', db: 'HARBOUR_LOG', condition_cols: [1, 2] };
const lines = {
  'tasks.jsonl': [task, bigquery, snow],
  'gold-sql.jsonl': [
    { instance_id: 'local001', set: 'lite', dialect: 'sqlite', sql: 'SELECT 1' },
    { instance_id: 'sf_local001', set: 'snow', dialect: 'snowflake', sql: 'SELECT 2' },
    { instance_id: 'bq999', set: 'lite', dialect: 'bigquery', sql: 'SELECT 3' },
  ],
  'gold-results.jsonl.gz': [{ instance_id: 'sf_local001', file: 'sf_local001_b.csv', csv: 'a\n1\n' }],
  'documents.jsonl': [{ name: 'tides.md', text: 'High is 3 m.', text_snow: 'HIGH is 3 m.' }],
  'databases/Harbour-Log.sqlite': '',
};

describe('the format spider2 as lines', () => {
  it('reads the tasks of a set with statements, results at their places, rule and documents', async () => {
    const root = datasetFolder(lines);
    const { questions, databases, documents, problems, format } = await loadDataset(root, { format: 'spider2-lite' });
    expect(format).toBe('spider2-lite');
    expect(questions).toMatchObject([
      {
        id: 'local001',
        goldSql: ['SELECT 1'],
        goldResults: [{ file: 'sf_local001_b.csv', position: 1, csv: 'a\n1\n' }],
        official: { benchmark: 'spider2', conditionColumns: [[0], []], ignoreOrder: true, files: 2 },
        documents: ['tides.md'],
        category: 'sqlite',
        orderMatters: false,
        features: [],
      },
      {
        id: 'bq002',
        goldSql: [],
        official: { conditionColumns: [], ignoreOrder: false, files: 1 },
        category: 'bigquery',
        orderMatters: true,
        features: ['temporal'],
      },
    ]);
    expect(questions[1]).not.toHaveProperty('goldResults');
    expect(JSON.stringify(questions)).not.toContain('ships"');
    expect(documents).toEqual({ 'tides.md': 'High is 3 m.' });
    expect(databases).toEqual({
      'Harbour-Log': { id: 'Harbour-Log', file: path.join(root, 'databases/Harbour-Log.sqlite'), dialect: 'sqlite' },
      weather: { id: 'weather', file: path.join(root, 'databases/weather.sqlite'), dialect: 'bigquery' },
    });
    expect(problems).toMatchObject([{ line: 3, id: 'bq999', message: expect.stringContaining('no task') }]);
  });

  it('reads Snow from the same files, all of it on Snowflake, with its own documents', async () => {
    const { questions, databases, documents } = await loadDataset(datasetFolder(lines), { format: 'spider2-snow' });
    expect(questions).toMatchObject([
      { id: 'sf_local001', goldSql: ['SELECT 2'], official: { conditionColumns: [1, 2], files: 2 } },
    ]);
    expect(databases.HARBOUR_LOG?.dialect).toBe('snowflake');
    expect(documents).toEqual({ 'tides.md': 'HIGH is 3 m.' });
  });

  it('wants to be told the set where both are there', async () => {
    await expect(loadDataset(datasetFolder(lines))).rejects.toThrow(/both sets.*`spider2-lite` or `spider2-snow`/);
    const { format } = await loadDataset(datasetFolder({ ...lines, 'tasks.jsonl': [snow] }));
    expect(format).toBe('spider2-snow');
  });

  it('reports what it cannot use: rows, rules, documents, SQLite files that are missing', async () => {
    const root = datasetFolder({
      ...lines,
      'gold-sql.jsonl': '{"instance_id"',
      'tasks.jsonl': [
        task,
        { ...task, instance_id: 'local002', db: 'Harbour-Lag' },
        { ...task, instance_id: 'local003', condition_cols: [0, [1]] },
        { ...task, instance_id: 'local004', external_knowledge: 'gone.md' },
        { ...task, instance_id: 'local005', question: '' },
        { ...task, instance_id: '../x' },
        { ...task, instance_id: 'local007', external_knowledge: '../../secret' },
      ],
    });
    const { questions, problems } = await loadDataset(root, { format: 'spider2-lite' });
    expect(questions.map(({ id }) => id)).toEqual(['local001']);
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [1, expect.stringMatching(/gold-sql\.jsonl.*no JSON/)],
      [2, expect.stringMatching(/Harbour-Lag.*Did you mean `Harbour-Log`/)],
      [3, expect.stringContaining('no rule for local003')],
      [4, expect.stringContaining('gone.md')],
      [5, expect.stringContaining('question')],
      [6, expect.stringContaining('instance_id')],
      [7, expect.stringContaining('external_knowledge')],
    ]);
    const elsewhere = await loadDataset(root, { format: 'spider2-lite', databases: 'elsewhere' });
    expect(elsewhere.questions.map(({ id }) => id)).toEqual(['local001', 'local002']);
  });
});

const gold = 'evaluation_suite/gold';
const official = {
  'spider2-lite.jsonl': [
    { instance_id: 'local001', db: 'Harbour-Log', question: 'Which ships?', external_knowledge: 'tides.md' },
    { instance_id: 'sf_bq002', db: 'WEATHER', question: 'How warm?', external_knowledge: null },
    { instance_id: 'bq003', db: 'weather', question: 'How cold?', external_knowledge: null },
  ],
  [`${gold}/spider2lite_eval.jsonl`]: [
    { instance_id: 'local001', condition_cols: [0], ignore_order: true, toks: '79' },
    { instance_id: 'sf_bq002', condition_cols: [[]], ignore_order: false, toks: '160', temporal: true },
  ],
  [`${gold}/sql/local001.sql`]: 'SELECT 1;\n',
  [`${gold}/exec_result/local001_b.csv`]: 'a\n2\n',
  [`${gold}/exec_result/local001_a.csv`]: 'a\n1\n',
  [`${gold}/exec_result/local0011.csv`]: 'a\n9\n',
  [`${gold}/exec_result/sf_bq002.csv`]: 'a\n3\n',
  [`${gold}/exec_result/sf_bq002_a.csv`]: 'a\n4\n',
  'resource/documents/tides.md': 'High is 3 m.',
  'resource/databases/spider2-localdb/Harbour-Log.sqlite': '',
};

describe('the format spider2 as its repository has it', () => {
  it('reads gold and rules from the evaluation suite', async () => {
    const root = datasetFolder(official);
    const { questions, databases, documents, problems, format } = await loadDataset(root);
    expect(format).toBe('spider2-lite');
    expect(questions).toMatchObject([
      {
        id: 'local001',
        goldSql: ['SELECT 1;'],
        goldResults: [
          { file: 'local001_a.csv', position: 0, csv: 'a\n1\n' },
          { file: 'local001_b.csv', position: 1, csv: 'a\n2\n' },
        ],
        official: { conditionColumns: [0], ignoreOrder: true, files: 2 },
        difficulty: 'easy',
      },
      {
        id: 'sf_bq002',
        goldResults: [{ file: 'sf_bq002.csv', position: 0, csv: 'a\n3\n' }],
        official: { conditionColumns: [], files: 1 },
        difficulty: 'hard',
        features: ['temporal'],
      },
    ]);
    expect(documents).toEqual({ 'tides.md': 'High is 3 m.' });
    expect(databases['Harbour-Log']?.file).toMatch(/spider2-localdb.Harbour-Log\.sqlite$/);
    expect(databases.WEATHER?.dialect).toBe('snowflake');
    expect(problems).toMatchObject([{ line: 3, id: 'bq003', message: expect.stringContaining('no rule') }]);
  });

  it('takes the file whose name differs in case and dashes alone, never the folder that describes a database', async () => {
    const { 'resource/databases/spider2-localdb/Harbour-Log.sqlite': file, ...rest } = official;
    const described = { ...rest, 'resource/databases/sqlite/Harbour-Log/DDL.csv': 'table_name,DDL\n' };
    const place = 'resource/databases/spider2-localdb';
    const loosely = await loadDataset(datasetFolder({ ...described, [`${place}/HARBOUR_LOG.sqlite`]: file }));
    expect(loosely.databases['Harbour-Log']?.file).toMatch(/spider2-localdb.HARBOUR_LOG\.sqlite$/);
    const both = { [`${place}/HARBOUR_LOG.sqlite`]: file, [`${place}/harbour-log.db`]: file };
    for (const files of [{}, both]) {
      const { questions, problems } = await loadDataset(datasetFolder({ ...described, ...files }));
      expect(questions.map(({ id }) => id)).toEqual(['sf_bq002']);
      expect(problems[0]?.message).toMatch(/Harbour-Log, but there is no .*spider2-localdb.Harbour-Log\.sqlite/);
    }
  });

  it('counts of a single file with a letter the first condition column alone, as the evaluators do', async () => {
    const columnsOf = async (set: 'lite' | 'snow', file: string, columns: unknown) => {
      const root = datasetFolder({
        [`spider2-${set}.jsonl`]: [{ instance_id: 'sf001', db: 'WEATHER', question: 'How warm?' }],
        [`${gold}/spider2${set}_eval.jsonl`]: [{ instance_id: 'sf001', condition_cols: columns, ignore_order: true }],
        [`${gold}/exec_result/${file}`]: 'a,b,c\n1,2,3\n',
      });
      const { questions } = await loadDataset(root);
      return questions[0]?.official;
    };
    expect(await columnsOf('lite', 'sf001.csv', [1, 2])).toMatchObject({ conditionColumns: [1, 2], files: 1 });
    expect(await columnsOf('lite', 'sf001_a.csv', [1, 2])).toMatchObject({ conditionColumns: [1], files: 1 });
    expect(await columnsOf('lite', 'sf001_a.csv', [[1, 2]])).toMatchObject({ conditionColumns: [1, 2] });
    // For Lite 0 is no condition, so that all columns count.
    expect(await columnsOf('lite', 'sf001_a.csv', [0, 2])).toMatchObject({ conditionColumns: [] });
    expect(await columnsOf('snow', 'sf001_a.csv', [0, 2])).toMatchObject({ conditionColumns: [0] });
  });

  it('says how many tasks the set has, those included that cannot be used', async () => {
    const rows = [...official['spider2-lite.jsonl'], { ...official['spider2-lite.jsonl'][0] }, { db: 'x' }];
    const dataset = await loadDataset(datasetFolder({ ...official, 'spider2-lite.jsonl': rows }));
    expect(dataset.questions).toHaveLength(2);
    // A task that stands there twice is one.
    expect(dataset.official).toEqual({ metric: spider2Metric.id, tasks: 4 });
    const snow = await loadDataset(datasetFolder(lines), { format: 'spider2-snow' });
    expect(snow.official?.tasks).toBe(1);
  });

  it('reads Snow with its names of the fields, and databases from a folder of their own', async () => {
    const root = datasetFolder({
      'spider2-snow.jsonl': [
        { instance_id: 'sf001', db_id: 'WEATHER', instruction: 'How warm?', external_knowledge: null },
      ],
      [`${gold}/spider2snow_eval.jsonl`]: [{ instance_id: 'sf001', condition_cols: null, ignore_order: true }],
    });
    const { questions, format } = await loadDataset(root);
    expect(format).toBe('spider2-snow');
    expect(questions).toMatchObject([{ question: 'How warm?', databaseId: 'WEATHER', goldSql: [] }]);
    const lite = datasetFolder({ ...official, 'dbs/Harbour-Log.sqlite': '' });
    const { databases } = await loadDataset(lite, { databaseFolder: path.join(lite, 'dbs') });
    expect(databases['Harbour-Log']?.file).toBe(path.join(lite, 'dbs/Harbour-Log.sqlite'));
  });
});
