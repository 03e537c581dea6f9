import { AskemaError, didYouMean, nearestNames } from '@askema/core';
import { parseCount } from '../../../flags/parse-count.ts';
import { printable, printableLines } from '../../../terminal/printable.ts';
import { count, printBases } from '../../ask/print-outcome.ts';
import { type ChatSession, databaseOf, lastStatements, sayMessage, statementsOf } from '../session/chat-session.ts';
import { printChoices } from '../session/print-turn.ts';
import { editStatement } from './edit-statement.ts';
import { exportAnswer } from './export-answer.ts';
import { rememberAnswer } from './remember-answer.ts';
import { drawChart, showRows } from './show-rows.ts';
import { showSchema } from './show-schema.ts';
import { useDatabase } from './use-database.ts';

interface SlashCommand {
  /** What is typed; the second is another word for the same. */
  readonly names: readonly string[];
  readonly takes: string;
  readonly help: string;
  run(rest: string, chat: ChatSession, signal: AbortSignal): Promise<void>;
}

/** All commands, in the order of the help. */
const COMMANDS: readonly SlashCommand[] = [
  { names: ['/help'], takes: '', help: 'these commands', run: (_, chat) => showHelp(chat) },
  { names: ['/sql'], takes: '[TURN]', help: 'the SQL of the last answer, or of a turn', run: showSql },
  {
    names: ['/edit'],
    takes: '[SQL]',
    help: 'run your own SQL instead; without it, change the last one in $VISUAL or $EDITOR',
    run: editStatement,
  },
  { names: ['/why'], takes: '', help: 'how the last answer came about', run: showWhy },
  { names: ['/rows'], takes: '', help: 'the rows of the last answer, up to 10,000', run: showRows },
  { names: ['/chart'], takes: '[FILE.svg]', help: 'the last answer as a chart, here or in a file', run: drawChart },
  {
    names: ['/export'],
    takes: 'FILE',
    help: 'all rows of the last answer, also those that were cut, as .csv, .jsonl or .json, or the conversation as .md',
    run: exportAnswer,
  },
  {
    names: ['/schema'],
    takes: '[WORD]',
    help: 'tables and views with their columns; with a word: those that have it in a name',
    run: showSchema,
  },
  {
    names: ['/use'],
    takes: '[NAME]',
    help: 'ask this database from now on; without a name each message decides again',
    run: useDatabase,
  },
  { names: ['/turns'], takes: '', help: 'what was said', run: (_, chat) => showTurns(chat) },
  { names: ['/undo'], takes: '', help: 'take the last turn back', run: (_, chat) => undo(chat) },
  {
    names: ['/back', '/branch'],
    takes: 'TURN',
    help: 'go on from a turn, also from one that was taken back',
    run: goBack,
  },
  { names: ['/as'], takes: 'QUESTION', help: 'the last message was misread: this was the question', run: askAs },
  {
    names: ['/remember'],
    takes: '[WORDS]',
    help: 'the last answer is right; with words: what would be right (with --knowledge)',
    run: rememberAnswer,
  },
  { names: ['/new'], takes: '', help: 'begin a new conversation', run: (_, chat) => beginNew(chat) },
  {
    names: ['/quit'],
    takes: '',
    help: 'leave, as Ctrl-D does',
    run: async (_, chat) => {
      chat.isLeaving = true;
      chat.input.close();
    },
  },
];

/** How commands are called. */
export const NAMES = COMMANDS.flatMap(({ names }) => names);

/** Commands that begin as this line. */
export function completeCommand(line: string): readonly string[] {
  return line.startsWith('/') ? NAMES.filter((name) => name.startsWith(line)).map((name) => `${name} `) : [];
}

/** Rejects as the command does, and with `INPUT_INVALID` and the nearest one for a command that is not known. */
export async function runCommand(line: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
  const command = COMMANDS.find(({ names }) => names.includes(name));
  if (command !== undefined) return command.run(rest.trim(), chat, signal);
  const shown = name.slice(0, 40);
  throw new AskemaError(
    'INPUT_INVALID',
    `There is no command \`${shown}\`. /help lists them; a message that begins with / is written with //. ${didYouMean(shown, NAMES)}`.trim(),
    { details: { nearestNames: nearestNames(shown, NAMES) } },
  );
}

