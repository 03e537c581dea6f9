import type { ValueMatch } from '@askema/core';
import type { KnowledgeSettings } from '../model/knowledge.ts';
import { phraseKey, spellingOf, type Word, wordsOf } from '../words/words-of.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import type { Lexicon } from './lexicon.ts';
import type { DatasetField, Link, Meaning } from './meaning.ts';

/** What the runs of words of a question can mean, by the position of their first word; longest first. */
export function questionLinks(
  words: readonly Word[],
  lexicon: Lexicon,
  values: readonly ValueMatch[],
  matching: KnowledgeSettings['matching'],
): readonly (readonly Link[])[] {
  const cells = cellMeanings(values, lexicon, matching);
  const longest = Math.max(lexicon.longest, ...[...cells.keys()].map((key) => key.split(' ').length));
  const links = words.map((_, at) => {
    const found: Link[] = [];
    let isInside = false;
    for (let end = Math.min(words.length, at + longest); end > at; end -= 1) {
      const run = words.slice(at, end);
      if (run.some(({ kind }) => kind === 'comma' || kind === 'stop')) continue;
      const key = phraseKey(run);
      const declared = lexicon.meanings.get(key) ?? [];
      // Of a longer phrase that knowledge has a name for, no cell is a part: a customer may be called "New".
      const ofCells = isInside ? [] : (cells.get(key) ?? []).filter((cell) => !isDeclared(cell, declared));
      const meanings = [...declared, ...ofCells];
      isInside ||= declared.length > 0;
      if (meanings.length > 0) found.push({ end, meanings });
    }
    return found;
  });
  return links.map((found, at) =>
    found.flatMap(({ end, meanings }) => {
      const inner = links
        .slice(at, end)
        .flatMap((some, place) =>
          some.filter((link) => link.end <= end && (place > 0 || isWritten(link, words.slice(at, link.end), end))),
        );
      const spelling = spellingOf(words.slice(at, end));
      const kept = meanings.filter((meaning) => !isOtherNumber(meaning, spelling, inner));
      return kept.length === 0 ? [] : [{ end, meanings: kept }];
    }),
  );
}

/** "average orders" are not the average order where orders are a metric themselves. */
function isOtherNumber(meaning: Meaning, spelling: string, inner: readonly Link[]): boolean {
  if (meaning.kind !== 'metric' || meaning.spelling === spelling) return false;
  return inner.some(({ meanings }) =>
    meanings.some(
      (other) =>
        other.kind === 'metric' && other.metric !== meaning.metric && !meaning.spelling.endsWith(other.spelling),
    ),
  );
}

/** "orders total": orders as they are written, and not the order total. */
function isWritten({ end, meanings }: Link, words: readonly Word[], whole: number): boolean {
  const spelling = spellingOf(words);
  return end < whole && meanings.some((meaning) => meaning.kind === 'metric' && meaning.spelling === spelling);
}

/** Cells that were found: those that say what the question says, but for case and plural. */
function cellMeanings(
  values: readonly ValueMatch[],
  { byAttribute }: Lexicon,
  matching: KnowledgeSettings['matching'],
): ReadonlyMap<string, readonly Meaning[]> {
  const found = new Map<string, Map<DatasetField, { mention: string; value: string }[]>>();
  for (const { mention, value, attribute } of values) {
    const key = phraseKey(wordsOf(mention));
    if (key === '' || key !== phraseKey(wordsOf(value)) || holdsTogether(mention)) continue;
    const places = found.get(key) ?? new Map<DatasetField, { mention: string; value: string }[]>();
    found.set(key, places);
    for (const place of byAttribute.get(attribute) ?? [])
      places.set(place, [...(places.get(place) ?? []), { mention, value }]);
  }
  const meanings = new Map<string, Meaning[]>();
  for (const [key, places] of found)
    for (const [place, cells] of places) {
      const meant = cellsMeant(cells, matching);
      if (meant.length > 0)
        meanings.set(key, [...(meanings.get(key) ?? []), { kind: 'value', ...place, values: meant }]);
    }
  return meanings;
}

/** "without" of "stores without orders" is no store, whatever its name; "IT" is written as a name is. */
function holdsTogether(mention: string): boolean {
  return mention !== mention.toUpperCase() && wordsOf(mention).every(({ lower }) => FUNCTION_WORDS.has(lower));
}

/** The same text rather than other cases of it, those rather than the plural. */
function cellsMeant(
  cells: readonly { readonly mention: string; readonly value: string }[],
  matching: KnowledgeSettings['matching'],
): readonly string[] {
  // Cells that contain the text are meant as well, and they were not looked for.
  if (matching === 'contains') return [];
  const distinct = (some: typeof cells): string[] => [...new Set(some.map(({ value }) => value))];
  const exact = cells.filter(({ mention, value }) => mention === value);
  if (matching === 'exact' || (matching !== 'insensitive' && exact.length > 0)) return distinct(exact);
  const folded = cells.filter(({ mention, value }) => mention.toLowerCase() === value.toLowerCase());
  return distinct(folded.length > 0 ? folded : cells);
}

/** What knowledge says about a value goes before what was found. */
function isDeclared(cell: Meaning, declared: readonly Meaning[]): boolean {
  return declared.some((meaning) => meaning.kind === 'value' && cell.kind === 'value' && meaning.field === cell.field);
}
