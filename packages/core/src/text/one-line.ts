/**
 * Characters that break a line or reorder, hide or restyle text: C0 and C1 controls, line and paragraph separators,
 * zero-width and bidirectional marks, tags (Unicode TR 36; TR 9), and others that are shown as nothing. Lone surrogates
 * are no text at all. Signs of Arabic and Syriac that are visible stay, and so does one variation selector behind what
 * may have one (emoji, signs, ideographs): a row of them spells a text that nobody sees and models read. Made when it is
 * first needed: a pattern with `\p` takes long to make.
 */
const unsafe = (): RegExp =>
  /(?:[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}](?<![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])|(?<![\p{Emoji}\p{S}\p{Ideographic}\p{Script=Myanmar}\p{Script=Phags_Pa}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])/gu;

let madeInvisible: RegExp | undefined;
/** The same without line breaks, tabs and the joiners of scripts and emoji. */
function invisible(): RegExp {
  madeInvisible ??= new RegExp(`${unsafe().source}(?<![\\n\\r\\t\\u200c\\u200d])`, 'gu');
  return madeInvisible;
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of a database on one line: unsafe characters become visible escapes, and what is too long is cut and ends in
 * `…`.
 */
export function oneLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const cut = text.length > maxCharacters;
  const kept = cut ? text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '') : text;
  const safe = kept.replace(unsafe(), escaped);
  return cut ? `${safe}…` : safe;
}

/**
 * Most texts are so, which is told much faster than by the classes above: ASCII, Latin letters, dashes, quotes, arrows.
 */
const PLAIN = /^[\t\n\r -~\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u21ff]*$/;

/** Prompts begin with long texts that come again with every question. */
const LONG = 1_000;
const KEPT = 16;
const known = new Map<string, string>();

/** Text of several lines without what nobody sees: line breaks, tabs and the joiners of scripts and emoji stay. */
export function visibleText(text: string): string {
  if (text.length < LONG) return shown(text);
  const visible = known.get(text) ?? shown(text);
  known.delete(text);
  known.set(text, visible);
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break;
    known.delete(oldest);
  }
  return visible;
}

function shown(text: string): string {
  return PLAIN.test(text) ? text : text.replace(invisible(), escaped);
}

function escaped(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
