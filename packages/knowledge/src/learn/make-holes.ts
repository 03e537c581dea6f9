import { AskemaError, type Dialect, quoteString } from '@askema/core';
import { significantTokens } from '@askema/sql';
import type { QueryParameter } from '../model/knowledge.ts';
import { isDay } from '../time/days.ts';

/** A question and its statement, of which values may be holes. */
export interface Pair {
  readonly question: string;
  readonly sql: string;
  readonly parameters: readonly QueryParameter[];
}

const NAME = /^[A-Za-z_]\w{0,39}$/;

/**
 * The pair with a hole in the place of each value, in the question and in the SQL.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is none, and for a value that does not stand exactly once in each.
 */
export function makeHoles(
  pair: Pick<Pair, 'question' | 'sql'>,
  values: Readonly<Record<string, string | number>>,
  dialect: Dialect,
): Pair {
  let made: Pair = { ...pair, parameters: [] };
  for (const [name, value] of Object.entries(values)) made = withHole(made, name, value, dialect);
  return made;
}

function withHole({ question, sql, parameters }: Pair, name: string, value: string | number, dialect: Dialect): Pair {
  if (!NAME.test(name))
    throw invalid(`${JSON.stringify(name)} is no name of a parameter: letters, digits and _ only, at most 40.`);
  const text = String(value);
  const literals = significantTokens(sql, dialect.lexer).filter(
    (token) =>
      (token.kind === 'string' && token.text === quoteString(text, dialect)) ||
      (token.kind === 'number' && token.text === text),
  );
  const said = placesOf(text, question);
  const [literal, second] = literals;
  const [place, other] = said;
  if (literal === undefined || place === undefined || second !== undefined || other !== undefined)
    throw invalid(
      `The value ${JSON.stringify(text)} of \`${name}\` stands ${times(said.length)} in the question and ${times(literals.length)} as a literal of the SQL; it has to stand once in each. Leave the parameter out, or say the question otherwise.`,
    );
  const type = literal.kind === 'number' ? 'number' : isDay(text) ? 'date' : 'text';
  return {
    question: `${question.slice(0, place.start)}{${name}}${question.slice(place.end)}`,
    sql: `${sql.slice(0, literal.start)}:${name}${sql.slice(literal.end)}`,
    parameters: [...parameters, { name, type, default: type === 'number' ? Number(text) : text }],
  };
}

/** Where a value stands as a whole, with the quotation marks around it. */
function placesOf(value: string, question: string): readonly { readonly start: number; readonly end: number }[] {
  if (value.trim() === '') return [];
  const places: { start: number; end: number }[] = [];
  const folded = question.toLowerCase();
  const wanted = value.toLowerCase();
  // Of letters whose lower case is longer, places are not told.
  if (folded.length !== question.length) return [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (/[\p{L}\p{N}_]$/u.test(question.slice(0, at)) || /^[\p{L}\p{N}_]/u.test(question.slice(end))) continue;
    const isQuoted = /["'\u201c]$/.test(question.slice(0, at)) && /^["'\u201d]/.test(question.slice(end));
    places.push(isQuoted ? { start: at - 1, end: end + 1 } : { start: at, end });
  }
  return places;
}

function times(count: number): string {
  return count === 0 ? 'nowhere' : count === 1 ? 'once' : `${count} times`;
}

function invalid(message: string): AskemaError {
  return new AskemaError('INPUT_INVALID', message);
}
