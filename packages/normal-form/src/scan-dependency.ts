/** An ampersand separates only where a caller asks for it. */
type Separator = 'comma' | 'arrow' | 'ampersand';

/** What stands between two separators of a written dependency. */
interface DependencyPiece {
  /** Without blanks around it; of a quoted name without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
  /** Where it stands, without blanks around it: UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** Pieces and what separates each from the next: one separator fewer than pieces. */
export interface ScannedDependency {
  readonly pieces: readonly DependencyPiece[];
  readonly separators: readonly Separator[];
}

/**
 * Cuts at commas and arrows (`->` or `→`), and with `ampersands` at those; a name in double quotes is one piece, `""`
 * in it one quote. Linear in the text.
 */
export function scanDependency(text: string, ampersands = false): ScannedDependency {
  const pieces: DependencyPiece[] = [];
  const separators: Separator[] = [];
  const next = (position: number) => separatorAt(text, position, ampersands);
  let at = 0;
  for (;;) {
    const start = skipBlanks(text, at);
    const quoted = readQuoted(text, start, next);
    if (quoted !== undefined) {
      pieces.push({ text: quoted.name, quoted: true, start, end: quoted.end });
      at = skipBlanks(text, quoted.end);
    } else {
      at = start;
      while (at < text.length && next(at) === undefined) at += 1;
      const raw = text.slice(start, at).trimEnd();
      pieces.push({ text: raw, quoted: false, start, end: start + raw.length });
    }
    const separator = next(at);
    if (separator === undefined) return { pieces, separators };
    separators.push(separator.kind);
    at += separator.length;
  }
}

/** True for a name that is read back as one piece only within quotes. */
export function needsQuotes(name: string): boolean {
  const { pieces } = scanDependency(name);
  return pieces.length > 1 || name !== pieces[0]?.text || name === '' || name === '∅' || name.startsWith('"');
}

interface FoundSeparator {
  readonly kind: Separator;
  readonly length: number;
}

function separatorAt(text: string, at: number, ampersands: boolean): FoundSeparator | undefined {
  if (text[at] === ',') return { kind: 'comma', length: 1 };
  if (text[at] === '→') return { kind: 'arrow', length: 1 };
  if (ampersands && text[at] === '&') return { kind: 'ampersand', length: 1 };
  return text.startsWith('->', at) ? { kind: 'arrow', length: 2 } : undefined;
}

/** A quoted name, when a separator or the end stands behind it; a quote elsewhere is part of a name: `Size 12"`. */
function readQuoted(
  text: string,
  start: number,
  separator: (at: number) => FoundSeparator | undefined,
): { readonly name: string; readonly end: number } | undefined {
  if (text[start] !== '"') return undefined;
  let name = '';
  for (let at = start + 1; ; ) {
    const close = text.indexOf('"', at);
    if (close === -1) return undefined;
    name += text.slice(at, close);
    if (text[close + 1] !== '"') {
      const behind = skipBlanks(text, close + 1);
      const isWhole = behind === text.length || separator(behind) !== undefined;
      return isWhole ? { name, end: close + 1 } : undefined;
    }
    name += '"';
    at = close + 2;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] ?? '').trim() === '') at += 1;
  return at;
}
