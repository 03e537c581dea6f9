import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';

const PACKAGE = resolve(import.meta.dirname, '../..');

/** A folder of its own for one test. */
export interface TemporaryProject {
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): string;
  /** Makes a SQLite file from statements. */
  database(name: string, sql: string): string;
  remove(): void;
}

/**
 * A folder outside the workspace whose files can import `askema` and every `@askema/…` package, as a user's project
 * can: its node_modules links to the packages.
 */
export function temporaryProject(): TemporaryProject {
  const folder = mkdtempSync(join(tmpdir(), 'askema-cli-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(PACKAGE, join(modules, 'askema'), 'dir');
  symlinkSync(join(PACKAGE, 'node_modules', '@askema'), join(modules, '@askema'), 'dir');
  const path = (name: string): string => join(folder, name);
  return {
    folder,
    path,
    write(name, text) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
      return path(name);
    },
    database(name, sql) {
      const database = new Database(path(name));
      database.exec(sql);
      database.close();
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A small shop: five customers, one without a city, and their orders. */
export const SHOP_SQL = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
  CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id), total NUMERIC NOT NULL);
  INSERT INTO customer VALUES (1, 'Ada', 'London'), (2, 'Grace', 'New York'), (3, 'Edsger', NULL), (4, '東京', 'Tokyo'), (5, '', 'Rome');
  INSERT INTO "order" VALUES (1, 1, 10.5), (2, 1, 20), (3, 2, 9007199254740993);
`;

/** A configuration whose model answers with these statements, one a call, as the generate task wants them. */
export function scriptedConfig(statements: readonly string[], more = ''): string {
  const replies = statements.map((sql) => ({
    json: { outcome: 'sql', sql, explanation: 'Scripted.', not_understood: [] },
  }));
  return `
    import { defineConfig } from 'askema';
    import { scriptedModel } from '@askema/testkit';
    export default defineConfig({
      models: { scripted: () => scriptedModel(${JSON.stringify(replies)}) },
      defaults: { model: 'scripted' },
      ${more}
    });
  `;
}
