import type { Knowledge } from '../model/knowledge.ts';
import type { AiContext, Dataset, EnumValue, Field, Metric, NamedFilter } from '../model/semantic-model.ts';
import { FUNCTION_WORDS } from '../reader/function-words.ts';
import { phraseKey, type Word, wordsOf, wordsOfName } from '../words/words-of.ts';

export interface FieldOf {
  readonly dataset: Dataset;
  readonly field: Field;
}

/** What a phrase of a question can name. */
export type Named =
  | { readonly kind: 'metric'; readonly metric: Metric }
  | { readonly kind: 'filter'; readonly filter: NamedFilter }
  | { readonly kind: 'dataset'; readonly dataset: Dataset }
  | ({ readonly kind: 'field' } & FieldOf)
  | ({ readonly kind: 'value'; readonly value: EnumValue } & FieldOf);

export interface Mention {
  /** As it stands in the question. */
  readonly phrase: string;
  readonly named: readonly Named[];
}

export interface Names {
  readonly byPhrase: ReadonlyMap<string, readonly Named[]>;
  /** Of the longest phrase, in words. */
  readonly longest: number;
}

/** Longer phrases are prose, no names. */
const MAX_WORDS = 10;

/** All that knowledge calls by a name, by the phrases that people say. What is hidden has none. */
export function namesOf({ models }: Pick<Knowledge, 'models'>): Names {
  const byPhrase = new Map<string, Named[]>();
  let longest = 0;
  const add = (named: Named, ...phrases: readonly (string | undefined)[]): void => {
    const keys = new Set<string>();
    for (const phrase of phrases) {
      const words = phrase === undefined ? [] : wordsOfName(phrase).filter(({ kind }) => kind !== 'stop');
      if (words.length > MAX_WORDS || words.every(({ kind, lower }) => kind !== 'word' || FUNCTION_WORDS.has(lower)))
        continue;
      longest = Math.max(longest, words.length);
      keys.add(phraseKey(words));
    }
    for (const key of keys) {
      const known = byPhrase.get(key);
      if (known === undefined) byPhrase.set(key, [named]);
      else known.push(named);
    }
  };
  const synonyms = (ai: AiContext | undefined): readonly string[] => ai?.synonyms ?? [];
  for (const { metrics, filters, datasets } of models) {
    for (const metric of metrics)
      if (metric.isHidden !== true) add({ kind: 'metric', metric }, metric.name, metric.label, ...synonyms(metric.ai));
    for (const filter of filters) add({ kind: 'filter', filter }, filter.name, ...filter.synonyms);
    for (const dataset of datasets) {
      add({ kind: 'dataset', dataset }, dataset.name, ...synonyms(dataset.ai));
      for (const field of dataset.fields) {
        if (field.isHidden === true) continue;
        add({ kind: 'field', dataset, field }, field.name, field.label, ...synonyms(field.ai));
        for (const value of field.values)
          add({ kind: 'value', dataset, field, value }, textOf(value), value.meaning, ...value.synonyms);
      }
    }
  }
  return { byPhrase, longest };
}

function textOf({ value }: EnumValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** What the question names, in its order: of phrases that overlap the longest. */
export function mentionsIn(question: string, { byPhrase, longest }: Names): Mention[] {
  const words = wordsOf(question);
  const mentions: Mention[] = [];
  for (let at = 0; at < words.length; ) {
    const end = longestFrom(words, at, longest, byPhrase);
    if (end > at) {
      const phrase = question.slice(words[at]?.start, words[end - 1]?.end);
      mentions.push({ phrase, named: byPhrase.get(phraseKey(words.slice(at, end))) ?? [] });
    }
    at = Math.max(end, at + 1);
  }
  return mentions;
}

function longestFrom(words: readonly Word[], at: number, longest: number, byPhrase: Names['byPhrase']): number {
  for (let end = Math.min(words.length, at + longest); end > at; end -= 1)
    if (byPhrase.has(phraseKey(words.slice(at, end)))) return end;
  return at;
}
