import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { KnowledgeCheck, KnowledgeChecks } from '@askema/knowledge';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { printableLines } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { databaseOf, findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { writeOwnFile } from './write-own-file.ts';

export interface CheckKnowledgeFlags extends KnowledgeFlags {
  readonly json?: boolean | undefined;
  readonly junit?: string | undefined;
  readonly maxStatements?: string | undefined;
  readonly timeout?: string | undefined;
}

/** `askema knowledge check [DATABASE]`; returns the exit code: 1 where something accepted does not hold. */
export async function checkFolder(
  named: string | undefined,
  flags: CheckKnowledgeFlags,
  context: CommandContext,
): Promise<number> {
  const { host, out, err, signal } = context;
  const { folder, loaded } = await findFolder(flags, context);
  const address = databaseOf(named, loaded, 'check');
  const maxStatements =
    flags.maxStatements === undefined ? undefined : parseCount(flags.maxStatements, '--max-statements');
  const timeoutMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, '--timeout');
  const knowledge = await loadFolder(folder);
  const { checkExitCode, checkKnowledge, checkToJunit, formatCheck, writeChecks } = await import('@askema/knowledge');
  const { createSqlParser } = await import('@askema/sql-parser');
  const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context);
  const parser = createSqlParser();
  const line = startProgressLine(err);
  try {
    line.show(`checking ${folder}`);
    const by = userInfo().username;
    const check = await checkKnowledge({ knowledge, adapter, parser, maxStatements, timeoutMs, signal, by });
    await line.stop();
    // Said first: what cannot be written loses nothing of it.
    await out.write(flags.json === true ? toJson(check) : `${printableLines(formatCheck(check))}\n`);
    if (flags.junit !== undefined)
      writeOwnFile(resolve(host.cwd, flags.junit), `--junit ${flags.junit}`, checkToJunit(check));
    await writeChecks(folder, checksOf(check, by));
    return checkExitCode(check);
  } finally {
    await line.stop();
    await parser.close();
    await adapter.close();
  }
}

/** What `checks.json` keeps. Of two entries with one id, the accepted one is what later loads go by. */
function checksOf(check: KnowledgeCheck, by: string): KnowledgeChecks {
  const entries: KnowledgeChecks['entries'] = {};
  for (const { id, state, hash, isProposal, checkedAt, reason } of check.entries) {
    if (Object.hasOwn(entries, id) && isProposal) continue;
    const own = {
      sha256: hash,
      state: state === 'failed' ? ('failed' as const) : ('passed' as const),
      at: checkedAt,
      by,
    };
    entries[id] = reason === undefined ? own : { ...own, reason };
  }
  return { schema_version: 1, fingerprint: check.fingerprint, entries };
}

function toJson({ fingerprint, findings, entries, statements, skipped }: KnowledgeCheck): string {
  const document = { schemaVersion: 1, fingerprint, statements, findings, entries, skipped };
  return `${escapeJson(JSON.stringify(document, null, 2))}\n`;
}
