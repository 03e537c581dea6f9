/** A piece of a question that may be the text of a cell. */
export interface Mention {
  /** As it stands in the question. */
  readonly text: string;
  /** True when the question puts it in quotation marks. */
  readonly quoted: boolean;
  /** How many words it has; a quotation has a number above all others, so that it comes first. */
  readonly words: number;
}

interface MentionOptions {
  /** Words of the longest piece. Default 5. */
  readonly maxWords?: number | undefined;
  /** Pieces at most; long questions lose their last ones. Default 300. */
  readonly maxMentions?: number | undefined;
}

/** Longer texts are cut here before they are searched: nobody quotes a cell behind so many characters. */
const MAX_QUESTION_CHARACTERS = 2_000;

/**
 * Words that are never the text of a cell by themselves. A cell "It" or "The Who" is still found in quotation marks or
 * in a longer piece.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of in on at by for from to with without and or but not no nor as than then so if is are was were be been being am do does did ' +
    'done has have had having can could will would shall should may might must this that these those there here which who whom whose what ' +
    'when where why how many much more most less least few fewer fewest all any each every some both either neither per it its they them ' +
    'their he him his she her we us our you your i me my list show give find return display tell get select count number please also ' +
    'only just between among above below over under after before since until during within into out up down off about'
  ).split(' '),
);

/** Made only where one of its marks stands: a pattern with `\p` takes long to make. */
const MARK = /["\u201c\u2018\u00ab`']/;
const quotation = (): RegExp =>
  /"([^"]{1,200})"|\u201c([^\u201d]{1,200})\u201d|\u2018([^\u2019]{1,200})\u2019|\u00ab([^\u00bb]{1,200})\u00bb|`([^`]{1,200})`|(?<![\p{L}\p{N}])'(\S(?:[^']|'(?=\p{L})){0,198}?)'(?![\p{L}\p{N}])/gu;

/** A word keeps inner hyphens, dots, slashes, ampersands and apostrophes: ACCT-211, Ph.D, O'Neill, R&D. */
const word = (): RegExp => /[\p{L}\p{N}]+(?:[-./&'\u2019_+][\p{L}\p{N}]+)*/gu;

/**
 * The pieces of a question that may be the text of a cell: everything in quotation marks whole, then all runs of one to
 * five words that do not consist of stop words alone, longest first. Pieces that differ only in case are listed once.
 * Of a very long question single words come first into the bound.
 */
export function questionMentions(question: string, options: MentionOptions = {}): readonly Mention[] {
  const maxMentions = options.maxMentions ?? 300;
  const maxWords = options.maxWords ?? 5;
  const text = question.slice(0, MAX_QUESTION_CHARACTERS);
  const found = new Map<string, Mention>();
  const note = (piece: string, quoted: boolean, words: number): void => {
    const trimmed = piece.trim();
    const key = trimmed.toLowerCase();
    if (trimmed !== '' && !found.has(key) && found.size < maxMentions) found.set(key, { text: trimmed, quoted, words });
  };
  for (const match of MARK.test(text) ? text.matchAll(quotation()) : []) {
    note(match.slice(1).find((group) => group !== undefined) ?? '', true, maxWords + 1);
  }
  const words = [...text.matchAll(word())].map(withoutPossessive);
  /** How many words that are no stop words stand in front of each. */
  const telling = [0];
  for (const { text: own } of words) telling.push((telling.at(-1) ?? 0) + Number(!STOP_WORDS.has(own.toLowerCase())));
  for (let length = 1; length <= maxWords; length += 1) {
    for (let first = 0; first + length <= words.length; first += 1) {
      const last = first + length - 1;
      if ((telling[last + 1] ?? 0) === telling[first]) continue;
      note(closeBracket(text, words[first]?.start ?? 0, words[last]?.end ?? 0), false, length);
    }
  }
  return [...found.values()].sort((a, b) => b.words - a.words);
}

/** "hornet (sw" goes on to the bracket behind it. */
function closeBracket(text: string, start: number, end: number): string {
  const piece = text.slice(start, end);
  return text[end] === ')' && piece.lastIndexOf('(') > piece.lastIndexOf(')') ? `${piece})` : piece;
}

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function withoutPossessive(match: RegExpExecArray): Span {
  const text = match[0].replace(/['\u2019]s$/iu, '');
  return { text, start: match.index, end: match.index + text.length };
}

/**
 * The form in which cells and mentions are compared: lower case, without blanks and the marks of {@link
 * SQUASHED_MARKS}.
 */
export function squashText(text: string): string {
  return squashMarks(text.toLowerCase());
}

/** A text without blanks and the marks of {@link SQUASHED_MARKS}. */
export function squashMarks(text: string): string {
  return text.replace(SQUASHED, '');
}

/** What does not count when a cell and a mention are compared. */
export const SQUASHED_MARKS: readonly string[] = [' ', '-', '.', ',', '!', "'"];
const SQUASHED = new RegExp(`[\\s${SQUASHED_MARKS.map((mark) => `\\${mark}`).join('')}]+`, 'g');
