import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Adapter, type ComparableResult, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { sqlite } from '../../../adapters/sqlite/src/index.ts';
import { starStatements } from '../../../packages/knowledge/src/test-support/star-tables.ts';
import { STAR } from './star.ts';

/** The tables of the star in a file that goes with them. */
export interface StarTables {
  readonly adapter: Adapter;
  run(sql: string): Promise<ComparableResult>;
  close(): Promise<void>;
}

export function openStar(): StarTables {
  const folder = mkdtempSync(path.join(tmpdir(), 'askema-star-'));
  const file = path.join(folder, 'star.sqlite');
  const database = new DatabaseSync(file);
  for (const sql of starStatements(STAR, sqliteDialect)) database.exec(sql);
  database.close();
  const own = resolveAdapter(sqlite({ file }));
  return {
    adapter: resolveAdapter(sqlite({ file })),
    run: (sql) => own.query(sql),
    async close() {
      await own.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
