import { AskemaError, type Dialect, type Outcome, oneLine } from '@askema/core';
import { isSelectOnly, readOnlyText } from '@askema/sql';
import { questionWithHoles } from '../verified/plain-question.ts';
import { unseenIn } from '../words/unseen.ts';
import { makeHoles, type Pair } from './make-holes.ts';
import { holdsDate, relativeTimeIn } from './relative-time.ts';

/** How an answered question becomes one that can be asked again. */
export interface PairOptions {
  readonly dialect: Dialect;
  /** A question that the statement answers by itself. Default: as it was asked. */
  readonly question?: string | undefined;
  /** Values that become holes, by names: each stands once in the question and once in the SQL. */
  readonly parameters?: Readonly<Record<string, string | number>> | undefined;
  /** It was asked with `evidence` or `documents`, which the outcome does not tell: the question alone says less. */
  readonly wasTold?: boolean | undefined;
}

const MAX_QUESTION = 2_000;
const MAX_SQL = 100_000;

/** A run that goes on from an answer to what was asked back: `RUN~2`. */
const ANSWERED_BACK = /~\d+$/;

/**
 * The question with the statement that answers it, whenever it is asked.
 *
 * @throws AskemaError `INPUT_INVALID` where that is not so, with what to do.
 */
export function confirmedPair(outcome: Outcome, options: PairOptions): Pair {
  const { dialect, parameters = {}, wasTold = false } = options;
  if (outcome.type !== 'answered')
    throw invalid(
      `Only an answer is remembered, and this run ended as ${outcome.type}. ${
        outcome.type === 'needsClarification' ? 'Answer what it asked back' : 'Ask again'
      } first, or say what would be right as a correction.`,
    );
  const sql = outcome.sql.trim();
  if (!isSelectOnly(sql, dialect.lexer)) {
    const verdict = readOnlyText(sql, dialect.lexer);
    const reason = verdict.ok ? 'It is not one query.' : verdict.reason;
    throw invalid(`Only a query that reads is remembered. ${reason} Keep such a statement where you keep scripts.`);
  }
  if (options.question === undefined && (wasTold || ANSWERED_BACK.test(outcome.runId)))
    throw needsQuestion(
      `The SQL answers the question together with ${wasTold ? 'what was said beside it' : 'your answer to what was asked back'}.`,
      'Say one question that means all of it: `question`, or --question on the command line.',
    );
  const question = readable(options.question ?? outcome.question, 'question', MAX_QUESTION);
  readable(sql, 'SQL', MAX_SQL);
  const holes = questionWithHoles(question).flatMap((piece) => ('hole' in piece ? [`{${piece.hole}}`] : []));
  if (holes.length > 0)
    throw invalid(
      `The question has ${holes.join(', ')}, which would be a hole of it. Say it otherwise with \`question\` (--question); holes are made with \`parameters\` (--parameter name=value).`,
    );
  const pair = makeHoles({ question, sql }, parameters, dialect);
  if (questionWithHoles(pair.question).every((piece) => 'hole' in piece))
    throw invalid(
      'The question would be nothing but its parameters, and so be any other question. Leave one out, or say more with `question` (--question).',
    );
  const relative = relativeTimeIn(pair.question);
  if (relative !== undefined && holdsDate(pair.sql, dialect.lexer))
    throw needsQuestion(
      `"${relative}" means other days tomorrow, and the SQL holds the days of today.`,
      'Say the days in a question of its own: `question`, or --question on the command line.',
    );
  return pair;
}

/** On one line; refused where a reviewer would not see what it says. */
function readable(text: string, what: 'question' | 'SQL', limit: number): string {
  // In SQL another blank may stand in a text.
  const line = text.replaceAll(what === 'SQL' ? /[ \t\r\n]+/g : /\s+/gu, ' ').trim();
  const unseen = unseenIn(line);
  const problem =
    line === ''
      ? 'is empty'
      : text.length > limit
        ? `has ${text.length} characters, more than ${limit}`
        : unseen === ''
          ? undefined
          : `has characters that nobody sees (${unseen}): ${oneLine(line, 200)}`;
  if (problem === undefined) return line;
  const advice = what === 'question' ? 'Say it otherwise with `question` (--question).' : 'Write the file by hand.';
  throw invalid(`The ${what} ${problem}, so it is not remembered. ${advice}`);
}

/** `details.needsQuestion` is the reason alone, for callers who have another way to say a question. */
function needsQuestion(reason: string, advice: string): AskemaError {
  return new AskemaError('INPUT_INVALID', `${reason} ${advice}`, { details: { needsQuestion: reason } });
}

function invalid(message: string): AskemaError {
  return new AskemaError('INPUT_INVALID', message);
}
