import { type AttributeId, attributeId } from '@askema/core';
import type { BoundDataset, BoundField, BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { AiContext, Metric } from '../model/semantic-model.ts';
import { phraseKey, type Word, wordsOf, wordsOfName } from '../words/words-of.ts';
import { FUNCTION_WORDS, isParticiple } from './function-words.ts';
import type { DatasetField, Meaning } from './meaning.ts';

/** What the words of knowledge mean. Phrases are keys of `phraseKey`. */
export interface Lexicon {
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>;
  /** Of the longest phrase, in words. */
  readonly longest: number;
  /** Metrics whose name ends with a verb, as `units sold`, by the phrase before it; with the verb. */
  readonly withVerb: ReadonlyMap<string, readonly { readonly metric: Metric; readonly verb: string }[]>;
  /** Dimensions that are a column of a table as it is. */
  readonly byAttribute: ReadonlyMap<AttributeId, readonly DatasetField[]>;
}

const lexicons = new WeakMap<BoundKnowledge, Lexicon>();

/** Longer phrases are prose, no names. */
const MAX_WORDS = 10;
/** What stands at the ends of names and is not said. */
const COUNTED_END = new Set(['count', 'number', 'total']);
const TIME_END = new Set(['at', 'on', 'date', 'time', 'day', 'datetime', 'timestamp']);

export function lexiconOf(bound: BoundKnowledge): Lexicon {
  let lexicon = lexicons.get(bound);
  if (lexicon === undefined) {
    lexicon = buildLexicon(bound);
    lexicons.set(bound, lexicon);
  }
  return lexicon;
}

class LexiconBuilder {
  readonly meanings = new Map<string, Meaning[]>();
  readonly withVerb = new Map<string, { metric: Metric; verb: string }[]>();
  readonly byAttribute = new Map<AttributeId, DatasetField[]>();
  longest = 0;

  add(words: readonly Word[], meaning: Meaning): void {
    if (words.length > MAX_WORDS) return;
    if (words.every(({ kind, lower }) => kind === 'sign' || FUNCTION_WORDS.has(lower))) return;
    this.longest = Math.max(this.longest, words.length);
    push(this.meanings, phraseKey(words), meaning);
  }

  has(words: readonly Word[], dataset: BoundDataset): boolean {
    const known = this.meanings.get(phraseKey(words)) ?? [];
    return known.some((meaning) => meaning.kind === 'field' && meaning.dataset === dataset);
  }
}

function buildLexicon({ metrics, filters, datasets }: BoundKnowledge): Lexicon {
  const builder = new LexiconBuilder();
  for (const metric of metrics.values()) if (metric.isHidden !== true) addMetric(metric, builder);
  for (const filter of filters.values())
    for (const words of phrasesOf([filter.name, ...filter.synonyms])) builder.add(words, { kind: 'filter', filter });
  for (const dataset of datasets.values()) {
    const nouns = phrasesOf([dataset.dataset.name, ...(dataset.dataset.ai?.synonyms ?? [])]);
    for (const words of nouns) builder.add(words, { kind: 'dataset', dataset });
    const shown = [...dataset.fields.values()].filter(({ field }) => isShown(field));
    for (const field of shown) addField({ dataset, field }, nouns, builder);
    for (const field of shown) addLooseNames({ dataset, field }, nouns, builder);
  }
  return builder;
}

function isShown({ dimension, isHidden }: BoundField['field']): boolean {
  return dimension !== undefined && isHidden !== true;
}

/** What something is called, once each. */
function phrasesOf(names: readonly (string | undefined)[]): Word[][] {
  const phrases = new Map<string, Word[]>();
  for (const name of names) {
    for (const read of name === undefined ? [] : [wordsOf, wordsOfName]) {
      const words = read(name ?? '').filter(({ kind }) => kind !== 'stop');
      if (words.length > 0) phrases.set(phraseKey(words), words);
    }
  }
  return [...phrases.values()];
}

function namesOf({
  name,
  label,
  ai,
}: {
  name: string;
  label?: string | undefined;
  ai?: AiContext | undefined;
}): Word[][] {
  return phrasesOf([name, label, ...(ai?.synonyms ?? [])]);
}

function addMetric(metric: Metric, builder: LexiconBuilder): void {
  const names = namesOf(metric);
  for (const words of names) builder.add(words, { kind: 'metric', metric });
  const keys = new Set(names.map(phraseKey));
  for (const words of names) {
    const last = words.at(-1)?.lower ?? '';
    const before = words.slice(0, -1);
    const counted = COUNTED_END.has(last) ? before : isCountOf(words) ? words.slice(2) : [];
    if (!keys.has(phraseKey(counted))) builder.add(counted, { kind: 'metric', metric, onlyCounted: true });
    if (before.length > 0 && isParticiple(last)) push(builder.withVerb, phraseKey(before), { metric, verb: last });
  }
}

/** "number of orders", "count of orders". */
function isCountOf([first, second, third]: readonly Word[]): boolean {
  return COUNTED_END.has(first?.lower ?? '') && second?.lower === 'of' && third !== undefined;
}

function addField(place: DatasetField, nouns: readonly Word[][], builder: LexiconBuilder): void {
  const { dataset, field } = place;
  for (const words of namesOf(field.field)) {
    builder.add(words, { kind: 'field', ...place });
    for (const noun of nouns)
      if (!startsWith(words, noun)) builder.add([...noun, ...words], { kind: 'field', ...place });
    const isFlag = field.type === 'BOOL' && !field.isTime;
    if (isFlag) builder.add(withoutIs(words), { kind: 'value', ...place, values: [true] });
    if (field.isTime) addVerb(words, place, builder);
  }
  for (const { value, meaning, synonyms } of field.field.values)
    for (const words of phrasesOf([...(typeof value === 'string' ? [value] : []), meaning, ...synonyms]))
      builder.add(words, { kind: 'value', ...place, values: [value] });
  const { expression } = field;
  if (expression.kind === 'column' && expression.bound !== undefined && dataset.relation !== undefined)
    push(builder.byAttribute, attributeId(dataset.relation, expression.bound.column), place);
}

function addVerb(words: readonly Word[], place: DatasetField, builder: LexiconBuilder): void {
  const verb = TIME_END.has(words.at(-1)?.lower ?? '') ? words.slice(0, -1) : words;
  const last = verb.at(-1);
  if (last !== undefined && isParticiple(last.lower)) builder.add([last], { kind: 'time', ...place });
}

/**
 * What a field is called in a question without being its name: `customer type` and `type` of `customers.customer_type`;
 * `customer` of `customers.customer_name`, or of `customers.name`. Not where another field of the dataset is called so.
 */
function addLooseNames(place: DatasetField, nouns: readonly Word[][], builder: LexiconBuilder): void {
  const { dataset, field } = place;
  const addLoose = (words: readonly Word[], assumption?: string): void => {
    if (!builder.has(words, dataset)) builder.add(words, { kind: 'field', ...place, assumption });
  };
  for (const words of phrasesOf([field.field.name, field.field.label])) {
    for (const noun of nouns) if (startsWith(words, noun)) addLoose(words.slice(noun.length));
    if (words.at(-1)?.lower !== 'name') continue;
    const told = `Those with the same \`${field.field.name}\` are counted as one.`;
    if (words.length > 1) addLoose(words.slice(0, -1), told);
    if (words.length === 1) for (const noun of nouns) addLoose(noun, told);
  }
}

function startsWith(words: readonly Word[], noun: readonly Word[]): boolean {
  return words.length > noun.length && noun.every(({ stem }, at) => words[at]?.stem === stem);
}

function withoutIs(words: readonly Word[]): readonly Word[] {
  return ['is', 'has', 'was'].includes(words[0]?.lower ?? '') ? words.slice(1) : words;
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
