import { nearestNames } from '@askema/core';

export type Fields = Readonly<Record<string, unknown>>;

/** Thrown by readers of one action, caught by `parseActions`: never leaves this folder. */
export class ArgumentFault extends Error {
  readonly nearestNames: readonly string[];

  constructor(message: string, nearest: readonly string[] = []) {
    super(message);
    this.nearestNames = nearest;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The first of the fields that is there, whatever the case and the underscores of its name; `names` are in lower case
 * without any.
 */
export function field(fields: Fields, ...names: readonly string[]): unknown {
  for (const name of names)
    for (const [key, value] of Object.entries(fields))
      if (key.toLowerCase().replaceAll('_', '') === name && value !== null && value !== undefined) return value;
  return undefined;
}

/** A text, without blanks around it; empty for what is not there. Numbers and truth values become text. */
export function textOf(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ArgumentFault(`${what} must be a text, not ${shown(value)}.`);
}

export function requiredText(value: unknown, what: string): string {
  const text = textOf(value, what);
  if (text === '') throw new ArgumentFault(`${what} is missing.`);
  return text;
}

/** A list; a single value is a list of one, and nothing an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

export function truthOf(value: unknown, what: string): boolean {
  const text = textOf(value, what).toLowerCase();
  if (['', 'false', '0', 'no'].includes(text)) return false;
  if (['true', '1', 'yes'].includes(text)) return true;
  throw new ArgumentFault(`${what} must be true or false, not ${shown(value)}.`);
}

/** A whole number from 0 on; undefined for what is not there. */
export function countOf(value: unknown, what: string): number | undefined {
  const text = textOf(value, what);
  if (text === '') return undefined;
  const number = Number(text);
  if (!/^\d+(\.0+)?$/.test(text) || !Number.isSafeInteger(number))
    throw new ArgumentFault(`${what} must be a whole number from 0 on, not ${shown(value)}.`);
  return number;
}

/** One of the known words, by its spelling without case and with single blanks, or by a synonym. */
export function wordOf<const Word extends string>(
  value: unknown,
  what: string,
  words: readonly Word[],
  synonyms: Readonly<Record<string, Word>> = {},
): Word {
  const text = requiredText(value, what);
  const normal = text.toLowerCase().replace(/[\s_]+/g, ' ');
  const found =
    words.find((word) => word === normal) ?? (Object.hasOwn(synonyms, normal) ? synonyms[normal] : undefined);
  if (found !== undefined) return found;
  const nearest = nearestNames(text, words);
  const known = nearest.length > 0 ? `Did you mean \`${nearest[0]}\`? ` : '';
  throw new ArgumentFault(
    `${what} ${shown(text)} is not known. ${known}It is one of ${words.map((word) => `\`${word}\``).join(', ')}.`,
    nearest,
  );
}

/** A value for a message, cut. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
