import { knownEquivalents, type SurfaceForms } from '@askema/grounding';

/** Codes that may be initials are no longer than this. */
const MAX_INITIALS = 8;

/** What initials are hashed with, so that `nyc` as a text and as initials are two things. */
const TEXT = 1;
const INITIALS = 2;

/**
 * The hashes under which a cell is found: its words in the singular and in alphabetical order (whatever their case,
 * accents, marks, order and number), its letters without anything between them, its initials.
 */
export function hashesOfCell(forms: SurfaceForms): ReadonlySet<number> {
  const hashes = new Set([hashText(canonical(forms), TEXT), hashText(forms.squashed, TEXT)]);
  for (const initials of forms.initials)
    if (initials.length >= 2 && initials.length <= MAX_INITIALS) hashes.add(hashText(initials, INITIALS));
  return hashes;
}

/** Where to look for cells that are spelled like a text, and for those of which it is another name or the initials. */
export function hashesOfText(forms: SurfaceForms): {
  readonly spelled: ReadonlySet<number>;
  readonly other: ReadonlySet<number>;
} {
  const { squashed } = forms;
  const spelled = new Set([hashText(canonical(forms), TEXT), hashText(squashed, TEXT)]);
  const other = new Set<number>();
  for (const name of knownEquivalents(squashed)) other.add(hashText(name, TEXT));
  if (squashed.length >= 2 && squashed.length <= MAX_INITIALS) other.add(hashText(squashed, INITIALS));
  for (const initials of forms.initials) if (initials.length >= 2) other.add(hashText(initials, TEXT));
  return { spelled, other };
}

/** The hash of letters without anything between them. */
export function hashSquashed(squashed: string): number {
  return hashText(squashed, TEXT);
}

/**
 * What trigrams are taken from: the words with a blank before and behind each, which says where a word begins and ends.
 */
export function gramText(forms: SurfaceForms): string {
  return ` ${forms.words.length === 0 ? forms.folded : forms.words.join(' ')} `;
}

/** The different trigrams of a text, by characters, as SQLite's trigram tokenizer makes them. */
export function gramsOf(text: string): string[] {
  const grams = new Set<string>();
  if (SURROGATES.test(text)) {
    const characters = [...text];
    for (let at = 0; at + 3 <= characters.length; at += 1) grams.add(characters.slice(at, at + 3).join(''));
  } else {
    for (let at = 0; at + 3 <= text.length; at += 1) grams.add(text.slice(at, at + 3));
  }
  return [...grams];
}

/** Characters of two code units. */
const SURROGATES = /[\ud800-\udfff]/;

function canonical(forms: SurfaceForms): string {
  return forms.singular === '' ? forms.folded : forms.singular;
}

/** 53 bits, by two multiplicative mixes of 32 (the finaliser of MurmurHash3). A collision only costs a comparison. */
function hashText(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b >>> 0) * 2 ** 21 + (a >>> 11);
}
