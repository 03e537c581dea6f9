/** A piece of a question, for comparing: `plain` is what has to be equal, the place is where it stands. */
export interface PlainWord {
  readonly plain: string;
  readonly start: number;
  readonly end: number;
  /** It stood alone between quotation marks: the marks are not in the range. */
  readonly isQuoted?: boolean | undefined;
}

const PIECE =
  /\{(?<hole>\w+)\}|"(?<quoted>[^"]+)"|\u201c(?<curly>[^\u201d]+)\u201d|(?<![\p{L}\p{N}])'(?<single>[^']+)'(?![\p{L}\p{N}])|(?<number>(?:(?<![\p{L}\p{N}])-)?\d(?:[\d.,]*\d)?)(?![\p{L}\p{N}])|(?<word>[\p{L}\p{M}\p{N}_]+(?:['\u2019][\p{L}\p{M}]+)*)|(?<nothing>\s+|[.?,;:\u2026"\u201c\u201d()]|!(?![\p{L}\p{N}])|(?<=\p{L})[-\u2013](?=[\p{L}\p{N}]))|(?<other>[\s\S])/gu;

/** A hole of a parameterised question, among its words. */
export interface Hole {
  readonly hole: string;
}

/**
 * A question in what tells it from others: without case, blanks and punctuation that says nothing. Signs (`>`, `-5`,
 * `%`) and decimals stay, and so does every word. What joins two words or a word and a number is no sign: `top-5`.
 */
export function plainQuestion(text: string): readonly PlainWord[] {
  return piecesOf(text).filter((piece): piece is PlainWord => 'plain' in piece);
}

/** Under which two questions are the same, whatever their holes are called. */
export function plainKey(question: string): string {
  return questionWithHoles(question)
    .map((piece) => ('hole' in piece ? '{}' : piece.plain))
    .join('\n');
}

/** The same of a question with holes: `revenue in {city}`. */
export function questionWithHoles(text: string): readonly (PlainWord | Hole)[] {
  return piecesOf(text);
}

function piecesOf(text: string): (PlainWord | Hole)[] {
  const pieces: (PlainWord | Hole)[] = [];
  for (const match of text.matchAll(PIECE)) {
    const { hole, quoted, curly, single, nothing } = match.groups ?? {};
    if (hole !== undefined) pieces.push({ hole });
    if (hole !== undefined || nothing !== undefined) continue;
    const inner = quoted ?? curly ?? single;
    const start = match.index + (inner === undefined ? 0 : 1);
    const piece = inner ?? match[0];
    const plain = piece.normalize('NFC').toLowerCase().replaceAll('\u2019', "'");
    pieces.push({ plain, start, end: start + piece.length, ...(inner === undefined ? {} : { isQuoted: true }) });
  }
  return withoutPoliteness(pieces);
}

/** What people say to be polite: it asks for nothing. */
const BEFORE = [
  'hi',
  'hello',
  'hey',
  'please',
  'kindly',
  'can you',
  'could you',
  'would you',
  'show me',
  'tell me',
  'give me',
  'i want to know',
  'i would like to know',
  'i would like to see',
].map((words) => words.split(' '));
const BEHIND = ['please', 'thanks', 'thank you'].map((words) => words.split(' '));

function withoutPoliteness(pieces: (PlainWord | Hole)[]): (PlainWord | Hole)[] {
  let start = 0;
  let end = pieces.length;
  const stands = (words: readonly string[], at: number): boolean =>
    at >= start && words.every((word, place) => isWord(pieces[at + place], word));
  for (let found = true; found; ) {
    const before = BEFORE.find((words) => stands(words, start) && start + words.length < end);
    start += before?.length ?? 0;
    const behind = BEHIND.find((words) => stands(words, end - words.length) && start + words.length < end);
    end -= behind?.length ?? 0;
    found = before !== undefined || behind !== undefined;
  }
  return pieces.slice(start, end);
}

function isWord(piece: PlainWord | Hole | undefined, word: string): boolean {
  return piece !== undefined && 'plain' in piece && piece.isQuoted !== true && piece.plain === word;
}
