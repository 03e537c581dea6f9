import type { CteSplit, LexerTraits } from '@askema/core';
import { comparedName, prefixQuery, significantTokens, splitCtes } from '@askema/sql';
import { cleanSql } from '../../../prompts/clean-sql.ts';
import { VIEW_LIMITS } from '../../../prompts/result-view.ts';

/** How the SELECT behind the CTEs is called where CTEs are named. No CTE can have this name unquoted. */
export const FINAL_STEP = 'final SELECT';

/** A statement as the steps that it goes through: its CTEs, and the SELECT behind them. */
export interface CteStatement {
  readonly sql: string;
  readonly split: CteSplit;
  /** At least one: the last is {@link FINAL_STEP}. */
  readonly steps: readonly CteStep[];
}

interface CteStep {
  readonly name: string;
  /** The part of the source that a rewrite replaces: the body of a CTE, or the SELECT behind them. */
  readonly text: string;
  /** Positions of the steps that it reads. */
  readonly reads: readonly number[];
}

/** Takes a statement apart; see `splitCtes`. A statement without WITH has one step. */
export function cteStatement(sql: string, traits: LexerTraits): CteStatement {
  const split = splitCtes(sql, traits);
  const positions = new Map(split.ctes.map(({ name }, position) => [comparedName(name, traits), position]));
  const steps = split.ctes.map(
    ({ name, body, dependsOn }): CteStep => ({
      name,
      text: body.trim(),
      reads: dependsOn.flatMap((other) => positions.get(comparedName(other, traits)) ?? []),
    }),
  );
  const final = sql.slice(split.final.start, split.final.end).trim();
  // What the SELECT reads is not told apart: all of it may matter.
  steps.push({ name: FINAL_STEP, text: final, reads: split.ctes.map((_, position) => position) });
  return { sql, split, steps };
}

/** The position of a step by its name, as a model may write it. */
export function findStep({ steps }: CteStatement, name: string, traits: LexerTraits): number | undefined {
  const wanted = name.trim();
  const exact = steps.findIndex((step) => step.name === wanted);
  if (exact >= 0) return exact;
  const compared = comparedName(unquoted(wanted, traits), traits).toLowerCase();
  const found = steps.findIndex((step) => comparedName(step.name, traits).toLowerCase() === compared);
  return found < 0 ? undefined : found;
}

/** The statement that shows a CTE: one row more than a view holds, so that a cut view is known as one. */
export function viewStatement({ sql, split }: CteStatement, position: number, traits: LexerTraits): string {
  return prefixQuery(sql, split, position + 1, { traits, maxRows: VIEW_LIMITS.maxRows + 1 });
}

/** The same CTEs with another SELECT behind them. `select` is given the CTE's name as it is written. */
export function prefixWith(
  { sql, split }: CteStatement,
  position: number,
  traits: LexerTraits,
  select: (name: string) => string,
): string {
  const name = split.ctes[position]?.rawName ?? '';
  const shown = prefixQuery(sql, split, position + 1, { traits });
  const tail = `SELECT * FROM ${name}`;
  return `${shown.slice(0, shown.length - tail.length)}${select(name)}`;
}

/** What came of a new text for a step. */
export type Spliced =
  | { readonly type: 'spliced'; readonly sql: string; readonly from: string; readonly to: string }
  /** Nothing would change. */
  | { readonly type: 'same' }
  /** It is no text for this step: it would change the others as well. */
  | { readonly type: 'invalid'; readonly reason: string };

/**
 * Puts a new text in the place of a step's, by its span: nothing else of the source changes, and that is checked. What
 * models write around a body is taken off: fences, a semicolon, `name AS ( … )`, or the whole statement, of which the
 * step alone is taken.
 */
export function replaceStep(statement: CteStatement, position: number, written: string, traits: LexerTraits): Spliced {
  const step = statement.steps[position];
  if (step === undefined) return { type: 'invalid', reason: 'There is no such CTE.' };
  const text = stepText(statement, position, cleanSql(written), traits).trim();
  if (significantTokens(text, traits).length === 0) return { type: 'invalid', reason: 'The new text is empty.' };
  if (sameTokens(text, step.text, traits)) return { type: 'same' };
  const { sql, split } = statement;
  if (split.ctes.length === 0) return wholeAnew(statement, text, traits);
  const span = split.ctes[position]?.bodySpan ?? split.final;
  const before = sql.slice(span.start, span.end);
  // A comment at the end of the text would take the closing bracket with it.
  const changed = `${sql.slice(0, span.start)}${leading(before)}${text}\n${sql.slice(span.end)}`;
  const after = cteStatement(changed, traits);
  const isAlone =
    after.split.complete &&
    after.split.prelude.length === split.prelude.length &&
    after.steps.length === statement.steps.length &&
    after.steps.every(({ name, text: other }, at) => {
      const old = statement.steps[at];
      if (name !== old?.name) return false;
      // A comment at its end belongs to no statement.
      return at === position ? sameTokens(other, text, traits) : other === old.text;
    });
  if (!isAlone)
    return {
      type: 'invalid',
      reason: 'The new text is no query of its own: brackets or quotes are left open, or it closes more than it opens.',
    };
  return { type: 'spliced', sql: changed.trimEnd(), from: step.text, to: text };
}

/** A statement of one step may be written anew in any form, as long as it stays one statement. */
function wholeAnew({ split, steps }: CteStatement, text: string, traits: LexerTraits): Spliced {
  const after = splitCtes(text, traits);
  if (!after.complete || after.prelude.length > split.prelude.length)
    return { type: 'invalid', reason: 'The new text is no single complete statement.' };
  return { type: 'spliced', sql: text, from: steps[0]?.text ?? '', to: text };
}

/** The text of one step in what a model wrote for it. */
function stepText({ steps, split }: CteStatement, position: number, written: string, traits: LexerTraits): string {
  const isFinal = position === split.ctes.length;
  const whole = cteStatement(written, traits);
  const own = steps[position]?.name ?? '';
  if (isFinal) {
    // The whole statement again: what stands behind its CTEs.
    const hasSame =
      whole.split.ctes.length > 0 &&
      whole.steps.some(({ name }, at) => at < split.ctes.length && name === steps[at]?.name);
    return hasSame ? (whole.steps.at(-1)?.text ?? written) : written;
  }
  const inWhole = whole.split.ctes.find(({ name }) => sameName(name, own, traits));
  if (inWhole !== undefined) return inWhole.body;
  const named = splitCtes(`WITH ${written}\nSELECT 1`, traits);
  const [only] = named.ctes;
  if (named.ctes.length >= 1 && named.complete && only !== undefined && sameName(only.name, own, traits))
    return only.body;
  return written;
}

function sameName(one: string, other: string, traits: LexerTraits): boolean {
  return comparedName(one, traits) === comparedName(other, traits);
}

function unquoted(name: string, traits: LexerTraits): string {
  for (const [open, close] of traits.identifierQuotes)
    if (name.length > 1 && name.startsWith(open) && name.endsWith(close)) return name.slice(1, -1);
  return name;
}

/** True when nothing but blanks and comments differs. */
function sameTokens(one: string, other: string, traits: LexerTraits): boolean {
  const write = (text: string): string => JSON.stringify(significantTokens(text, traits).map((token) => token.text));
  return one === other || write(one) === write(other);
}

function leading(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}
