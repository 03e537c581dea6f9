import { AskemaError } from '../errors/askema-error.ts';
import { joinNames } from './name-of-key.ts';

/**
 * Gives names that nobody has yet; case does not count, because databases fold it. A name that is taken gets the original's in front, and where
 * that is taken too, a number behind.
 */
export function createNamer(original: string, taken: Iterable<string>): (wanted: string) => string {
  const used = new Set([...taken, original].map(folded));
  return (wanted) => {
    if (wanted.trim() === '') {
      throw new AskemaError(
        'INPUT_INVALID',
        `\`nameOf\` returned an empty name for a part of \`${original}\`; return a name.`,
      );
    }
    let name = wanted;
    if (used.has(folded(name))) name = joinNames([original, wanted]);
    for (let number = 2; used.has(folded(name)); number += 1) name = joinNames([original, wanted, String(number)]);
    used.add(folded(name));
    return name;
  };
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
