import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdapterSpec, createCallContext, resolveAdapter, type Schema, toAskemaError } from '@askema/core';
import { sqliteDialect, writeDdl } from '@askema/dialects';
import { splitStatements } from '@askema/sql';
import { sqlite } from '@askema/sqlite';

/** Empty SQLite databases in a temporary folder. */
interface ScratchDatabases {
  /** An empty database, opened for writing; its file goes when it is closed. */
  open(): AdapterSpec;
  /** Whether the SQLite DDL of a schema runs in an empty database, with foreign keys enforced. */
  runDdl(
    schema: Schema,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly runs: boolean; readonly error?: string | undefined }>;
  /** Removes the folder. */
  remove(): void;
}

/** Makes the folder at once. */
export function createScratchDatabases(): ScratchDatabases {
  const folder = mkdtempSync(join(tmpdir(), 'askema-scratch-'));
  let made = 0;
  const open = (): AdapterSpec => {
    made += 1;
    const file = join(folder, `${made}.sqlite`);
    // SQLite takes an empty file for an empty database.
    writeFileSync(file, '');
    const adapter = sqlite({ file, access: 'write', poolSize: 1 });
    return {
      ...adapter,
      async close() {
        await adapter.close();
        rmSync(file, { force: true });
      },
    };
  };
  return {
    open,
    async runDdl(schema, signal) {
      const adapter = resolveAdapter(open());
      try {
        const ddl = writeDdl(schema, sqliteDialect);
        for (const { start, end } of splitStatements(ddl, sqliteDialect.lexer))
          await adapter.query(ddl.slice(start, end), { access: 'write', context: createCallContext({ signal }) });
        return { runs: true };
      } catch (thrown) {
        return { runs: false, error: toAskemaError(thrown).message };
      } finally {
        await adapter.close();
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
