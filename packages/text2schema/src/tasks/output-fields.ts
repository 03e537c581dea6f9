import { DATA_TYPES, type DataType } from '@askema/core';
import * as z from 'zod';
import { ROLE_IDS, type SchemaRole } from '../model/index.ts';

/**
 * Fields of outputs. Vendors are asked for the strict form: every field there, closed objects, no records. What comes
 * is read more loosely where nothing is lost by it: the case of a word of a list, a missing list, a number where a name
 * is meant.
 */

/** One word of a list, in any case, with `-`, `_` or blanks between its parts. */
export function wordOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.preprocess((given) => {
    if (typeof given !== 'string') return given;
    const plain = plainWord(given);
    return words.find((word) => plainWord(word) === plain) ?? given;
  }, z.enum(words));
}

/** A text; null and a missing field are the empty one. */
export function textField() {
  return z.preprocess((given) => given ?? '', z.string());
}

/** A name: trimmed, a number taken as text. */
export function nameField() {
  return z.preprocess((given) => (typeof given === 'number' ? String(given) : given), z.string().trim().min(1));
}

/** A list; null and a missing field are the empty one. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((given) => given ?? [], z.array(item));
}

/** Names, without empty ones and without repetition. */
export function nameList() {
  return cleanedList((names) => [...new Set(names)]);
}

/** Sentences, without empty ones. */
export function sentenceList() {
  return cleanedList((lines) => lines);
}

/**
 * Texts, trimmed; what is cleaned before it is validated keeps the field required in the form that vendors are shown.
 */
function cleanedList(clean: (texts: readonly unknown[]) => readonly unknown[]) {
  return z.preprocess((given) => {
    if (!Array.isArray(given)) return given ?? [];
    const texts = given.map((text: unknown) =>
      typeof text === 'number' ? String(text) : typeof text === 'string' ? text.trim() : (text ?? ''),
    );
    return clean(texts.filter((text) => text !== ''));
  }, z.array(z.string()));
}

/** What other systems call the five types. */
const OTHER_TYPE_NAMES: Readonly<Record<string, DataType>> = {
  number: 'NUMERIC',
  integer: 'NUMERIC',
  int: 'NUMERIC',
  bigint: 'NUMERIC',
  decimal: 'NUMERIC',
  float: 'NUMERIC',
  double: 'NUMERIC',
  real: 'NUMERIC',
  string: 'TEXT',
  varchar: 'TEXT',
  char: 'TEXT',
  date: 'DATETIME',
  time: 'DATETIME',
  timestamp: 'DATETIME',
  boolean: 'BOOL',
  blob: 'BINARY',
};

/** One of the five types, whatever its case or its length: `varchar(255)` is TEXT. */
export function typeField() {
  return z.preprocess(
    (given) => {
      if (typeof given !== 'string') return given;
      const word = given.split('(', 1)[0]?.trim() ?? '';
      return OTHER_TYPE_NAMES[word.toLowerCase()] ?? word.toUpperCase();
    },
    z.enum(DATA_TYPES as [DataType, ...DataType[]]),
  );
}

/**
 * Who speaks next, or null. Vendors are held to the candidates; what comes otherwise is passed on as it is, because the
 * chat ignores who is no candidate and says so: no turn is asked for again for a name.
 */
export function speakerField(roles: readonly [SchemaRole, ...SchemaRole[]]) {
  return z.preprocess(
    (given) => {
      if (typeof given !== 'string') return null;
      const plain = plainWord(given);
      if (['', 'null', 'none', 'nobody', 'nil', 'undefined'].includes(plain)) return null;
      return roles.find((role) => plainWord(role) === plain) ?? given.trim();
    },
    z
      .string()
      .meta({ enum: [...roles] })
      .nullable(),
  );
}

/** Any role. */
export function roleField() {
  return wordOf(ROLE_IDS);
}

function plainWord(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}
