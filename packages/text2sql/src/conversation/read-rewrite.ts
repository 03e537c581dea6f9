import { nearestNames, oneLine } from '@askema/core';
import type { KeptChoice, KeptFact, KeptTurn, Understood } from './conversation-options.ts';
import type { RewriteOutput } from './tasks/rewrite.ts';

/** A value in a result that a question points at. */
export type PointedCell = RewriteOutput['cells'][number];

/** What a message was read as, before values of results are in its question. */
export interface ReadMessage {
  readonly understood: Understood;
  readonly cells: readonly PointedCell[];
}

/** What a rewritten message is held against. */
export interface RewriteFacts {
  readonly message: string;
  /** The turns before it. */
  readonly path: readonly KeptTurn[];
  readonly databases: readonly string[];
  /** Where the caller has said which one. */
  readonly database: string | undefined;
}

/** A question is longer than this only by mistake. */
const MAX_QUESTION_CHARACTERS = 20_000;

/**
 * Takes what a model made of a message, as far as it holds: turns and databases exist, and what cannot be gone on with
 * becomes a question by itself, or is asked back.
 */
export function readRewrite(output: RewriteOutput, facts: RewriteFacts): ReadMessage {
  const { message, path, databases } = facts;
  const earlier = path.find(({ turn }) => turn === output.turn);
  const written = output.question.trim();
  const question = written === '' || written.length > MAX_QUESTION_CHARACTERS ? message.trim() : written;
  const carried = output.carried.map((text) => oneLine(text.trim(), 200)).filter((text) => text !== '');
  const nothing = { carried: [], cells: [] };
  switch (output.kind) {
    case 'none':
      return { understood: { kind: 'none', carried: [] }, cells: [] };
    case 'answer': {
      const asked = path.at(-1);
      if (asked?.answer.type !== 'needsClarification') break;
      const { choices } = asked.answer;
      const chosen = choices.find(({ id }) => id === output.choice.trim());
      // Where a message was unclear itself, only its choices can be asked.
      if (chosen === undefined && asked.answer.runId === undefined) break;
      return { understood: answered(asked, chosen?.id ?? message.trim()), cells: [] };
    }
    case 'unclear': {
      const of = earlier?.answer.type === 'answered' ? earlier.turn : undefined;
      const choices = output.choices.slice(0, 4).flatMap((one, at) => choiceOf(one, at, of, facts));
      const ask = oneLine(output.ask.trim(), 500);
      if (ask === '' && choices.length === 0) break;
      return { understood: { kind: 'unclear', carried: [], asks: { ask: ask || UNCLEAR, choices } }, cells: [] };
    }
    case 'about': {
      if (earlier?.answer.type !== 'answered') break;
      const database = earlier.understood?.database;
      const of = earlier.turn;
      if (output.about !== 'other') {
        const fact: KeptFact = output.about;
        return { understood: { kind: 'about', of, question, database, fact, carried }, ...nothing };
      }
      return { understood: { kind: 'refine', of, question, database, carried }, cells: output.cells };
    }
    default:
  }
  const database = facts.database ?? databaseOf(output.database, databases) ?? earlier?.understood?.database;
  if (database === undefined) return { understood: whichDatabase(question, databases), cells: [] };
  const isSame = earlier?.answer.type === 'answered' && earlier.understood?.database === database;
  if (output.kind === 'refine' && isSame)
    return { understood: { kind: 'refine', of: earlier.turn, question, database, carried }, cells: output.cells };
  // What was said of another database, or of a turn without a statement, is still in the question.
  return { understood: { kind: 'new', question, database, carried }, cells: output.cells };
}

const UNCLEAR = 'Which of these is meant?';

/** The answer to what a turn asked back: a choice by its id, or words. */
export function answered(asked: KeptTurn, said: string): Understood {
  const { turn: of, understood, answer } = asked;
  const chosen = answer.type === 'needsClarification' ? answer.choices.find(({ id }) => id === said) : undefined;
  if (chosen?.resolution.kind === 'question') {
    const { question, database, of: changed } = chosen.resolution;
    if (changed === undefined) return { kind: 'new', question, database, carried: [] };
    return { kind: 'refine', of: changed, question, database, carried: [] };
  }
  const { question, database } = understood ?? {};
  return { kind: 'answer', of, question, database, choice: said, carried: [chosen?.meaning ?? said] };
}

function choiceOf(
  { question, database }: RewriteOutput['choices'][number],
  at: number,
  of: number | undefined,
  facts: RewriteFacts,
): readonly KeptChoice[] {
  const found = facts.database ?? databaseOf(database, facts.databases);
  const text = question.trim();
  if (found === undefined || text === '' || text.length > MAX_QUESTION_CHARACTERS) return [];
  const sameDatabase = facts.path.find(({ turn }) => turn === of)?.understood?.database === found;
  return [
    {
      id: String(at + 1),
      meaning: text,
      resolution: { kind: 'question', question: text, database: found, ...(sameDatabase && { of }) },
    },
  ];
}

/** Each database is a choice. */
export function whichDatabase(question: string, databases: readonly string[]): Understood {
  const choices = databases.map((database, at): KeptChoice => {
    const resolution = { kind: 'question', question, database } as const;
    return { id: String(at + 1), meaning: `${database}: ${question}`, resolution };
  });
  return { kind: 'unclear', carried: [], asks: { ask: 'Which database is meant?', choices } };
}

function databaseOf(name: string, databases: readonly string[]): string | undefined {
  if (databases.length === 1) return databases[0];
  if (databases.includes(name)) return name;
  return nearestNames(name, databases)[0];
}
