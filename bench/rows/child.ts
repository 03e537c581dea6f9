/** Writes the rows of a statement to stdout as CSV: `child.ts WAY FILE SQL`. Packages are read as they were built. */
import { writeSync } from 'node:fs';
import type { Adapter } from '@askema/core';

/** `driver`: better-sqlite3 alone. */
export type Way = 'driver' | 'stream' | 'query';

type Rows = readonly (readonly unknown[])[];

const [way, file = '', sql = ''] = process.argv.slice(2);

function write(rows: Rows): void {
  writeSync(1, rows.map((row) => `${row.map(field).join(',')}\r\n`).join(''));
}

function field(cell: unknown): string {
  // As the command does: V8 keeps what `String` makes of numbers.
  const text = cell === null ? '' : typeof cell === 'number' ? JSON.stringify(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function readWith(read: (adapter: Adapter) => Promise<void>): Promise<void> {
  const { resolveAdapter } = await import('@askema/core');
  const { sqlite } = await import('@askema/sqlite');
  const adapter = resolveAdapter(sqlite({ file }));
  await read(adapter);
  await adapter.close();
}

if (way === 'driver') {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(file, { readonly: true });
  let rows: unknown[][] = [];
  for (const row of database.prepare(sql).raw().iterate()) {
    if (rows.push(row as unknown[]) < 512) continue;
    write(rows);
    rows = [];
  }
  write(rows);
} else if (way === 'stream') {
  await readWith(async (adapter) => {
    for await (const rows of await adapter.stream(sql)) write(rows);
  });
} else {
  await readWith(async (adapter) => {
    const { rows } = await adapter.query(sql, { maxRows: 10_000_000, maxBytes: 2 ** 40 });
    for (let from = 0; from < rows.length; from += 512) write(rows.slice(from, from + 512));
  });
}
