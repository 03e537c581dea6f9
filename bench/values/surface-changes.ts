import { pick } from './random.ts';

/** How people write a value otherwise than it is stored; undefined where a value has no such form. */
export type SurfaceChange = (value: string, random: () => number) => string | undefined;

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz'];

/** In the order of the report. */
export const SURFACE_CHANGES: Readonly<Record<string, SurfaceChange>> = {
  exact: (value) => value,
  case: (value, random) =>
    (random() < 0.5 ? value.toUpperCase() : value.toLowerCase()).normalize('NFD').replace(/[\u0300-\u036f]/gu, ''),
  'word order': (value) => {
    const words = value.split(/[\s,]+/u);
    return words.length < 2 || value.includes(',') ? undefined : [words.at(-1), ...words.slice(0, -1)].join(', ');
  },
  misspelt: (value, random) => (value.length < 5 || /\d/.test(value) ? undefined : edit(value, random)),
  abbreviated: (value, random) => {
    const words = value.split(' ');
    const long = words.filter((word) => /^\p{L}{6,}$/u.test(word));
    if (words.length < 2 || long.length === 0) return undefined;
    const chosen = pick(long, random);
    return words.map((word) => (word === chosen ? `${word.slice(0, 3 + Math.floor(random() * 2))}.` : word)).join(' ');
  },
};

/** One letter left out, doubled by another, swapped with its neighbour or replaced. */
function edit(value: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (value.length - 2));
  const kind = random();
  const letter = pick(ALPHABET, random);
  if (kind < 0.25) return value.slice(0, at) + value.slice(at + 1);
  if (kind < 0.5) return value.slice(0, at) + value.charAt(at + 1) + value.charAt(at) + value.slice(at + 2);
  return value.slice(0, at) + letter + value.slice(kind < 0.75 ? at : at + 1);
}
