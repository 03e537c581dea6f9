import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { AskemaError, type ResultColumn, type Row } from '@askema/core';
import type { KeptTurn } from '@askema/text2sql';
import { printable, printableLines } from '../../../terminal/printable.ts';
import { csvText, formatMarkdown, jsonlText } from '../../ask/format-rows.ts';
import { count } from '../../ask/print-outcome.ts';
import {
  type ChatSession,
  type KeptStatement,
  lastStatements,
  MOST_SHOWN,
  statementsOf,
} from '../session/chat-session.ts';

const ENDINGS = ['.csv', '.jsonl', '.json', '.md'] as const;

/** `/export FILE`. The file is whole or not there. */
export async function exportAnswer(file: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const ending = ENDINGS.find((one) => one === extname(file));
  if (ending === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `/export ${JSON.stringify(file)}: the name of the file ends in ${ENDINGS.join(', ')}. Such as: /export orders.csv`,
    );
  const { host, err } = chat.context;
  const path = resolve(host.cwd, file);
  if (ending === '.md') {
    const turns = await chat.talk.turns();
    await writeWhole(path, file, [turns.map((turn) => turnText(chat, turn)).join('\n')]);
    return err.write(`${count(turns.length, 'turn')} in ${printable(file)}\n`);
  }
  const statements = await lastStatements(chat);
  const [only] = statements;
  if (only === undefined || statements.length > 1)
    throw new AskemaError(
      'INPUT_INVALID',
      'The last answer has several tables. Ask for one of them, or export to a .md file.',
    );
  let rows = 0;
  const batches = async function* (): AsyncGenerator<string> {
    const stream = await streamOf(only, signal);
    const { header, lines, between, footer } = textsOf(ending, stream.columns);
    yield header;
    for await (const batch of stream) {
      if (batch.length === 0) continue;
      yield `${rows === 0 ? '' : between}${lines(batch)}`;
      rows += batch.length;
    }
    yield footer;
  };
  await writeWhole(path, file, batches());
  await err.write(`${count(rows, 'row')} in ${printable(file)}\n`);
}

/** All rows: also those that the answer does not hold. */
function streamOf({ database: { store }, outcome, sql }: KeptStatement, signal: AbortSignal) {
  return store.stream(outcome ?? sql, { signal });
}

function textsOf(ending: '.csv' | '.jsonl' | '.json', columns: readonly ResultColumn[]) {
  if (ending === '.csv') return { ...csvText(columns), between: '', footer: '' };
  const { lines } = jsonlText(columns);
  if (ending === '.jsonl') return { header: '', lines, between: '', footer: '' };
  const listed = (rows: readonly Row[]): string => lines(rows).trimEnd().replaceAll('\n', ',\n');
  return { header: '[\n', lines: listed, between: ',\n', footer: '\n]\n' };
}

async function writeWhole(path: string, file: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  // A name of its own, because that of the file may be as long as names can be.
  const beside = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  const failed = (error: unknown): AskemaError =>
    new AskemaError('INPUT_INVALID', `/export ${file}: it cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  const handle = await open(beside, 'wx').catch((error: unknown) => {
    throw failed(error);
  });
  try {
    for await (const part of parts)
      await handle.writeFile(part).catch((error: unknown) => {
        throw failed(error);
      });
    await handle.close();
    await rename(beside, path).catch((error: unknown) => {
      throw failed(error);
    });
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw error;
  }
}

/** A turn in Markdown, with the first rows where this process has them. */
function turnText(chat: ChatSession, turn: KeptTurn): string {
  const { message, understood, answer } = turn;
  const question = understood?.question;
  const lines = [`## ${turn.turn}`, '', quoted(message), ''];
  if (question !== undefined && question !== message) lines.push('Understood as:', '', quoted(question), '');
  for (const { question: part, sql, explanation, outcome } of statementsOf(chat, turn)) {
    if (answer.type === 'explained') lines.push(quoted(part), '');
    lines.push(fenced(sql), '');
    if (explanation !== undefined && explanation !== '') lines.push(quoted(explanation), '');
    if (outcome !== undefined) {
      const { columns, rows } = outcome.result;
      const shown = rows.slice(0, MOST_SHOWN);
      const left = rows.length > shown.length ? `\n\n${shown.length} of ${count(rows.length, 'row')}` : '';
      lines.push(`${formatMarkdown(columns, shown).trimEnd()}${left}`, '');
    }
  }
  if (answer.type === 'answered') lines.push(`${count(answer.rows, 'row')}.`, '');
  if (answer.type === 'told') lines.push(quoted(answer.reply), '');
  if (answer.type === 'needsClarification') {
    lines.push(quoted(answer.ask), '');
    for (const { id, meaning } of answer.choices) lines.push(quoted(`${id}: ${meaning}`), '');
  }
  if ('reason' in answer) lines.push(quoted(answer.reason), '');
  return lines.join('\n');
}

/** What people, models and databases wrote stands in blocks that none of it can leave. */
function quoted(text: string): string {
  return fenced(text, 'text');
}

function fenced(written: string, kind = 'sql'): string {
  // Files are shown on terminals, too.
  const text = printableLines(written);
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${kind}\n${text}\n${fence}`;
}
