import { AskemaError } from '@askema/core';

/** Words at the end of a key attribute that say that it identifies something, not what. */
const ENDINGS = ['number', 'code', 'id', 'no.', 'no', '编号', '号码', '代码', '号'];

/** More attributes would make a name that databases cut: PostgreSQL at 63 bytes, MySQL at 64 characters. */
const MAX_WORDS = 4;

/**
 * A name for a relation, made of the attributes of its key, without a word at their end that only says "identifier":
 * `Department ID` gives `Department`, `学生编号` gives `学生`, `student_id` and `course_id` give `student_course`. Only whole
 * words go: `SID` and `Paid` stay. Of a key without attributes the relation's attributes make the name. Of more than
 * four attributes the first four do.
 */
export function nameOfKey(key: readonly string[], attributes: readonly string[]): string {
  const from = (key.length > 0 ? key : attributes).slice(0, MAX_WORDS);
  return from.map(withoutEnding).join(separatorFor(from));
}

/**
 * Names as one, in the way in which they are written themselves: with blanks, with underscores, as CamelCase, or in
 * Chinese without anything.
 */
function joinNames(names: readonly string[]): string {
  return names.join(separatorFor(names));
}

function separatorFor(names: readonly string[]): string {
  if (names.some((name) => name.includes(' '))) return ' ';
  if (names.some((name) => name.includes('_'))) return '_';
  if (names.every((name) => /^\p{Lo}/u.test(name))) return '';
  if (names.every((name) => /^\p{Lu}.*\p{Ll}/su.test(name))) return '';
  return '_';
}

function withoutEnding(attribute: string): string {
  const name = attribute.trim();
  if (ENDINGS.includes(name.toLowerCase())) return name;
  for (const ending of ENDINGS) {
    const start = name.length - ending.length;
    if (start < 1 || name.slice(start).toLowerCase() !== ending) continue;
    if (!beginsWord(name, start)) continue;
    const rest = trimSeparators(name.slice(0, start));
    if (rest !== '') return rest;
  }
  return name;
}

/**
 * True behind a separator, at a capital behind a different letter than a capital, and in scripts that write words
 * without gaps.
 */
function beginsWord(name: string, start: number): boolean {
  const before = name[start - 1] ?? '';
  const first = name[start] ?? '';
  if (isSeparator(before)) return true;
  if (/\p{Lo}/u.test(first)) return true;
  return /\p{Lu}/u.test(first) && !/\p{Lu}/u.test(before);
}

function trimSeparators(name: string): string {
  let end = name.length;
  while (end > 0 && isSeparator(name[end - 1] ?? '')) end -= 1;
  return name.slice(0, end);
}

function isSeparator(character: string): boolean {
  return character === '_' || character === '-' || character === '.' || character.trim() === '';
}

/**
 * Gives names that nobody has yet; case does not count, because databases fold it. A name that is taken gets the
 * original's in front, and where that is taken too, a number behind.
 */
export function createNamer(original: string, taken: Iterable<string>): (wanted: string) => string {
  const used = new Set([...taken, original].map(folded));
  return (wanted) => {
    if (wanted.trim() === '') {
      throw new AskemaError(
        'INPUT_INVALID',
        `\`nameOf\` returned an empty name for a part of \`${original}\`; return a name.`,
      );
    }
    let name = wanted;
    if (used.has(folded(name))) name = joinNames([original, wanted]);
    for (let number = 2; used.has(folded(name)); number += 1) name = joinNames([original, wanted, String(number)]);
    used.add(folded(name));
    return name;
  };
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
