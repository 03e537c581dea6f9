import { extname } from 'node:path';
import { AskemaError, type ResultColumn, type Row, toAskemaError } from '@askema/core';
import type { KeptTurn } from '@askema/text2sql';
import { printable, printableLines } from '../../../terminal/printable.ts';
import { csvText, formatMarkdown, jsonlText } from '../../ask/format-rows.ts';
import { count } from '../../ask/print-outcome.ts';
import { writeWhole } from '../../ask/write-whole.ts';
import {
  type ChatSession,
  type KeptStatement,
  lastStatements,
  MOST_SHOWN,
  resultOf,
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
  const what = `/export ${file}: it`;
  const place = { cwd: host.cwd, file };
  if (ending === '.md') {
    const turns = await chat.talk.turns();
    const texts = async function* (): AsyncGenerator<string> {
      for (const [at, turn] of turns.entries()) yield `${at === 0 ? '' : '\n'}${await turnText(chat, turn, signal)}`;
    };
    await writeWhole(what, place, texts());
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
  await writeWhole(what, place, batches());
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

/** A turn in Markdown, with its first rows. */
async function turnText(chat: ChatSession, turn: KeptTurn, signal: AbortSignal): Promise<string> {
  const { message, understood, answer } = turn;
  const question = understood?.question;
  const lines = [`## ${turn.turn}`, '', quoted(message), ''];
  if (question !== undefined && question !== message) lines.push('Understood as:', '', quoted(question), '');
  for (const statement of statementsOf(chat, turn)) {
    const { question: part, sql, explanation } = statement;
    if (answer.type === 'explained' && part !== undefined) lines.push(quoted(part), '');
    lines.push(fenced(sql), '');
    if (explanation !== undefined && explanation !== '') lines.push(quoted(explanation), '');
    lines.push(await rowsText(statement, chat, signal), '');
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

/** The first rows: those that were shown, or, where this process holds them no more, of its statement. */
async function rowsText(statement: KeptStatement, chat: ChatSession, signal: AbortSignal): Promise<string> {
  try {
    if (statement.outcome === undefined) chat.databases.restart();
    const { columns, rows, truncated } = await resultOf(statement, MOST_SHOWN, signal);
    const shown = rows.slice(0, MOST_SHOWN);
    const isAll = shown.length === rows.length && truncated === undefined;
    return `${formatMarkdown(columns, shown).trimEnd()}${isAll ? '' : `\n\nOnly the first ${count(shown.length, 'row')}.`}`;
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (error.code === 'ABORTED') throw error;
    return `Its rows cannot be read any more:\n\n${quoted(error.message)}`;
  }
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