async function showHelp({ context: { out } }: ChatSession): Promise<void> {
  const rows = COMMANDS.map(({ names, takes, help }) => [`${names.join(', ')} ${takes}`.trim(), help] as const);
  const width = Math.max(...rows.map(([usage]) => usage.length));
  for (const [usage, help] of rows) await out.write(`${usage.padEnd(width)}  ${help}\n`);
  await out.write('All else is a message. One that begins with / is written with //. Ctrl-C stops a question.\n');
}

async function showSql(rest: string, chat: ChatSession): Promise<void> {
  const turn = rest === '' ? undefined : parseCount(rest, '/sql');
  for (const { sql } of await lastStatements(chat, turn)) await chat.context.out.write(`${printableLines(sql)}\n`);
}

async function showWhy(_: string, chat: ChatSession): Promise<void> {
  const { out } = chat.context;
  const turn = (await chat.talk.turns()).at(-1);
  if (turn === undefined) throw new AskemaError('INPUT_INVALID', 'Nothing was said yet.');
  const { answer, understood } = turn;
  const fields: (readonly [string, string | undefined])[] = [
    ['message', turn.message],
    ['understood', understood?.question === turn.message ? undefined : understood?.question],
    ['database', chat.databases.all.length > 1 && answer.type !== 'explained' ? understood?.database : undefined],
    ['told by you', understood?.evidence],
    ['reason', 'reason' in answer ? answer.reason : undefined],
  ];
  for (const [name, value] of fields) await field(name, value);
  for (const { part, question, sql, explanation, assumptions, outcome } of statementsOf(chat, turn)) {
    if (answer.type === 'explained') {
      await field('question', question);
      if (chat.databases.all.length > 1) await field('database', databaseOf(turn, part));
    }
    await field('sql', sql);
    await field('explained', explanation);
    for (const assumption of assumptions) await field('assumed', assumption);
    if (outcome !== undefined) await printBases(outcome, out);
  }
  async function field(name: string, value: string | undefined): Promise<void> {
    if (value !== undefined && value !== '') await out.write(`${name.padEnd(12)}${printableLines(value)}\n`);
  }
}

async function showTurns({ talk, context: { out, err } }: ChatSession): Promise<void> {
  const turns = await talk.turns();
  for (const { turn, message, understood, answer } of turns) {
    const question = understood?.question;
    const read = question === undefined || question === message ? '' : ` → ${question}`;
    const rows = answer.type === 'answered' ? count(answer.rows, 'row') : answer.type;
    await out.write(`${String(turn).padStart(3)}  ${printable(`${message}${read}`)}  ${out.dim(`(${rows})`)}\n`);
  }
  if (turns.length === 0) await err.write(`${err.dim('Nothing was said yet.')}\n`);
}

async function undo(chat: ChatSession): Promise<void> {
  await chat.talk.undo();
  await tellPlace(chat);
}

async function goBack(rest: string, chat: ChatSession): Promise<void> {
  await chat.talk.branch(parseCount(rest, '/back', 0));
  await tellPlace(chat);
}

/** Which turn the next message follows. */
async function tellPlace(chat: ChatSession): Promise<void> {
  const { err } = chat.context;
  const last = (await chat.talk.turns()).at(-1);
  chat.lastDatabase = last?.understood?.database;
  const question = last?.understood?.question ?? last?.message;
  const text = last === undefined ? 'At the beginning.' : `Going on after turn ${last.turn}: ${question}`;
  await err.write(`${err.dim(printable(text))}\n`);
  if (last?.answer.type === 'needsClarification') await printChoices(last.answer, undefined, err);
}

async function askAs(question: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  if (question === '')
    throw new AskemaError('INPUT_INVALID', 'QUESTION is missing: /as How many orders were there in 2023?');
  const turns = await chat.talk.turns();
  const last = turns.at(-1);
  if (last !== undefined) await chat.talk.undo();
  try {
    await sayMessage(chat, question, signal, {
      standsAlone: true,
      database: chat.chosen ?? last?.understood?.database,
    });
  } catch (error) {
    // Where the question was refused before it became a turn, the one that it was to replace stands.
    const isUnsaid = (await chat.talk.turns()).at(-1)?.turn === turns.at(-2)?.turn;
    if (last !== undefined && last.answer.type !== 'open' && isUnsaid) await chat.talk.branch(last.turn);
    throw error;
  }
}

async function beginNew(chat: ChatSession): Promise<void> {
  await chat.begin();
  const { err } = chat.context;
  const before = chat.folder === undefined ? '' : ' The one before is kept.';
  await err.write(`${err.dim(`A new conversation.${before}`)}\n`);
}
