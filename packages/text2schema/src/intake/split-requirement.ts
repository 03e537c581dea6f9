/**
 * Where a text may be cut, best first: before a heading, behind a paragraph, a line, a sentence, a word. Each keeps
 * every character.
 */
const CUTS: readonly RegExp[] = [
  /(?<=\n)(?=#{1,6}[ \t])/u,
  /(?<=\n\r?\n)/u,
  /(?<=\n)/u,
  /(?<=[.!?]["')\]]?[ \t])|(?<=[。！？；])/u,
  /(?<=[\s，、])/u,
];

interface Piece {
  readonly text: string;
  readonly tokens: number;
}

/**
 * Cuts a text into parts of at most `maxTokens`, at the best places there are. Joined, the parts are the text. A single
 * character that is over the limit by itself stays a part.
 */
export function splitRequirement(text: string, maxTokens: number, countTokens: (text: string) => number): string[] {
  const tokens = countTokens(text);
  if (tokens <= maxTokens) return [text];
  const pieces = cutPiece({ text, tokens }, 0, maxTokens, countTokens);
  return packPieces(pieces, maxTokens, countTokens);
}

/**
 * Pieces within the limit, as large as the places to cut allow. At most as deep as there are kinds of cuts, and
 * halvings.
 */
function cutPiece(piece: Piece, level: number, maxTokens: number, countTokens: (text: string) => number): Piece[] {
  if (piece.tokens <= maxTokens) return [piece];
  const cut = CUTS[level];
  const texts = cut === undefined ? halves(piece.text) : piece.text.split(cut);
  if (texts.length === 1) return cut === undefined ? [piece] : cutPiece(piece, level + 1, maxTokens, countTokens);
  return texts
    .map((text) => ({ text, tokens: countTokens(text) }))
    .flatMap((part) => cutPiece(part, level + (cut === undefined ? 0 : 1), maxTokens, countTokens));
}

/** Both halves, never through a surrogate pair; one piece where there is only one character. */
function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  const isLow = (text.charCodeAt(middle) & 0xfc00) === 0xdc00;
  const at = isLow ? middle + 1 : middle;
  return at >= text.length ? [text] : [text.slice(0, at), text.slice(at)];
}

/** Neighbours together as long as they fit. */
function packPieces(pieces: readonly Piece[], maxTokens: number, countTokens: (text: string) => number): string[] {
  const parts: string[] = [];
  let current: Piece = { text: '', tokens: 0 };
  for (const piece of pieces) {
    const isFull = current.tokens + piece.tokens > maxTokens;
    if (isFull && current.text !== '') parts.push(current.text);
    current = isFull ? piece : { text: current.text + piece.text, tokens: current.tokens + piece.tokens };
  }
  if (current.text !== '') parts.push(current.text);
  // A counter for which the whole is more than its parts: such a part is cut again.
  return parts.flatMap((part) => (countTokens(part) <= maxTokens ? [part] : unpacked(part, maxTokens, countTokens)));
}

function unpacked(part: string, maxTokens: number, countTokens: (text: string) => number): string[] {
  const [first, second] = halves(part);
  if (first === undefined || second === undefined) return [part];
  return [first, second].flatMap((half) =>
    countTokens(half) <= maxTokens ? [half] : unpacked(half, maxTokens, countTokens),
  );
}
