import { constants } from 'node:fs';
import type { Diagnose, DiagnosisFinding, ReadOnlyStanding } from '@askema/core';
import type { Database } from './database.ts';
import { may } from './errors/explain.ts';
import { realFolder } from './errors/file-problem.ts';
import type { ResolvedOptions } from './options.ts';
import type { RawDiagnosis } from './protocol.ts';

/** Looks at the file and the database; see `Diagnose` of core. */
export function createDiagnose({ client, options }: Database): Diagnose {
  return async ({ timeoutMs, context }) => {
    const limits = { timeoutMs, signal: context.signal, what: 'The diagnosis' };
    const raw = await client.value<RawDiagnosis>({ type: 'diagnose' }, limits);
    const { file } = options;
    const canWriteFile = await may(file, constants.W_OK);
    const canWriteFolder = await may(await realFolder(file), constants.W_OK);
    return {
      server: `SQLite ${raw.version}`,
      place: { file, size: sizeText(raw.byteCount), 'journal mode': raw.journalMode },
      readOnly: standing(options.access),
      findings: findingsOf(raw, options, canWriteFile, canWriteFolder),
    };
  };
}

function standing(granted: ResolvedOptions['access']): ReadOnlyStanding {
  return granted === 'read'
    ? {
        by: 'engine',
        explanation:
          'SQLite has opened the file read-only, and runs one statement at a time of which it says itself that it writes nothing.',
      }
    : {
        by: 'nothing',
        explanation: "The adapter was opened with `access: 'write'`: calls that ask for it may change data.",
      };
}

function findingsOf(
  { journalMode, tables, foreignKeys, brokenReferences, hasStatistics }: RawDiagnosis,
  { file, access: granted }: ResolvedOptions,
  canWriteFile: boolean,
  canWriteFolder: boolean,
): DiagnosisFinding[] {
  const findings: DiagnosisFinding[] = [];
  if (granted === 'write' && !(canWriteFile && canWriteFolder))
    findings.push({
      severity: 'error',
      code: 'file-not-writable',
      message:
        `The adapter may write, but this user may not write ${canWriteFile ? 'in the folder of' : ''} ${file}.`.replace(
          '  ',
          ' ',
        ),
      fix: 'Grant this user write access to the file and its folder, or open it for reading.',
    });
  if (journalMode === 'wal' && !canWriteFolder)
    findings.push({
      severity: 'warning',
      code: 'write-ahead-log-without-permission',
      message:
        'The database keeps a write-ahead log, and this user may not write in its folder: it can only be read while another program has it open.',
      fix: 'Make the folder writable, or run PRAGMA journal_mode = DELETE with a tool of yours.',
    });
  if (tables === 0)
    findings.push({
      severity: 'warning',
      code: 'no-tables',
      message: 'The database has no tables.',
      fix: 'Check the path.',
    });
  if (brokenReferences !== undefined && brokenReferences > 0)
    findings.push({
      severity: 'warning',
      code: 'broken-references',
      message: `${brokenReferences} rows refer to rows that are not there: joins along foreign keys lose them.`,
      fix: 'PRAGMA foreign_key_check lists them.',
    });
  else if (foreignKeys > 0)
    findings.push({
      severity: 'info',
      code: 'foreign-keys-not-enforced-by-others',
      message: `SQLite enforces the ${foreignKeys} foreign keys only for connections that ask for it, as this adapter does.`,
    });
  if (tables > 0 && !hasStatistics)
    findings.push({
      severity: 'info',
      code: 'no-statistics',
      message:
        'There are no statistics: SQLite guesses which index to use, and large tables are counted or have no row count.',
      fix: 'ANALYZE',
    });
  return findings;
}

function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
