import { AskemaError } from '@askema/core';
import { languageOf } from './language-of.ts';
import { splitRequirement } from './split-requirement.ts';

/** A requirement that may be worked on. Plain JSON. */
export interface Requirement {
  /** As it was given, without a byte order mark. */
  readonly text: string;
  /** BCP 47; `und` where code cannot tell. */
  readonly language: string;
  /** Pieces that fit into a prompt each; joined they are the text. One piece where the whole fits. */
  readonly parts: readonly string[];
}

export interface ReadRequirementOptions {
  /** Tokens of a part. */
  readonly maxTokens: number;
  readonly countTokens: (text: string) => number;
}

/** Longer than any requirement that people write: about a million words. */
const MAX_CHARACTERS = 4_000_000;

/** Control characters that no text has; tab, line feed, vertical tab, form feed and carriage return are in texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f]/u;

/** Half of a surrogate pair: no encoder can write it. */
const HALF_PAIR = /\p{Surrogate}/u;

/** What decoders put in the place of bytes that they cannot read. */
const UNREADABLE = /\ufffd/gu;

/**
 * Looks whether there is a requirement to work on, which language it is in, and cuts a long one into parts.
 *
 * @throws AskemaError `INPUT_INVALID`, as {@link checkRequirement}.
 */
export function readRequirement(given: string, { maxTokens, countTokens }: ReadRequirementOptions): Requirement {
  const text = checkRequirement(given);
  return { text, language: languageOf(text), parts: splitRequirement(text, maxTokens, countTokens) };
}

/**
 * The text of a requirement, without a byte order mark.
 *
 * @throws AskemaError `INPUT_INVALID` for an empty text, one without a word, one that is no text (control characters,
 * undecodable bytes), and one of more than 4,000,000 characters.
 */
export function checkRequirement(given: string): string {
  if (typeof given !== 'string') throw invalid(`The requirement is ${given === null ? 'null' : `a ${typeof given}`}`);
  const text = given.startsWith('\ufeff') ? given.slice(1) : given;
  if (text.trim() === '') throw invalid('The requirement is empty');
  if (text.length > MAX_CHARACTERS)
    throw invalid(`The requirement has ${text.length} characters, and ${MAX_CHARACTERS} are allowed`);
  throwUnlessText(text);
  if (!/\p{L}/u.test(text)) throw invalid(`The requirement has no words: ${JSON.stringify(text.trim().slice(0, 60))}`);
  return text;
}

function throwUnlessText(text: string): void {
  const control = CONTROL.exec(text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw invalid(`The requirement is no text: there is a control character (U+${code}) at position ${control.index}`);
  }
  if (HALF_PAIR.test(text)) throw invalid('The requirement is no text: it holds half of a surrogate pair');
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  if (unreadable * 20 > text.length)
    throw invalid(
      `The requirement is no readable text: ${unreadable} of ${text.length} characters could not be decoded`,
    );
}

function invalid(problem: string): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `${problem}. Pass what is to be stored and done with it as plain UTF-8 text, in any language.`,
  );
}
