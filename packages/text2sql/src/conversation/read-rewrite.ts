import { oneLine } from '@askema/core';
import { KEPT_FACTS, type KeptChoice, type KeptTurn, type Understood } from './conversation-options.ts';
import { matchChoice } from './match-choice.ts';
import { withoutMarks } from './point-at-cells.ts';
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

/** A question is longer than this only by mistake. */
const MAX_QUESTION_CHARACTERS = 20_000;

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
  const database = facts.database ?? databaseOf(output.database, databases) ?? earlier?.understood?.database;
  if (database === undefined) return whichDatabase(question, databases);
  const isSame = earlier?.answer.type === 'answered' && earlier.understood?.database === database;
  const of = isSame ? earlier.turn : undefined;
  const questions = output.questions
    .slice(0, MAX_QUESTIONS)
    .map((text) => text.trim())
    .filter((text) => text !== '' && text.length <= MAX_QUESTION_CHARACTERS);
  if (output.kind === 'unclear' && (detail !== '' || questions.length > 0)) {
    const choices = questions.map((text, at) => choiceOf(text, at, database, of));
    return { kind: 'unclear', asks: { ask: oneLine(detail, 500) || UNCLEAR, choices } };
  }
  if (output.kind === 'explain' && questions.length > 1)
    return { kind: 'explain', ...(of !== undefined && { of }), question, questions, database };
  if (output.kind === 'refine' && of !== undefined) return { kind: 'refine', of, question, database };
  // What was said of another database, or of a turn without a statement, is still in the question.
  return { kind: 'new', question, database };
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

function choiceOf(question: string, at: number, database: string, of: number | undefined): KeptChoice {
  const resolution = { kind: 'question', question, database, ...(of !== undefined && { of }) } as const;
  return { id: String(at + 1), meaning: withoutMarks(question), resolution };
}

/** Each database is a choice. */
export function whichDatabase(question: string, databases: readonly string[]): Understood {
  const choices = databases.map((database, at): KeptChoice => {
    const resolution = { kind: 'question', question, database } as const;
    return { id: String(at + 1), meaning: `${database}: ${withoutMarks(question)}`, resolution };
  });
  return { kind: 'unclear', asks: { ask: 'Which database is meant?', choices } };
}

function databaseOf(name: string, databases: readonly string[]): string | undefined {
  if (databases.length === 1) return databases[0];
  const wanted = name.trim().toLowerCase();
  return databases.find((one) => one === name) ?? databases.find((one) => one.toLowerCase() === wanted);
}
