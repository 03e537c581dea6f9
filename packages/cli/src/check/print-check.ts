import {
  type Adapter,
  type Catalog,
  checkDatabase,
  createCallContext,
  type DatabaseCheck,
  type Severity,
} from '@askema/core';
import type { CommandContext } from '../commands/command-context.ts';
import { escapeJson, jsonCell } from '../format/format-json.ts';
import { EXIT } from '../process/exit-code.ts';
import { printableLines } from '../terminal/printable.ts';
import type { ProgressLine } from '../terminal/progress-line.ts';
import type { CheckRequest } from './check-flags.ts';
import { formatTable } from './format-table-check.ts';

type Counts = Readonly<Record<Severity, number>>;

/** Looks at the database and prints what was found; returns the exit code: 1 where a finding is an error. */
export async function printCheck(
  adapter: Adapter,
  catalog: Catalog,
  request: CheckRequest,
  line: ProgressLine,
  { out, err, signal }: CommandContext,
): Promise<number> {
  const check = await checkDatabase(adapter, catalog, {
    context: createCallContext({ signal, tags: { purpose: 'check' } }),
    data: request.data,
    maxRows: request.maxRows,
    timeoutMs: request.timeoutMs,
    onTable: (name, at, count) => line.show(`looking at ${name} (${at + 1} of ${count})`),
  });
  await line.stop();
  const counts = countsOf(check);
  if (request.format === 'json') {
    await out.write(toJson(check, counts, adapter.name));
  } else {
    const tables = check.tables.map((table) => formatTable(table, out));
    await out.write(tables.join('\n'));
    await err.write(`${err.dim(closing(check, counts, request.data))}\n`);
  }
  for (const { subject, reason } of check.unread)
    await err.write(`${err.yellow('not read:')} ${printableLines(`${subject}: ${reason}`)}\n`);
  return counts.error > 0 ? EXIT.failed : EXIT.ok;
}

function countsOf({ tables }: DatabaseCheck): Counts {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { findings } of tables) for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** The whole check; integers beyond 2^53 and numbers that JSON lacks are strings, bytes are `{"$bytes": "<base64>"}`. */
function toJson({ tables, unread, views }: DatabaseCheck, counts: Counts, database: string): string {
  const document = { schemaVersion: 1, database, counts, tables, views, unread };
  const cells = (_: string, value: unknown): unknown =>
    typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint8Array ? jsonCell(value) : value;
  return `${escapeJson(JSON.stringify(document, cells, 2))}\n`;
}

function closing({ tables, views }: DatabaseCheck, { error, warning, note }: Counts, isData: boolean): string {
  const found = [counted(error, 'error'), counted(warning, 'warning'), counted(note, 'note')].join(', ');
  const viewText = views === 0 ? '' : `; ${counted(views, 'view')} not looked at`;
  const hint = isData
    ? 'Suspects hold in the rows that were read; whether they are rules, the rows cannot tell.'
    : 'A catalog declares keys and no other dependencies, so that it can hold nothing against BCNF; --data looks at the rows.';
  return `${counted(tables.length, 'table')}: ${found}${viewText}\n${hint}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
