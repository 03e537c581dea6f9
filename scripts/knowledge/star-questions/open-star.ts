import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ComparableResult, Row } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { starStatements } from '../../../packages/knowledge/src/test-support/star-tables.ts';
import { STAR } from './star.ts';

/** The tables of the star, in a file that goes with them. */
interface StarTables {
  readonly file: string;
  run(sql: string): ComparableResult;
  close(): void;
}

export function openStar(): StarTables {
  const folder = mkdtempSync(path.join(tmpdir(), 'askema-star-'));
  const file = path.join(folder, 'star.sqlite');
  const database = new DatabaseSync(file);
  for (const sql of starStatements(STAR, sqliteDialect)) database.exec(sql);
  return {
    file,
    run(sql) {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      const columns = statement.columns().map(({ name }) => ({ name }));
      return { columns, rows: statement.all() as unknown as readonly Row[] };
    },
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
