import { resolve } from 'node:path';
import { AskemaError, type ResultColumn, type Row } from '@askema/core';
import { type AuditFilter, type AuditRecord, auditFiles, readAudit } from '@askema/server';
import { loadConfig } from '../../config/load-config.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { formatTable } from '../ask/format-rows.ts';
import { stateFiles } from '../serve/state-files.ts';
import { parseSince } from './parse-since.ts';

export interface AuditFlags extends Pick<AuditFilter, 'tenant' | 'database' | 'outcome'> {
  readonly since?: string | undefined;
  readonly caller?: string | undefined;
  readonly limit?: string | undefined;
  readonly format: 'table' | 'jsonl';
  readonly file?: string | undefined;
  readonly config?: string | undefined;
}

/** Lines of a table, unless told otherwise. */
const TABLE_LINES = 100;

/** `askema audit`; returns the exit code. */
export async function runAudit(flags: AuditFlags, context: CommandContext): Promise<number> {
  const { out, err, signal } = context;
  const file = await auditFile(flags, context);
  const given = flags.limit === undefined ? undefined : parseCount(flags.limit, '--limit');
  const limit = given ?? (flags.format === 'table' ? TABLE_LINES : Number.POSITIVE_INFINITY);
  const filter: AuditFilter = {
    since: flags.since === undefined ? undefined : parseSince(flags.since, Date.now()),
    subject: flags.caller,
    tenant: flags.tenant,
    database: flags.database,
    outcome: flags.outcome,
  };
  let unreadable = 0;
  let count = 0;
  const last: AuditRecord[] = [];
  const onUnreadable = (): void => {
    unreadable += 1;
  };
  for await (const record of readAudit(file, { ...filter, onUnreadable })) {
    signal.throwIfAborted();
    if (out.isGone) return EXIT.ok;
    count += 1;
    if (limit === Number.POSITIVE_INFINITY) await out.write(jsonLine(record));
    else {
      last.push(record);
      if (last.length > limit) last.shift();
    }
  }
  if (flags.format === 'jsonl') for (const record of last) await out.write(jsonLine(record));
  else if (last.length > 0) await out.write(formatTable(COLUMNS, last.map(rowOf), out).text);
  if (count === 0) await err.write(`${err.dim('Nothing fits.')}\n`);
  if (last.length < count && last.length > 0)
    await err.write(`${err.dim(`${count - last.length} earlier; --limit shows more.`)}\n`);
  if (unreadable > 0)
    await err.write(`${err.yellow('note:')} ${unreadable} ${unreadable === 1 ? 'line' : 'lines'} cannot be read.\n`);
  return EXIT.ok;
}

async function auditFile({ file, config }: AuditFlags, context: CommandContext): Promise<string> {
  const { host } = context;
  if (file !== undefined) return resolve(host.cwd, file);
  const found = stateFiles(await loadConfig(host.cwd, config, context), host.env).auditFile;
  if (found !== undefined && (await auditFiles(found)).length === 0)
    throw new AskemaError('INPUT_INVALID', `There is no audit at ${found} yet; \`askema serve\` writes it.`);
  if (found !== undefined) return found;
  throw new AskemaError(
    'INPUT_INVALID',
    'There is no audit: `server.audit` of the configuration turns it off. Name a log with --file.',
  );
}

function jsonLine(record: AuditRecord): string {
  return `${escapeJson(JSON.stringify(record))}\n`;
}

/** Characters of SQL in a table; jsonl has all. */
const SHOWN_SQL = 100;

const NAMES = ['at', 'caller', 'tenant', 'database', 'route', 'kind', 'outcome', 'rows', 'ms', 'sql'];
const COLUMNS: readonly ResultColumn[] = NAMES.map((name) => ({ name, nativeType: '', type: 'TEXT' }));

function rowOf({ at, subject, tenant, database, route, kind, sql, end }: AuditRecord): Row {
  const outcome = end === undefined ? 'open' : [end.outcome, end.code].filter(Boolean).join(' ');
  const figures = [end?.rows ?? '', end === undefined ? '' : Math.round(end.elapsedMs)];
  return [at.slice(0, 19), subject, tenant ?? '', database ?? '', route, kind, outcome, ...figures, shown(sql ?? '')];
}

function shown(sql: string): string {
  const line = sql.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_SQL ? `${line.slice(0, SHOWN_SQL)}…` : line;
}
