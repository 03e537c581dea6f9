/** Scripts that write no blanks between words; their runs are read as pairs of neighbouring characters. */
const isUnspaced = (text: string): boolean =>
  /[^\0-\u02ff]/.test(text) && /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+$/u.test(text);

interface Patterns {
  /** What stands between two separators: `ga_sessions` has two. An apostrophe belongs to its word. */
  readonly chunks: RegExp;
  /** A letter run up to the next change of case, or a run of digits: `XMLParser2` is `XML`, `Parser`, `2`. */
  readonly pieces: RegExp;
}

/** For ASCII alone, which most texts are: patterns with `\p` take long to make. */
const ASCII: Patterns = { chunks: /[A-Za-z\d]+/g, pieces: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g };
const any = (): Patterns => ({
  chunks: /[\p{L}\p{N}\p{M}]+/gu,
  pieces: /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}|\p{N}+/gu,
});

/** Most names are words and numbers between underscores, where nothing else ends a word. */
const SNAKE_CASE = /^(?:[a-z]+|\d+)(?:_(?:[a-z]+|\d+))*$/;

/** Longer chunks are data, no words: base64, hashes. */
const MAX_CHUNK_CHARACTERS = 200;

/**
 * The words of a text, an identifier or a comment, in lower case and in their order: snake_case, camelCase and digits
 * are split (`orderID2016` gives `order`, `id`, `2016`), plurals are folded (`cities` gives `city`), and a short chunk
 * that mixes letters with digits is there whole as well (`HG19` gives `hg`, `19`, `hg19`). Characters of unspaced
 * scripts come in pairs. Linear.
 */
export function splitWords(text: string): string[] {
  if (text.length <= MAX_CHUNK_CHARACTERS && SNAKE_CASE.test(text)) return text.split('_').map(foldPlural);
  const words: string[] = [];
  const patterns = /^[\0-\x7f]*$/.test(text) ? ASCII : any();
  for (const [chunk] of text.matchAll(patterns.chunks)) {
    if (chunk.length > MAX_CHUNK_CHARACTERS) continue;
    const pieces = chunk.match(patterns.pieces) ?? [];
    for (const piece of pieces) addPiece(words, piece);
    if (pieces.length > 1 && chunk.length <= 8 && /\d/.test(chunk)) words.push(chunk.toLowerCase());
  }
  return words;
}

function addPiece(words: string[], piece: string): void {
  if (!isUnspaced(piece)) {
    words.push(foldPlural(piece.toLowerCase()));
    return;
  }
  const characters = [...piece];
  if (characters.length === 1) words.push(piece);
  for (let at = 0; at + 1 < characters.length; at += 1) words.push(`${characters[at]}${characters[at + 1]}`);
}

/** English plurals by their ending; a wrong guess does no harm as long as both sides make it. */
function foldPlural(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}
