/**
 * A piece of text that may be JSON: from an opening bracket to the one that closes it, or to the end when none does.
 */
export interface BareJson {
  readonly start: number;
  readonly end: number;
  /** False when nothing closes it. */
  readonly complete: boolean;
  /** True when it is JSON as it stands. */
  readonly valid: boolean;
}

/** Every bracket that leads to no JSON costs another pass over what is behind it. */
const MAX_PASSES = 32;

/** A name and a colon, or an end, behind a brace; a value behind a bracket. Others are prose. */
const BEGINNING = /^(?:\{\s*(?:\}|(["'`“‘]?)[\w$][\w$ .-]*["'`”’]?\s*:)|\[\s*[[{"'\d\]-])/;

/**
 * The objects and arrays in a text, in the order of their beginnings. What is JSON is not looked into; what is not is
 * given as well, so that it may be repaired, and looked into. Quotes count only inside of brackets, so those in prose
 * do no harm.
 */
export function findBareJson(text: string): readonly BareJson[] {
  const found: BareJson[] = [];
  let passes = 0;
  let position = nextBeginning(text, 0);
  while (position < text.length && passes < MAX_PASSES) {
    const end = closingEnd(text, position);
    const valid = end !== undefined && isJson(text.slice(position, end));
    found.push({ start: position, end: end ?? text.length, complete: end !== undefined, valid });
    if (!valid) passes += 1;
    position = nextBeginning(text, valid ? end : position + 1);
  }
  return found;
}

/**
 * The most trustworthy piece first: the last one, but a broken object before its own parts. A piece that only begins
 * inside of a broken one, and ends behind it, shows that the broken one is none.
 */
export function lastFirst(pieces: readonly BareJson[]): readonly BareJson[] {
  // The group that was opened last stands first.
  const groups: { readonly head: BareJson; readonly parts: BareJson[] }[] = [];
  for (const piece of pieces) {
    const group = groups[0];
    if (group !== undefined && piece.end <= group.head.end) group.parts.unshift(piece);
    else groups.unshift({ head: piece, parts: [] });
  }
  return groups.flatMap(({ head, parts }) => [head, ...parts]);
}

function nextBeginning(text: string, from: number): number {
  for (let position = from; position < text.length; position++) {
    const character = text[position];
    if ((character === '{' || character === '[') && BEGINNING.test(text.slice(position, position + 200)))
      return position;
  }
  return text.length;
}

/**
 * Where the bracket that opens at `start` is closed (exclusive); undefined when it is not, or a bracket of the other
 * kind comes first.
 */
function closingEnd(text: string, start: number): number | undefined {
  const expected: string[] = [];
  let inString = false;
  for (let position = start; position < text.length; position++) {
    const character = text[position];
    if (inString) {
      if (character === '\\') position += 1;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === '{') expected.push('}');
    else if (character === '[') expected.push(']');
    else if (character === '}' || character === ']') {
      if (expected.pop() !== character) return undefined;
      if (expected.length === 0) return position + 1;
    }
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
