import { AskemaError } from '@askema/core';
import { decodeOutcome } from '@askema/text2sql/ask';
import { parseCount } from '../../flags/parse-count.ts';
import { escapeJson } from '../../format/format-json.ts';
import { openHistory } from '../../history/history-folder.ts';
import { findEntry, forgetEntries, type HistoryEntry, listEntries } from '../../history/history-store.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import { type AskFlags, runAsk } from '../ask/ask.ts';
import { clarificationText } from '../ask/ask-back.ts';

/** `askema history list`; returns the exit code. */
export async function listHistory(limit: string, { host, out, err }: CommandContext): Promise<number> {
  const count = parseCount(limit, '--limit');
  const { entries, broken } = await listEntries(openHistory(host.env));
  for (const entry of entries.slice(0, count)) await out.write(`${lineOf(entry)}\n`);
  if (entries.length > count) await err.write(`${err.dim(`${entries.length - count} more; --limit shows them.`)}\n`);
  if (entries.length === 0) await err.write(`${err.dim('Nothing was asked yet.')}\n`);
  await nameBroken(broken, err);
  return EXIT.ok;
}

async function nameBroken(broken: readonly string[], err: CommandContext['err']): Promise<void> {
  for (const name of broken)
    await err.write(`${err.yellow('note:')} ${printable(name)} cannot be read; it is left out.\n`);
}

function lineOf({ id, at, outcome, database, question }: HistoryEntry): string {
  const when = at.slice(0, 16).replace('T', ' ');
  return `${printable(id)}  ${printable(when)}  ${outcome.type.padEnd(18)}  ${printable(database)}  ${printable(question)}`;
}

/** `askema history show ID`; returns the exit code. */
export async function showRun(id: string, format: 'text' | 'json', { host, out }: CommandContext): Promise<number> {
  const entry = await findEntry(openHistory(host.env), id);
  if (format === 'json') {
    const { journal: _, ...shown } = entry;
    await out.write(`${escapeJson(JSON.stringify(shown, undefined, 2))}\n`);
    return EXIT.ok;
  }
  const outcome = decodeOutcome(entry.outcome);
  const reason = 'reason' in outcome ? outcome.reason : 'error' in outcome ? outcome.error?.message : undefined;
  const options = Object.entries(entry.flags).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['id', entry.id],
    ['asked', `${entry.at} in ${entry.cwd}`],
    ['database', entry.database],
    ['question', entry.question],
    ['options', options.join(' ')],
    ['outcome', outcome.type],
    ['sql', outcome.sql],
    ['explanation', outcome.explanation],
    ['rows', entry.rowCount === undefined ? undefined : `${entry.rowCount} (not kept)`],
    ['reason', reason],
  ];
  for (const [name, value] of fields)
    if (value !== undefined && value !== '') await out.write(`${name.padEnd(12)}${printableLines(value)}\n`);
  if (outcome.type === 'needsClarification') await out.write(clarificationText(outcome, out));
  return EXIT.ok;
}

/** `askema history repeat ID`; returns the exit code. */
export async function repeatRun(id: string, context: CommandContext): Promise<number> {
  return askAs(await findEntry(openHistory(context.host.env), id), context);
}

/** `askema history answer ID ANSWER`; returns the exit code. */
export async function answerRun(id: string, answer: string, context: CommandContext): Promise<number> {
  const entry = await findEntry(openHistory(context.host.env), id);
  const { journal, outcome } = entry;
  if (outcome.type !== 'needsClarification')
    throw new AskemaError('INPUT_INVALID', `Run \`${entry.id}\` asks nothing: it ended as ${outcome.type}.`);
  if (journal === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `Run \`${entry.id}\` is not kept whole: it was too large, or part of a chat. Ask again and say it with --evidence, or go on with \`askema chat --continue\`.`,
    );
  return askAs(entry, context, { runId: String(outcome.runId), journal, answer });
}

/** `askema history export`; returns the exit code. */
export async function exportHistory({ host, out, err }: CommandContext): Promise<number> {
  const { entries, broken } = await listEntries(openHistory(host.env));
  for (const { journal: _, ...entry } of entries) await out.write(`${escapeJson(JSON.stringify(entry))}\n`);
  await nameBroken(broken, err);
  return EXIT.ok;
}

/** `askema history forget`; returns the exit code. */
export async function forgetRuns(ids: readonly string[], all: boolean, { host, err }: CommandContext): Promise<number> {
  const folder = openHistory(host.env);
  if (all === ids.length > 0)
    throw new AskemaError('INPUT_INVALID', 'Name the runs to forget by their ids, or forget everything with --all.');
  const found = await Promise.all(ids.map(async (id) => (await findEntry(folder, id)).id));
  const count = await forgetEntries(folder, all ? 'all' : found);
  await err.write(`${count} ${count === 1 ? 'run is' : 'runs are'} forgotten.\n`);
  return EXIT.ok;
}

async function askAs(
  { cwd, database, question, flags, mayWrite, id }: HistoryEntry,
  context: CommandContext,
  answered?: Parameters<typeof runAsk>[3],
): Promise<number> {
  if (mayWrite)
    throw new AskemaError(
      'INPUT_INVALID',
      `Run \`${id}\` could change data, so it is not asked again by itself. Ask anew with --write.`,
    );
  const host = { ...context.host, cwd };
  return runAsk([database, question], flags as unknown as AskFlags, { ...context, host }, answered);
}
