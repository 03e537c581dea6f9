import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

// Each question starts an engine in a process of its own.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let project: TemporaryProject;
beforeAll(async () => {
  project = temporaryProject();
  project.write('sales.csv', 'order_id,city,total\n1,London,10.5\n2,Paris,20\n3,London,7\n');
  project.write('people.json', '[{"name": "Ada", "age": 36}, {"name": "Grace", "age": 40}]');
  project.write('visits.ndjson', '{"page": "/", "seconds": 3}\n{"page": "/about", "seconds": 5}\n');
  project.write('shop/orders.csv', 'order_id,customer_id\n1,1\n2,1\n3,2\n');
  project.write('shop/customers.json', '[{"customer_id": 1, "name": "Ada"}, {"customer_id": 2, "name": "Grace"}]');
  project.write('askema.config.mjs', "export default { databases: { sales: './sales.csv' } };");
  project.write('broken.parquet', 'PAR1 but nothing else');
  const instance = await DuckDBInstance.create(project.path('whole.duckdb'));
  const connection = await instance.connect();
  await connection.run(`
    CREATE SCHEMA archive;
    CREATE TABLE orders (order_id INTEGER PRIMARY KEY, total INTEGER);
    CREATE TABLE archive.orders (order_id INTEGER PRIMARY KEY, total INTEGER);
    INSERT INTO orders VALUES (1, 10), (2, 20);
    INSERT INTO archive.orders VALUES (1, 5);
    COPY (SELECT i AS ride_id, i % 3 AS city_id FROM range(10) AS r(i)) TO '${project.path('rides.parquet')}';
  `);
  connection.closeSync();
  instance.closeSync();
});
afterAll(() => project.remove());

const run = (parameters: readonly string[]) => runInProcess(parameters, { cwd: project.folder });

describe('askema ask on plain files', () => {
  it.each([
    ['sales.csv', 'How many sales are there?', '3'],
    ['sales.csv', 'What is the highest total?', '20'],
    ['sales.csv', 'How many sales are in London?', '2'],
    ['duckdb:sales.csv', 'How many different cities are there?', '2'],
    ['sales', 'How many sales are there?', '3'],
    ['people.json', 'How many people are older than 38?', '1'],
    ['visits.ndjson', 'What is the sum of the seconds?', '8'],
    ['rides.parquet', 'How many rides are there?', '10'],
    ['./shop', 'How many orders does Ada have?', '2'],
    ['whole.duckdb', 'How many archive orders are there?', '1'],
  ])('%s: %s', async (address, question, answer) => {
    const { code, stdout, stderr } = await run(['ask', address, question, '--format', 'csv']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout.split('\r\n')[1], stderr).toBe(answer);
  });

  it('answers on the file of the README', async () => {
    const file = fileURLToPath(new URL('../../../../../examples/rides.csv', import.meta.url));
    const { code, stdout } = await run([
      'ask',
      file,
      'What is the average of the minutes for each station?',
      '-f',
      'json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).result.rows).toContainEqual(['Harbour', 17]);
  });

  it('asks back, by schema, which of two tables of one name is meant', async () => {
    const { code, stderr } = await run(['ask', 'whole.duckdb', 'How many orders are there?']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /1 {2}Count of rows in archive\.orders\. {2}→ 1\n {2}2 {2}Count of rows in orders\. {2}→ 2\n/,
    );
  });

  it('says of a file that is broken what it is, and that it is', async () => {
    const { code, stderr } = await run(['ask', 'broken.parquet', 'How many?']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/broken\.parquet/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('changes no file', async () => {
    const { code, stderr } = await run(['ask', 'sales.csv', 'Delete all sales', '--write', '--yes']);
    expect(code).not.toBe(0);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('other commands on DuckDB', () => {
  it('check tells that the engine only reads', async () => {
    const { code, stdout } = await run(['check', 'shop']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/server +DuckDB/);
    expect(stdout).toMatch(/read-only +by the engine/);
    expect(stdout).toMatch(/ 2 +0 +4 +5\n/);
  });

  it('schema tells tables of one name apart, in every format', async () => {
    for (const format of ['text', 'ddl', 'mermaid', 'dbml', 'svg']) {
      const { code, stdout, stderr } = await run(['schema', 'whole.duckdb', '--format', format]);
      expect({ code, stderr, format }).toEqual({ code: 0, stderr: '', format });
      expect(stdout, format).toMatch(/archive/);
    }
    const { stdout } = await run(['schema', 'whole.duckdb', '--format', 'json', '--include', 'archive.*']);
    expect(JSON.parse(stdout).schema.relations).toHaveLength(1);
  });

  it('schema writes models of an ORM for one schema at a time, in a dialect that the ORM knows', async () => {
    const refused = await run(['schema', 'whole.duckdb', '--format', 'prisma']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/DuckDB.*--dialect/) });
    const postgres = ['schema', 'whole.duckdb', '--format', 'prisma', '--dialect', 'postgres'];
    expect(await run(postgres)).toMatchObject({ code: 1, stderr: expect.stringMatching(/write them one by one/) });
    expect(await run([...postgres, '--include', 'archive.*'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^model /m),
    });
  });

  it('schema --check looks at the rows', async () => {
    const { code, stdout } = await run(['schema', 'whole.duckdb', '--check', '--data']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/archive/);
  });

  it('lint knows names and cells', async () => {
    const wrong = await run(['lint', 'sales.csv', "SELECT totl FROM sales WHERE city = 'london'"]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/total/);
    const cell = await run(['lint', 'sales.csv', "SELECT total FROM sales WHERE city = 'london'"]);
    expect(cell.stdout).toMatch(/'London'/);
  });

  it('index reads the cells, and lint finds them there', async () => {
    expect(await run(['index', 'sales.csv', '--out', 'sales.values'])).toMatchObject({ code: 0 });
    const sql = "SELECT total FROM sales WHERE city = 'london'";
    const { stdout } = await run(['lint', 'sales.csv', sql, '--value-index', 'sales.values']);
    expect(stdout).toMatch(/'London'/);
  });
});
