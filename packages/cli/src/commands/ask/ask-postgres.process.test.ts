import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshPostgres } from '../../../../../scripts/testing/fresh-postgres.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let project: TemporaryProject;
let database: PGlite;
let server: PGLiteSocketServer;
let address: string;

beforeAll(async () => {
  project = temporaryProject();
  database = await freshPostgres();
  await database.exec(`
    CREATE SCHEMA archive;
    CREATE TYPE mood AS ENUM ('calm', 'cross');
    CREATE TABLE customers (customer_id INT PRIMARY KEY, name TEXT NOT NULL, mood mood, born DATE);
    CREATE TABLE orders (order_id INT PRIMARY KEY, customer_id INT REFERENCES customers, total NUMERIC(10, 2), placed_on TIMESTAMP);
    CREATE TABLE archive.orders (order_id INT PRIMARY KEY, total NUMERIC(10, 2));
    COMMENT ON TABLE customers IS 'Who buys';
    INSERT INTO customers VALUES (1, 'Ada', 'calm', '1990-01-01'), (2, 'Grace', 'cross', NULL);
    INSERT INTO orders VALUES (1, 1, 10.50, '2024-05-01'), (2, 1, 20.00, '2024-06-01'), (3, 2, NULL, '2024-05-09');
    INSERT INTO archive.orders VALUES (1, 5);
  `);
  server = new PGLiteSocketServer({ db: database, host: '127.0.0.1', port: 0, maxConnections: 8 });
  await server.start();
  address = `postgres://postgres@${server.getServerConn()}/postgres`;
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await database?.close();
  project.remove();
});

const run = (parameters: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(parameters, { cwd: project.folder, env: { PGPASSWORD: 'word-of-the-reader', ...env } });

describe('PostgreSQL by its address', () => {
  it.each([
    ['How many customers are there?', '2'],
    ['How many cross customers are there?', '1'],
    ['How many archive orders are there?', '1'],
    ['Which customer was born before 1995?', 'Ada'],
    ['What is the highest total of an archive order?', '5.00'],
  ])('answers: %s', async (question, answer) => {
    const { code, stdout, stderr } = await run(['ask', address, question, '--format', 'csv']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout.split('\r\n')[1], stderr).toBe(answer);
  });

  it('check tells who is connected, and what is missing', async () => {
    const { code, stdout, stderr } = await run(['check', address]);
    expect(stdout, stderr).toMatch(/server +PostgreSQL/);
    expect(stdout).toMatch(/user +postgres/);
    expect(stdout).toMatch(/archive +1 +0 +2/);
    // The superuser of the stand-in may do anything.
    expect(stdout).toMatch(/(error|warning): /);
    expect([0, 1]).toContain(code);
    expect(stdout + stderr).not.toContain('word-of-the-reader');
  });

  it('schema and lint name relations by their schema', async () => {
    const { code, stdout } = await run(['schema', address]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/archive\.orders/);
    const linted = await run(['lint', address, 'SELECT totl FROM archive.orders']);
    expect(linted.code).toBe(1);
    expect(linted.stdout).toMatch(/total/);
  });

  it.each([['ask'], ['check']])('%s takes no password from an address, and never shows it', async (command) => {
    const withSecret = address.replace('postgres@', 'postgres:word-of-the-reader@');
    const { code, stdout, stderr } = await run([command, withSecret, ...(command === 'ask' ? ['How many?'] : [])]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/PGPASSWORD/);
    expect(stdout + stderr).not.toContain('word-of-the-reader');
  });

  it('says in one sentence that nothing listens', async () => {
    const { code, stdout, stderr } = await run(['check', 'postgres://reader@127.0.0.1:1/shop']);
    expect({ code }).toEqual({ code: 1 });
    expect(stderr).toMatch(/^error: .*127\.0\.0\.1.*\[DATABASE_UNAVAILABLE/);
    expect(stdout + stderr).not.toMatch(/\n\s+at |word-of-the-reader/);
  });
});
