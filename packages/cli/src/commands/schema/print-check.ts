import { type Adapter, AskemaError, type Catalog, createCallContext, type Severity } from '@askema/core';
import { CHECK_DEFAULTS, checkDatabase, type DatabaseCheck } from '@askema/lint';
import { parseCount } from '../../flags/parse-count.ts';
import { escapeJson, jsonCell } from '../../format/format-json.ts';
import type { ReportFormat } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { printableLines } from '../../terminal/printable.ts';
import type { ProgressLine } from '../../terminal/progress-line.ts';
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

/**
 * The whole check; integers beyond 2^53 and numbers that JSON lacks are strings, bytes are `{"$bytes": "<base64>"}`.
 */
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

/** The options of `askema schema` that belong to `--check`. */
interface CheckFlags {
  readonly check?: boolean | undefined;
  readonly data?: boolean | undefined;
  readonly maxRows?: string | undefined;
  readonly timeout?: string | undefined;
  readonly format: string;
  readonly dialect?: string | undefined;
}

/** What is to be looked at, and how it is printed. */
interface CheckRequest {
  readonly data: boolean;
  readonly maxRows: number;
  /** For the rows of one table. */
  readonly timeoutMs: number;
  readonly format: ReportFormat;
}

/**
 * Undefined without `--check`.
 *
 * @throws AskemaError `INPUT_INVALID` for options that do not go together, and for invalid counts and times.
 */
export function readCheckFlags(flags: CheckFlags): CheckRequest | undefined {
  if (flags.check !== true) {
    for (const name of ['data', 'maxRows', 'timeout'] as const)
      if (flags[name] !== undefined) throw goesWith(optionOf(name), '--check');
    return undefined;
  }
  if (flags.data !== true)
    for (const name of ['maxRows', 'timeout'] as const)
      if (flags[name] !== undefined) throw goesWith(optionOf(name), '--data, which looks at rows');
  if (flags.dialect !== undefined)
    throw new AskemaError('INPUT_INVALID', '--dialect goes with --format ddl, prisma or drizzle, not with --check.');
  if (flags.format !== 'text' && flags.format !== 'json')
    throw new AskemaError('INPUT_INVALID', `--check is printed as text or json, not as ${flags.format}.`);
  return {
    data: flags.data === true,
    maxRows: flags.maxRows === undefined ? CHECK_DEFAULTS.maxRows : parseCount(flags.maxRows, '--max-rows'),
    timeoutMs: flags.timeout === undefined ? CHECK_DEFAULTS.timeoutMs : parseDuration(flags.timeout, '--timeout'),
    format: flags.format,
  };
}

function optionOf(name: 'data' | 'maxRows' | 'timeout'): string {
  return name === 'maxRows' ? '--max-rows' : `--${name}`;
}

function goesWith(option: string, other: string): AskemaError {
  return new AskemaError('INPUT_INVALID', `${option} goes with ${other}; give both.`);
}
