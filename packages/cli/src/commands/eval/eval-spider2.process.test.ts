import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const LOCAL = 'spider2-lite/resource/databases/spider2-localdb';
const GOLD = 'spider2-lite/evaluation_suite/gold';

const TASKS = [
  { instance_id: 'local001', db: 'Harbour-Log', question: 'How many ships are in the log?' },
  { instance_id: 'local002', db: 'Harbour-Log', question: 'Which ships draw more than 5 m?' },
  {
    instance_id: 'local003',
    db: 'market',
    question: 'What are the dues of each stall?',
    external_knowledge: 'dues.md',
  },
  { instance_id: 'local004', db: 'market', question: 'Which notes are there, from the first stall on?' },
  { instance_id: 'bq005', db: 'weather', question: 'How warm is it?' },
  { instance_id: 'sf_bq006', db: 'WEATHER', question: 'How cold is it?' },
];

/** Right only with the document in the prompt; more columns than gold; rows in another order, ignored or not. */
const CONFIG = `
  import { scriptedModel } from '@askema/testkit';
  const reply = (request) => {
    const text = JSON.stringify(request.messages);
    const sql = text.includes('How many ships') ? 'SELECT count(*) AS n FROM ship'
      : text.includes('draw more') ? 'SELECT name, draught FROM ship WHERE draught > 5'
      : text.includes('What are the dues') ? \`SELECT id, size * \${text.includes('thirty a metre') ? 30 : 1} FROM stall ORDER BY id DESC\`
      : 'SELECT note FROM stall ORDER BY id DESC';
    return { json: { outcome: 'sql', sql, explanation: '', not_understood: [] } };
  };
  export default { models: { scripted: () => scriptedModel(reply) } };
`;

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  project.write('spider2-lite/spider2-lite.jsonl', lines(TASKS.map((task) => ({ external_knowledge: null, ...task }))));
  const rules = TASKS.map(({ instance_id }) => ({
    instance_id,
    condition_cols: instance_id === 'local002' ? [0] : [],
    ignore_order: instance_id !== 'local004',
  }));
  project.write(`${GOLD}/spider2lite_eval.jsonl`, lines(rules));
  const results = {
    local001_a: 'n\n7\n',
    local001_b: 'n\n3\n',
    local002: 'name,depth\n"Orca, II",9\nSeal,9\n',
    local003: 'id,dues\n1,60\n2,90\n',
    local004: 'note\n"say ""hi"""\n\n',
    bq005: 't\n1\n',
    sf_bq006: 't\n1\n',
  };
  for (const [name, csv] of Object.entries(results)) project.write(`${GOLD}/exec_result/${name}.csv`, csv);
  project.write(`${GOLD}/sql/local002.sql`, 'SELECT name FROM ship WHERE draught > 5\n');
  project.write('spider2-lite/resource/documents/dues.md', 'Dues are thirty a metre.\n');
  // As the repository has it: a description of each database, which is none.
  project.write('spider2-lite/resource/databases/sqlite/market/DDL.csv', 'table_name,DDL\nstall,none\n');
  mkdirSync(project.path(LOCAL));
  project.database(
    `${LOCAL}/HARBOUR_LOG.sqlite`,
    "CREATE TABLE ship (name TEXT, draught REAL); INSERT INTO ship VALUES ('Orca, II', 6.5), ('Seal', 5.25), ('Tern', 2)",
  );
  project.database(
    `${LOCAL}/market.sqlite`,
    `CREATE TABLE stall (id INTEGER, size INTEGER, note TEXT); INSERT INTO stall VALUES (1, 2, 'say "hi"'), (2, 3, NULL)`,
  );
  project.write('askema.config.ts', CONFIG);
});
afterEach(() => project.remove());

const evaluate = (...parameters: readonly string[]) =>
  runInProcess(['eval', ...parameters], { cwd: project.folder, env: { NO_COLOR: '1' } });
