import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { indexSchema, resolveAdapter, validateSchema } from '@askema/core';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqlite } from './index.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const folder = resolve(repository, process.env.ASKEMA_DATA ?? '../shared/data', 'text2sql-dev');
const missing = !existsSync(folder);
const why = missing ? ` (SKIPPED: no ${folder}; set ASKEMA_DATA to the folder that holds text2sql-dev)` : '';

interface Question {
  readonly id: string;
  readonly db_id: string;
  readonly gold_sql: string;
}

const fileOf = (name: string): string => `${folder}/databases/${name}.sqlite`;

test.skipIf(missing)(`every database introspects fully${why}`, { timeout: 60_000 }, async () => {
  const names = readdirSync(`${folder}/databases`).map((file) => file.replace('.sqlite', ''));
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const name of names) {
    const plain = new Database(fileOf(name), { readonly: true });
    const tables = plain
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .pluck()
      .all() as string[];
    await using adapter = resolveAdapter(sqlite({ file: fileOf(name), poolSize: 1 }));
    const catalog = await adapter.introspect();
    const index = indexSchema(catalog);
    expect(catalog.schema.relations.map((relation) => relation.name)).toEqual(tables);
    for (const { id, name: table } of catalog.schema.relations) {
      const quoted = `"${table.replaceAll('"', '""')}"`;
      const columns = plain.prepare(`SELECT * FROM ${quoted} LIMIT 0`).columns();
      expect(index.attributesOf(id).map((attribute) => attribute.name)).toEqual(columns.map((column) => column.name));
      expect(catalog.relations[id]?.rowCount).toBe(plain.prepare(`SELECT count(*) FROM ${quoted}`).pluck().get());
    }
    // Some declare the same foreign key twice; it is one.
    const declared = plain.prepare(
      `SELECT count(DISTINCT lower(pairs)) FROM (SELECT m.name || group_concat(f."table" || f."from" || coalesce(f."to", '')) AS pairs
       FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f GROUP BY m.name, f.id)`,
    );
    const gaps = catalog.incomplete.filter(({ reason }) => reason.startsWith('foreign key'));
    expect(catalog.schema.foreignKeys.length + gaps.length).toBe(declared.pluck().get());
    expect(catalog.incomplete.length).toBe(gaps.length);
    expect(validateSchema(catalog).filter(({ severity }) => severity === 'error')).toEqual([]);
    plain.close();
  }
});

test.skipIf(missing)(`all gold queries give what the plain driver gives${why}`, { timeout: 120_000 }, async () => {
  const lines = readFileSync(`${folder}/questions.jsonl`, 'utf8').trim().split('\n');
  const questions = lines.map((line) => JSON.parse(line) as Question);
  expect(questions.length).toBeGreaterThanOrEqual(226);
  for (const name of new Set(questions.map((question) => question.db_id))) {
    await using adapter = resolveAdapter(sqlite({ file: fileOf(name), poolSize: 2 }));
    const plain = new Database(fileOf(name), { readonly: true });
    for (const { id, gold_sql: sql } of questions.filter((question) => question.db_id === name)) {
      const expected = plain.prepare(sql).raw().all();
      const { rows, truncated, columns } = await adapter.query(sql);
      expect({ id, rows, truncated }).toEqual({ id, rows: expected, truncated: undefined });
      expect(columns).toHaveLength(plain.prepare(sql).columns().length);
    }
    plain.close();
  }
});
