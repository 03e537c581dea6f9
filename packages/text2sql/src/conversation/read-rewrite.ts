import { oneLine } from '@askema/core';
import { MAX_QUESTION_CHARACTERS } from '../check-options.ts';
import { KEPT_FACTS, type KeptChoice, type KeptTurn, type Understood } from './conversation-options.ts';
import { matchChoice } from './match-choice.ts';
import type { RewriteOutput } from './tasks/rewrite.ts';
import { tellAbout } from './tell-about.ts';

/** What a rewritten message is held against. */
export interface RewriteFacts {
  readonly message: string;
  /** The turns before it. */
  readonly path: readonly KeptTurn[];
  readonly databases: readonly string[];
  /** Where the caller has said which one. */
  readonly database: string | undefined;
}

/**
 * Takes what a model made of a message, as far as it holds: turns and databases exist, and what cannot be gone on with
 * becomes a question by itself, or is asked back.
 */
export function readRewrite(output: RewriteOutput, facts: RewriteFacts): Understood {
  const { message, path, databases } = facts;
  const earlier = path.find(({ turn }) => turn === output.turn);
  const written = output.question.trim();
  const question = written === '' || written.length > MAX_QUESTION_CHARACTERS ? message.trim() : written;
  const detail = output.detail.trim();
  switch (output.kind) {
    case 'none':
      return { kind: 'none' };
    case 'answer': {
      const asked = path.at(-1);
      if (asked?.answer.type !== 'needsClarification') break;
      const chosen = matchChoice(detail, asked.answer.choices);
      // Where a message was unclear itself, only its choices can be asked.
      if (chosen === undefined && asked.answer.runId === undefined) break;
      return answered(asked, chosen?.id ?? message.trim());
    }
    case 'about': {
      if (earlier === undefined) break;
      const base = { of: earlier.turn, question, database: earlier.understood?.database };
      const fact = KEPT_FACTS.find((one) => one === detail.toLowerCase());
      if (fact !== undefined && tellAbout(earlier, fact) !== undefined) return { kind: 'about', fact, ...base };
      if (earlier.answer.type !== 'answered') break;
      return { kind: 'refine', ...base };
    }
    default:
  }
  const said = facts.database ?? databaseOf(output.database, databases);
  const readings = output.questions
    .slice(0, MAX_QUESTIONS)
    .map((text) => placed(text, said ?? earlier?.understood?.database, facts))
    .filter((one) => one.question !== '' && one.question.length <= MAX_QUESTION_CHARACTERS);
  const ofOne = (database: string | undefined): number | undefined =>
    earlier?.answer.type === 'answered' && earlier.understood?.database === database ? earlier.turn : undefined;
  const isPlaced = readings.every((one): one is PlacedReading => one.database !== undefined);
  if (isPlaced && output.kind === 'unclear' && readings.length > 0)
    return askedOnce({ ask: oneLine(detail, 500) || UNCLEAR, choices: readings.map(choiceOf(ofOne)) }, facts);
  if (isPlaced && output.kind === 'explain' && readings.length > 1) {
    const places = readings.map((one) => one.database);
    const of = places.map(ofOne).find((turn) => turn !== undefined);
    const isOne = places.every((one) => one === places[0]);
    return {
      ...{ kind: 'explain', ...(of !== undefined && { of }), question },
      ...{ questions: readings.map((one) => one.question), databases: places },
      database: isOne ? places[0] : said,
    };
  }
  const database = said ?? earlier?.understood?.database;
  if (database === undefined) return whichDatabase(question, databases, path);
  const of = ofOne(database);
  if (output.kind === 'unclear' && detail !== '')
    return { kind: 'unclear', asks: { ask: oneLine(detail, 500), choices: [] } };
  if (output.kind === 'refine' && of !== undefined) return { kind: 'refine', of, question, database };
  // What was said of another database, or of a turn without a statement, is still in the question.
  return { kind: 'new', question, database };
}

/** One of `questions`, and the database that it is about. */
interface Reading {
  readonly question: string;
  readonly database: string | undefined;
}

type PlacedReading = Reading & { readonly database: string };

/** "hr: How many people work here?": the name goes. As prompts list it, "Database" may stand before it. */
const PLACED = /^(?:database\s+)?["'`[]?([^:"'`[\]]{1,40}?)["'`\]]?\s*:\s*(.*)$/isu;

function placed(text: string, otherwise: string | undefined, { databases, database }: RewriteFacts): Reading {
  const question = text.trim();
  if (databases.length === 1) return { question, database: databases[0] };
  const [, name = '', rest = ''] = PLACED.exec(question) ?? [];
  const found = databaseOf(name, databases);
  if (found === undefined) return { question, database: otherwise };
  return { question: rest.trim(), database: database ?? found };
}

/** Choices, or parts of an explanation. */
const MAX_QUESTIONS = 4;
const UNCLEAR = 'Which of these is meant?';

/** The answer to what a turn asked back: a choice by its id, or words. */
export function answered(asked: KeptTurn, said: string): Understood {
  const { turn: of, understood, answer } = asked;
  const chosen = answer.type === 'needsClarification' ? answer.choices.find(({ id }) => id === said) : undefined;
  if (chosen?.resolution.kind === 'question') {
    const { question, database, of: changed } = chosen.resolution;
    if (changed === undefined) return { kind: 'new', question, database };
    return { kind: 'refine', of: changed, question, database };
  }
  const { question, database } = understood ?? {};
  return { kind: 'answer', of, question, database, choice: said };
}

function choiceOf(ofOne: (database: string) => number | undefined) {
  return ({ question, database }: PlacedReading, at: number): KeptChoice => {
    const of = ofOne(database);
    const resolution = { kind: 'question', question, database, ...(of !== undefined && { of }) } as const;
    return { id: String(at + 1), meaning: question, resolution };
  };
}

export const WHICH = 'Which database is meant?';

/** Each database is a choice. Asked again, or for an answer that names none, it asks nothing: it would help nobody. */
export function whichDatabase(question: string, databases: readonly string[], path: readonly KeptTurn[]): Understood {
  if (path.at(-1)?.understood?.asks?.ask === WHICH) return { kind: 'unclear' };
  const choices = databases.map((database, at): KeptChoice => {
    const resolution = { kind: 'question', question, database } as const;
    return { id: String(at + 1), meaning: `${database}: ${question}`, resolution };
  });
  return askedOnce({ ask: WHICH, choices }, { databases, path });
}

/** With several databases nothing is asked back twice: what no choice of the first time fits needs more than one. */
function askedOnce(
  asks: NonNullable<Understood['asks']>,
  { databases, path }: Pick<RewriteFacts, 'databases' | 'path'>,
): Understood {
  // Not as they are shown: values stand there.
  const meant = ({ choices }: NonNullable<Understood['asks']>): string =>
    choices
      .map(({ resolution: one }) => (one.kind === 'question' ? `${one.database}: ${one.question}` : ''))
      .join('\n');
  const last = path.findLast(({ answer }) => answer.type !== 'told')?.understood?.asks;
  const isAgain = databases.length > 1 && last !== undefined && meant(last) === meant(asks);
  return isAgain ? { kind: 'unclear' } : { kind: 'unclear', asks };
}

function databaseOf(name: string, databases: readonly string[]): string | undefined {
  if (databases.length === 1) return databases[0];
  const wanted = name.trim().toLowerCase();
  return databases.find((one) => one === name) ?? databases.find((one) => one.toLowerCase() === wanted);
}
