import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { AskemaError } from '@askema/core';
import type { AuditEntry, AuditOutcome } from '../contract.ts';
import { auditFiles } from './audit-files.ts';
import { type AuditLine, parseAuditLine } from './audit-line.ts';

/** A statement of the log. */
export interface AuditRecord extends AuditEntry {
  readonly id: string;
  /** When it was sent, ISO 8601. */
  readonly at: string;
  /** Undefined while it runs, and where the process died before it ended. */
  readonly end?: AuditOutcome | undefined;
}

/** What is left out selects all. */
export interface AuditFilter {
  /** Sent then or later. */
  readonly since?: Date | undefined;
  /** Sent before. */
  readonly until?: Date | undefined;
  readonly subject?: string | undefined;
  readonly tenant?: string | undefined;
  readonly database?: string | undefined;
  /** `open`: without a line after it. */
  readonly outcome?: AuditOutcome['outcome'] | 'open' | undefined;
}

export interface ReadAuditOptions extends AuditFilter {
  /** Told the number, from 1, and the file of each line that cannot be read, torn ones as well; reading goes on. */
  readonly onUnreadable?: ((line: number, file: string) => void) | undefined;
}

/**
 * The statements of a log that {@link fileAudit} wrote, those of its months as well, in the order in which they ended;
 * those without an end come last. Only statements that have not ended are held in memory.
 *
 * Rejects with `INPUT_INVALID` for a file that cannot be read.
 */
export async function* readAudit(file: string, options: ReadAuditOptions = {}): AsyncGenerator<AuditRecord> {
  const open = new Map<string, AuditRecord>();
  const files = await auditFiles(file, options.since);
  for (const one of files.length === 0 ? [file] : files) {
    let number = 0;
    for await (const text of linesOf(one)) {
      number += 1;
      if (text === '') continue;
      const line = parseAuditLine(text);
      if (line === undefined) options.onUnreadable?.(number, one);
      else {
        const ended = take(line, open);
        if (ended !== undefined && fits(ended, options)) yield ended;
      }
    }
  }
  for (const record of open.values()) if (fits(record, options)) yield record;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8');
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (cause) {
    throw new AskemaError('INPUT_INVALID', `The audit log ${file} cannot be read.`, { cause });
  } finally {
    input.destroy();
  }
}

/** Keeps the line before; of a line after, gives the whole record. */
function take(line: AuditLine, open: Map<string, AuditRecord>): AuditRecord | undefined {
  if (line.phase === 'before') {
    const { v: _v, phase: _phase, ...record } = line;
    open.set(line.id, record);
    return undefined;
  }
  const before = open.get(line.id);
  open.delete(line.id);
  if (before === undefined) return undefined;
  const { outcome, code, rows, bytes, elapsedMs } = line;
  return { ...before, end: { outcome, code, rows, bytes, elapsedMs } };
}

function fits(record: AuditRecord, { since, until, subject, tenant, database, outcome }: AuditFilter): boolean {
  const at = Date.parse(record.at);
  return (
    (since === undefined || at >= since.getTime()) &&
    (until === undefined || at < until.getTime()) &&
    (subject === undefined || record.subject === subject) &&
    (tenant === undefined || record.tenant === tenant) &&
    (database === undefined || record.database === database) &&
    (outcome === undefined || (record.end?.outcome ?? 'open') === outcome)
  );
}
