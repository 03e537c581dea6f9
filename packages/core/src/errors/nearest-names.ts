import { distance } from 'fastest-levenshtein';

/** A longer name is near to nothing: comparing takes time by the product of the lengths. */
const LONGEST = 500;

/**
 * The candidates nearest to a name, best first, for "did you mean" hints. Case, underscores and blanks do not count; a
 * candidate that shares nothing useful with the name is left out, so the answer may be empty.
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = normalise(name);
  if (wanted.length > LONGEST) return [];
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const other = normalise(candidate);
    if (other.length === 0 || other.length > LONGEST) continue;
    const longest = Math.max(wanted.length, other.length);
    const edits = distance(wanted, other) / longest;
    const contained = wanted.length >= 3 && other.length >= 3 && (other.includes(wanted) || wanted.includes(other));
    const score = Math.min(edits, contained ? 0.35 : 1, sameLetters(wanted, other) ? 0.3 : 1);
    if (score <= 0.45) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

/** "Did you mean `a` or `b`?" for a message, or an empty string when nothing is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  return didYouMeanOneOf(nearestNames(name, candidates));
}

/** The same of names that were found already. */
export function didYouMeanOneOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `Did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`;
}

function normalise(name: string): string {
  return name.toLowerCase().replace(/[\s_\-."`[\]]+/g, '');
}

/** Swapped letters count as two edits, which is too much for a short name: `nmae` is `name`. */
function sameLetters(a: string, b: string): boolean {
  return a.length > 2 && a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
}