const run = (out: string, ...flags: readonly string[]) =>
  evaluate('run', 'spider2-lite', '--model', 'scripted', '--flow', 'plain', '--out', out, ...flags);
const read = (file: string) => readFileSync(project.path(file), 'utf8');

const OFFICIAL = `Official score (spider2): 3 of 4 tasks right, 75.0 %.
This is a part: 2 of the 6 tasks of the set were not asked or not judged. Over the whole set it is 3 of 6, 50.0 %.
Left out: 1 question on bigquery, and only files are asked here.
Left out: 1 question on snowflake, and only files are asked here.
`;

describe('Spider 2.0 Lite on SQLite files', { timeout: 60_000 }, () => {
  it('goes from the download to the official figure, and to what the official program reads', async () => {
    const first = await run('run', '--predictions', 'submission', '--report', 'report.md');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toContain(OFFICIAL);
    expect(first.stderr).toContain('4 questions, 2 left out');
    expect(first.stderr).toMatch(/Predictions in .*submission: 4\.\n/);
    expect(read('report.md')).toContain('3 of 4 tasks right');
    expect(readdirSync(project.path('submission'))).toEqual(
      TASKS.slice(0, 4).flatMap(({ instance_id }) => [`${instance_id}.csv`, `${instance_id}.sql`]),
    );
    expect(read('submission/local002.sql')).toBe('SELECT name, draught FROM ship WHERE draught > 5\n');
    expect(read('submission/local002.csv')).toBe('name,draught\n"Orca, II",6.5\nSeal,5.25\n');
    // A line without anything would be no row to pandas.
    expect(read('submission/local004.csv')).toBe('note\n""\n"say ""hi"""\n');

    const scored = await evaluate('score', 'spider2-lite', 'submission');
    expect(scored.stdout).toContain(OFFICIAL);
  });

  it('says of how much of the set the figure is when questions are chosen, or their answers were not kept', async () => {
    const some = await run('run', '--ids', 'local001', '--metric', 'valid-sql');
    expect(some.stdout).toContain('Official score (spider2): 1 of 1 task right, 100.0 %.');
    expect(some.stdout).toContain('5 of the 6 tasks of the set were not asked or not judged.');
    const all = await run('run', '--predictions', 'submission');
    expect(all.stdout).toContain(OFFICIAL);
    expect(all.stderr).toMatch(/Predictions in .*: 3\.\nAnswered, and not there: 1\./);
  });

  it.each(['elsewhere', 'elsewhere/{id}.sqlite'])('takes the databases from --database %s', async (place) => {
    renameSync(project.path(LOCAL), project.path('elsewhere'));
    renameSync(project.path('elsewhere/HARBOUR_LOG.sqlite'), project.path('elsewhere/Harbour-Log.sqlite'));
    const { code, stdout } = await run('run', '--database', place);
    expect(code).toBe(0);
    expect(stdout).toContain(OFFICIAL);
  });

  it('names the nearest file for a database that is not there, and counts its tasks as not asked', async () => {
    renameSync(project.path(`${LOCAL}/market.sqlite`), project.path(`${LOCAL}/markets.sqlite`));
    const { stdout } = await run('run');
    expect(stdout).toContain('Official score (spider2): 2 of 2 tasks right, 100.0 %.');
    expect(stdout).toContain('This is a part: 4 of the 6 tasks of the set');
    expect(stdout).toMatch(
      /Line 3 names the database market, .*spider2-localdb.market\.sqlite\. Did you mean `markets`/,
    );
  });

  it('asks nothing where no question is on what --database reaches', async () => {
    project.write(
      'spider2-lite/spider2-lite.jsonl',
      TASKS.slice(4)
        .map((task) => JSON.stringify(task))
        .join('\n'),
    );
    const { code, stderr } = await run('run', '--database', LOCAL);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /No question of spider2-lite can be asked here: 1 on bigquery, and only files are asked here; 1 on snowflake/,
    );
  });
});
