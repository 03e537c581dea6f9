import { existsSync } from 'node:fs';
import { type Adapter, AskemaError, shortened } from '@askema/core';
import type { LoggedStatement, MinedKnowledge, MinedProposal } from '@askema/knowledge';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { parseCount } from '../../flags/parse-count.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { inColumns } from './in-columns.ts';
import { databaseOf, findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { findFiles } from './read-files.ts';
import { counted } from './tell-losses.ts';

export interface MineFlags extends KnowledgeFlags {
  readonly server?: boolean | undefined;
  readonly ownRole?: boolean | undefined;
  readonly minCount?: string | undefined;
  readonly minUsers?: string | undefined;
  readonly since?: string | undefined;
  readonly tool?: readonly string[] | undefined;
  readonly tools?: boolean | undefined;
  readonly values?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** On a server, texts stand without their literals: the same one comes again whatever is asked. */
const REPEATED_ON_SERVER = 1_000;
/** Longer definitions are cut where people read them. */
const MAX_SHOWN = 90;

/** `askema knowledge mine LOG [DATABASE]`, `askema knowledge mine --server [DATABASE]`; returns the exit code. */
export async function mineLog(names: readonly string[], flags: MineFlags, context: CommandContext): Promise<number> {
  const { out, err, signal } = context;
  const { log, database } = argumentsOf(names, flags);
  const limits = limitsOf(flags);
  const { folder, loaded } = await findFolder(flags, context);
  const address = databaseOf(database, loaded, flags.server === true ? 'mine --server' : 'mine LOG');
  const { mineKnowledge, writeProposals } = await import('@askema/knowledge');
  const { createSqlParser } = await import('@askema/sql-parser');
  const knowledge = existsSync(folder) ? await loadFolder(folder) : undefined;
  const adapter = await resolveDatabase({ address, access: 'read', loaded, flags }, context);
  const parser = createSqlParser();
  const line = startProgressLine(err);
  try {
    line.show(`reading ${adapter.name}`);
    const statements = await statementsOf(log, adapter, flags, context);
    const catalog = await adapter.introspect();
    const { dialect } = adapter;
    const mined = await mineKnowledge(statements, {
      ...limits,
      catalog,
      dialect,
      parser,
      knowledge,
      signal,
      onProgress: (done, of) => line.show(`${done.toLocaleString('en')} statements ${of}`),
    });
    await line.stop();
    const files = mined.proposals.length === 0 ? [] : await writeProposals(folder, mined);
    if (flags.json === true) await out.write(toJson(mined, folder, files));
    else await out.write(inColumns(mined.proposals.map(rowOf)));
    await err.write(`${summaryOf(mined)}\n${nextOf(mined, files)}\n`);
    return EXIT.ok;
  } finally {
    await line.stop();
    await parser.close();
    await adapter.close();
  }
}

interface Named {
  readonly log: string | undefined;
  readonly database: string | undefined;
}

function argumentsOf(names: readonly string[], { server, ownRole }: MineFlags): Named {
  const [first, second] = names;
  if (server === true) {
    if (second !== undefined)
      throw new AskemaError('INPUT_INVALID', '--server takes no LOG: askema knowledge mine --server DATABASE.');
    return { log: undefined, database: first };
  }
  if (ownRole === true) throw new AskemaError('INPUT_INVALID', '--own-role goes with --server.');
  if (first === undefined)
    throw new AskemaError('INPUT_INVALID', 'Name one LOG and a DATABASE: askema knowledge mine LOG DATABASE.');
  return { log: first, database: second };
}

function limitsOf({ server, minCount, minUsers, since, tool, tools, values }: MineFlags) {
  const time = since === undefined ? undefined : new Date(since);
  if (time !== undefined && Number.isNaN(time.getTime()))
    throw new AskemaError('INPUT_INVALID', `--since ${JSON.stringify(since)} is no day or time: 2026-01-31.`);
  return {
    minCount: minCount === undefined ? undefined : parseCount(minCount, '--min-count'),
    minUsers: minUsers === undefined ? undefined : parseCount(minUsers, '--min-users'),
    since: time?.toISOString(),
    tools: tool,
    withTools: tools,
    values,
    toolRuns: server === true ? REPEATED_ON_SERVER : undefined,
  };
}

type Statements = Iterable<LoggedStatement> | AsyncIterable<LoggedStatement>;

async function statementsOf(
  log: string | undefined,
  adapter: Adapter,
  { ownRole }: MineFlags,
  { host }: CommandContext,
): Promise<Statements> {
  const { LOG_FILES, readLog, serverStatements } = await import('@askema/knowledge');
  if (log === undefined) return serverStatements(adapter, { ownRole });
  const files = findFiles([log], host.cwd, LOG_FILES);
  if (files.length === 0)
    throw new AskemaError('INPUT_INVALID', `${log} has no file that ends in .sql, .csv, .jsonl or .ndjson.`);
  return (async function* () {
    for (const { full } of files) yield* readLog(full, adapter.dialect);
  })();
}

function rowOf({ id, text, count, users, last, remark }: MinedProposal): readonly string[] {
  return [
    id,
    counted(count, 'run'),
    users === 0 ? '' : counted(users, 'user'),
    last?.slice(0, 10) ?? '',
    shortened(text, MAX_SHOWN) + (remark === undefined ? '' : ` (${remark})`),
  ].map(printable);
}

function summaryOf({ knowledge, proposals, statements, used, skipped, known, withheld }: MinedKnowledge): string {
  const datasets = knowledge.models[0]?.datasets.length ?? 0;
  const left = Object.entries(skipped).map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`);
  const { 'values of few': few = 0, ...reasons } = withheld;
  const others = Object.entries(reasons).map(([reason, count]) => `${count.toLocaleString('en')} ${reason}`);
  return [
    `${counted(proposals.length, 'proposal')} of ${counted(statements, 'statement')} in the log; ${counted(used, 'run')} counted.`,
    ...(datasets > 0 ? [`Proposed with them: ${counted(datasets, 'dataset')}.`] : []),
    ...(left.length > 0 ? [`Left out: ${left.join(', ')}.`] : []),
    ...(known > 0 ? [`${known.toLocaleString('en')} known already.`] : []),
    ...(few > 0 ? [`${counted(few, 'definition')} with values that too few users share: --values shows them.`] : []),
    ...(others.length > 0 ? [`Used, and not proposed: ${others.join(', ')}.`] : []),
  ].join(' ');
}

function nextOf({ skipped, proposals, known }: MinedKnowledge, files: readonly string[]): string {
  if (proposals.length > 0)
    return `They stand in ${files.map(printable).join(', ')}. Hold them against the database with \`askema knowledge check\`, then accept what is right.`;
  if (known > 0) return 'Nothing is new.';
  if ((skipped.own ?? 0) > 0)
    return 'Statements of Askema itself are never learned from; on a server, --own-role takes those of your role.';
  return 'Nothing is used often enough: --min-count and --min-users lower what is enough.';
}

function toJson(
  { knowledge: _, lost: __, ...mined }: MinedKnowledge,
  folder: string,
  files: readonly string[],
): string {
  return `${escapeJson(JSON.stringify({ schemaVersion: 1, folder, files, ...mined }, null, 2))}\n`;
}
