import type { Catalog, Outcome } from '@askema/core';
import type { Turn, TurnAnswer } from '@askema/text2sql';
import { encodeOutcome } from '@askema/text2sql/ask';
import { escapeJson } from '../../../format/format-json.ts';
import type { Output } from '../../../process/output.ts';
import { formatDuration } from '../../../terminal/duration.ts';
import { printable, printableLines } from '../../../terminal/printable.ts';
import { reportError } from '../../../terminal/report-error.ts';
import { clarificationText } from '../../ask/ask-back.ts';
import { printChart } from '../../ask/print-chart.ts';
import { count, type PrintOptions, printData, printReason, tokensText } from '../../ask/print-outcome.ts';
import { type ChatSession, databaseOf, MOST_SHOWN, questionOf } from './chat-session.ts';

/** Shows a turn: answers on stdout, all about them on stderr; as JSON in one line. */
export async function printTurn(
  chat: ChatSession,
  turn: Turn,
  outcomes: readonly (Outcome | undefined)[],
  elapsedMs: number,
): Promise<void> {
  const { flags, context } = chat;
  if (flags.format === 'json') return context.out.write(turnLine(chat, turn, outcomes));
  const { out, err } = context;
  await printUnderstood(chat, turn);
  if (turn.answer.type === 'explained') await printParts(chat, turn, turn.answer.parts, outcomes);
  else
    await printAnswer(
      chat,
      turn,
      { question: questionOf(turn), database: databaseOf(turn), answer: turn.answer },
      outcomes[0],
    );
  if (turn.summary !== undefined) await out.write(`${printableLines(turn.summary.text)}\n`);
  if (turn.summaryRefused !== undefined)
    await err.write(`${err.yellow('note:')} no sentences: ${printableLines(turn.summaryRefused)}\n`);
  const spent = [
    turn.calls === 0 ? '' : count(turn.calls, 'model call'),
    tokensText(turn.usage),
    formatDuration(elapsedMs),
  ];
  await err.write(`${err.dim(spent.filter((part) => part !== '').join(' · '))}\n`);
}

/** A turn as programs read it. */
function turnLine({ talk }: ChatSession, turn: Turn, outcomes: readonly (Outcome | undefined)[]): string {
  const { outcome, outcomes: parts, ...kept } = turn;
  const [first] = outcomes;
  const shown = {
    schemaVersion: 1,
    conversation: talk.id,
    ...kept,
    ...(outcome !== undefined && first !== undefined && { outcome: encodeOutcome(first) }),
    ...(parts !== undefined && { outcomes: outcomes.map((one) => (one === undefined ? null : encodeOutcome(one))) }),
  };
  return `${escapeJson(JSON.stringify(shown))}\n`;
}

async function printUnderstood({ databases, context: { err } }: ChatSession, turn: Turn): Promise<void> {
  const { question, database, kind } = turn.understood ?? {};
  if (question === undefined || kind === 'edit') return;
  const isSeveral = databases.all.length > 1;
  if (question.trim() === turn.message.trim() && !isSeveral) return;
  const place = isSeveral && database !== undefined ? `(${database}) ` : '';
  await err.write(`${err.dim(printable(`→ ${place}${question}`))}\n`);
}

function optionsFor({ context, databases }: ChatSession, database: string | undefined): PrintOptions {
  const { out, err } = context;
  const { origin } = databases.named(database);
  const { isFallback } = databases.model;
  return { out, err, format: 'table', origin, isFallback, mostShown: out.isTerminal ? MOST_SHOWN : undefined };
}

const WHAT_THERE_IS = '/schema shows what can be asked about, /help the commands.';

/** Of a result that is cut. */
export const CUT_NOTE = '/export FILE writes all rows; /rows shows those that were read.';

interface Answered {
  readonly question: string | undefined;
  readonly database: string | undefined;
  readonly answer: TurnAnswer;
}

async function printAnswer(
  chat: ChatSession,
  turn: Turn,
  { question, database, answer }: Answered,
  outcome: Outcome | undefined,
): Promise<void> {
  const { out, err } = chat.context;
  const hint = (text: string): Promise<void> => err.write(`${err.dim(text)}\n`);
  if (answer.type === 'told') {
    await out.write(`${printableLines(answer.reply)}\n`);
    if (turn.understood?.kind === 'none') await hint(WHAT_THERE_IS);
    return;
  }
  if (answer.type === 'needsClarification') return printChoices(answer, outcome, err);
  if (outcome === undefined) return printUnasked(answer, err);
  const options = optionsFor(chat, database);
  await printData(outcome, options);
  await printReason(outcome, options);
  if (outcome.type === 'unanswerable') await hint(WHAT_THERE_IS);
  if (outcome.type !== 'answered') return;
  const { rows, truncated } = outcome.result;
  if (truncated !== undefined) await hint(CUT_NOTE);
  else if (out.isTerminal && rows.length > MOST_SHOWN) await hint('/rows shows all, /export FILE writes them.');
  for (const { text } of outcome.assumptions) await err.write(`${err.dim(printable(`assumed: ${text}`))}\n`);
  if (chat.flags.chart !== true) return;
  const { dialect, store } = chat.databases.named(database);
  const { sql, result } = outcome;
  const catalog = (): Promise<Catalog> => store.catalog({ signal: chat.context.signal });
  await printChart({ sql, result, question, dialect, catalog }, true, { ...chat.context, onlyFirst: true });
}

async function printParts(
  chat: ChatSession,
  turn: Turn,
  parts: Extract<TurnAnswer, { readonly type: 'explained' }>['parts'],
  outcomes: readonly (Outcome | undefined)[],
): Promise<void> {
  const { err } = chat.context;
  for (const [at, part] of parts.entries()) {
    const database = databaseOf(turn, at);
    const place = chat.databases.all.length > 1 && database !== undefined ? `(${database}) ` : '';
    await err.write(`${err.bold(`${at + 1}.`)} ${printable(`${place}${part.question}`)}\n`);
    await printAnswer(chat, turn, { ...part, database }, outcomes[at]);
  }
}

/** What was asked back, with its choices. */
export async function printChoices(
  { ask, choices }: Extract<TurnAnswer, { readonly type: 'needsClarification' }>,
  outcome: Outcome | undefined,
  err: Output,
): Promise<void> {
  if (outcome?.type === 'needsClarification') await err.write(clarificationText(outcome, err));
  else {
    const lines = choices.map(({ id, meaning }) => `  ${err.bold(printable(id))}  ${printable(meaning)}\n`);
    await err.write(`${err.yellow('Please decide:')} ${printableLines(ask)}\n${lines.join('')}`);
  }
  const how = choices.length === 0 ? 'The next line answers.' : 'The next line answers: a number, or your own words.';
  await err.write(`${err.dim(how)}\n`);
}

/** Of a turn that asked no database, or whose rows are not there. */
async function printUnasked(answer: TurnAnswer, err: Output): Promise<void> {
  if (answer.type === 'cancelled') return err.write(`${err.yellow('Stopped.')}\n`);
  if (!('reason' in answer)) return;
  return answer.error === undefined
    ? err.write(`${err.yellow('No answer:')} ${printableLines(answer.reason)}\n`)
    : reportError(answer.error, err);
}
