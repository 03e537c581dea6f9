import type { ValueMatch } from '@askema/core';
import type { QueryParameter } from '../model/knowledge.ts';
import { isDay } from '../time/days.ts';
import { readPeriod } from '../time/read-period.ts';
import { wordsOf } from '../words/words-of.ts';

export type ParameterValue = string | number | boolean;

/** Longer texts of a question are no value. */
const MAX_TEXT = 200;

/** What stands in a question where a hole is. */
export interface Filling {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly words: number;
}

/**
 * A piece of a question as a value of the type of a hole; undefined for what is none. A text that is not in quotation
 * marks has to be a cell that was found; where nobody looked for cells, one word or a name in capitals. Or words that
 * mean something else ("Berlin without returns", "March") would be looked for as a value.
 */
export function readValue(
  filling: Filling,
  type: QueryParameter['type'],
  values: readonly ValueMatch[] | undefined,
): ParameterValue | undefined {
  const { text } = filling;
  if (type === 'number') return readNumber(text);
  if (type === 'date') return isDay(text) ? text : undefined;
  if (type === 'boolean') return { true: true, yes: true, false: false, no: false }[text.toLowerCase()];
  if (text.length > MAX_TEXT || text.includes('\0')) return undefined;
  if (filling.isQuoted) return text;
  if (values !== undefined) return cellOf(text, values);
  return isName(filling) ? text : undefined;
}

/** A value given in code for a hole; undefined where it is not of its type. */
export function checkedValue(value: unknown, type: QueryParameter['type']): ParameterValue | undefined {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (typeof value !== 'string' || value.includes('\0')) return undefined;
  return type === 'text' || isDay(value) ? value : undefined;
}

/** `1.000` may be a thousand: it is none. */
function readNumber(text: string): number | undefined {
  if (/^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) return undefined;
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/u.test(text)) return Number(text);
  return /^-?\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,15})?$/u.test(text) ? Number(text.replaceAll(',', '')) : undefined;
}

/** The one cell that has this text but for case. */
function cellOf(text: string, values: readonly ValueMatch[]): string | undefined {
  const folded = text.toLowerCase();
  const cells = new Set(values.map(({ value }) => value).filter((value) => value.toLowerCase() === folded));
  if (cells.has(text)) return text;
  return cells.size === 1 ? [...cells][0] : undefined;
}

function isName({ text, words }: Filling): boolean {
  const pieces = wordsOf(text);
  const clock = { today: '2024-01-01', calendar: { yearStart: 1, weekStart: 'monday' as const } };
  if (pieces.some((_, at) => readPeriod(pieces, at, clock) !== undefined)) return false;
  return words === 1 || pieces.every(({ text: word }) => /^\p{Lu}/u.test(word));
}
