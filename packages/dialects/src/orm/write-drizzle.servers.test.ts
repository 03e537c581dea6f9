import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import nodeSqlParser from 'node-sql-parser';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshPostgres } from '../../../../scripts/testing/fresh-postgres.ts';
import { pathOfJudge } from '../../../../servers/require-judge.ts';
import { expectedSchema } from '../ddl/expected-schema.ts';
import { readPostgres } from '../ddl/postgres-fixture.ts';
import { schemaFromText } from '../ddl/schema-text-fixture.ts';
import { type DrizzleDialect, writeDrizzle } from './write-drizzle.ts';

vi.setConfig({ testTimeout: 60_000 });

// Inside the package, so that drizzle-orm is found.
const FOLDER = fileURLToPath(new URL('../../.askema/drizzle/', import.meta.url));
beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/**
 * Everything at once: cycles, self references, composite keys, Chinese, reserved words, names that Drizzle uses itself.
 */
const FEATURES = schemaFromText(`
  departments: id NUMERIC key, head NUMERIC not null > employees.id, name TEXT not null unique
  employees: id NUMERIC key, department NUMERIC > departments.id, boss NUMERIC > employees.id, email TEXT unique, hired DATETIME, photo BINARY, active BOOL not null
  订单: 编号 NUMERIC key, 客户 NUMERIC > employees.id
  order line: order NUMERIC key > 订单.编号, line-no NUMERIC key, default TEXT, class TEXT, _ TEXT
  pgTable: text TEXT key, unique BINARY, 1st TEXT, ⸯ TEXT
  ${'long_'.repeat(9)}table: ${'long_'.repeat(9)}column NUMERIC > employees.id
`);
const DIALECTS: readonly DrizzleDialect[] = ['sqlite', 'postgresql', 'mysql'];

function fileOf(dialect: DrizzleDialect): string {
  const file = join(FOLDER, `${dialect}.ts`);
  writeFileSync(file, writeDrizzle(FEATURES, { dialect }));
  return file;
}

/** What `drizzle-kit export` prints for the features. */
function exported(dialect: DrizzleDialect): string {
  const kit = join(dirname(pathOfJudge('drizzle-kit')), 'bin.cjs');
  const parameters = [kit, 'export', '--dialect', dialect, '--schema', fileOf(dialect)];
  const printed = execFileSync(process.execPath, parameters, { cwd: FOLDER, encoding: 'utf8' });
  return printed.slice(printed.indexOf('CREATE TABLE'));
}

describe('the module of every feature', () => {
  it('type-checks for each database', () => {
    const options: ts.CompilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: ['node'],
    };
    const problems = ts.getPreEmitDiagnostics(ts.createProgram(DIALECTS.map(fileOf), options));
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it('gives SQL that SQLite executes', () => {
    const database = new Database(':memory:');
    database.exec(exported('sqlite'));
    const keys = database
      .prepare(
        `SELECT m.name AS own, k."from", k."table", k."to" FROM sqlite_schema m, pragma_foreign_key_list(m.name) k WHERE m.type = 'table'`,
      )
      .all();
    expect(keys).toHaveLength(FEATURES.foreignKeys.length);
    expect(keys).toContainEqual({ own: 'order line', from: 'order', table: '订单', to: '编号' });
    expect(
      database.prepare(`SELECT group_concat(name) FROM pragma_table_info('order line') WHERE pk > 0`).pluck().get(),
    ).toBe('order,line-no');
    database.close();
  });

  it('gives SQL that PostgreSQL executes, and reads back as the schema', async () => {
    const database = await freshPostgres();
    await database.exec(exported('postgresql'));
    expect(await readPostgres(database)).toEqual(expectedSchema(FEATURES));
    await database.close();
  });

  it('gives SQL that a parser of MySQL reads, with no name that is too long', () => {
    const sql = exported('mysql');
    new nodeSqlParser.Parser().astify(sql, { database: 'mysql' });
    expect(sql.match(/FOREIGN KEY/g)).toHaveLength(FEATURES.foreignKeys.length);
    for (const [, name = ''] of sql.matchAll(/`([^`]+)`/g)) expect(name.length).toBeLessThanOrEqual(64);
  });
});
