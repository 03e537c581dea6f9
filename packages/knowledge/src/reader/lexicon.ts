import { type AttributeId, attributeId } from '@askema/core';
import type { BoundDataset, BoundField, BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { AiContext, Metric } from '../model/semantic-model.ts';
import { phraseKey, spellingOf, type Word, wordsOf, wordsOfName } from '../words/words-of.ts';
import { FUNCTION_WORDS, isParticiple } from './function-words.ts';
import type { DatasetField, Meaning, NamedField } from './meaning.ts';

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
const COUNTED_END = new Set(['count', 'number']);
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
    const shown = [...dataset.fields.values()].filter(({ field }) => isShown(field));
    const names = datasetNames(dataset, shown);
    for (const words of names.nouns) builder.add(words, { kind: 'dataset', dataset });
    const places = shown.map((field) => ({ dataset, field, isThing: isThing(field, names) }));
    for (const place of places) addField(place, names, builder);
    for (const place of places) addLooseNames(place, names, builder);
  }
  return builder;
}

function isShown({ dimension, isHidden }: BoundField['field']): boolean {
  return dimension !== undefined && isHidden !== true;
}

/** What something is called, once each. */
function phrasesOf(names: readonly (string | undefined)[]): Word[][] {
  const phrases = new Map<string, Word[]>();
  for (const name of names)
    if (name !== undefined)
      // A label such as `YoY growth` is split as it is written, a name such as `orderCount` by its letters.
      for (const read of /[a-z][A-Z]/u.test(name) ? [wordsOf, wordsOfName] : [wordsOfName]) {
        const words = read(name).filter(({ kind }) => kind !== 'stop');
        if (words.length > 0) phrases.set(phraseKey(words), words);
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
  for (const words of names) builder.add(words, { kind: 'metric', metric, spelling: spellingOf(words) });
  const keys = new Set(names.map(phraseKey));
  for (const words of names) {
    const last = words.at(-1)?.lower ?? '';
    const before = words.slice(0, -1);
    const counted = COUNTED_END.has(last) ? before : isCountOf(words) ? words.slice(2) : [];
    if (!keys.has(phraseKey(counted))) {
      const spelling = spellingOf(counted);
      builder.add(counted, { kind: 'metric', metric, spelling, onlyCounted: true });
    }
    if (before.length > 0 && isParticiple(last)) push(builder.withVerb, phraseKey(before), { metric, verb: last });
  }
}

/** "number of orders", "count of orders". */
function isCountOf([first, second, third]: readonly Word[]): boolean {
  return COUNTED_END.has(first?.lower ?? '') && second?.lower === 'of' && third !== undefined;
}

function addField(place: NamedField, { nouns, key, title }: DatasetNames, builder: LexiconBuilder): void {
  const { dataset, field } = place;
  const add = (words: readonly Word[], meaning: Meaning): void => {
    builder.add(words, meaning);
    for (const noun of nouns) if (!startsWith(words, noun)) builder.add([...noun, ...words], meaning);
  };
  const names = phrasesOf([field.field.name, field.field.label]);
  for (const words of names)
    add(words, { kind: 'field', ...place, ...(isNoun(words, nouns) ? toldApart(place, key) : {}) });
  // What people call a key otherwise is the thing itself: shown by its name.
  const shown = field === key && title !== undefined ? { dataset, field: title, key, isThing: true } : place;
  const synonyms = phrasesOf(field.field.ai?.synonyms ?? []);
  for (const words of synonyms) add(words, { kind: 'field', ...shown });
  for (const words of [...names, ...synonyms]) {
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
function addLooseNames(place: NamedField, { nouns, key, title }: DatasetNames, builder: LexiconBuilder): void {
  const { dataset, field } = place;
  const addLoose = (words: readonly Word[], more: Partial<NamedField> = {}): void => {
    if (!builder.has(words, dataset)) builder.add(words, { kind: 'field', ...place, ...more });
  };
  for (const words of phrasesOf([field.field.name, field.field.label]))
    for (const noun of nouns) if (startsWith(words, noun)) addLoose(words.slice(noun.length));
  if (field !== title) return;
  const told = toldApart(place, key);
  const things = wordsOfName(field.field.name).slice(0, -1);
  for (const words of [...nouns, things]) if (words.length > 0) addLoose(words, told);
}

/** How rows of one name stay two, or that they do not. */
function toldApart({ dataset, field }: DatasetField, key: BoundField | undefined): Partial<NamedField> {
  if (isKey(field, dataset)) return {};
  return key === undefined
    ? { assumption: `Those with the same \`${field.field.name}\` are counted as one.` }
    : { key };
}

function isThing(field: BoundField, { nouns, key, title }: DatasetNames): boolean {
  return field === key || field === title || phrasesOf([field.field.name]).some((words) => isNoun(words, nouns));
}

function isNoun(words: readonly Word[], nouns: readonly Word[][]): boolean {
  return nouns.some((noun) => phraseKey(noun) === phraseKey(words));
}

/** What tells the rows of a dataset apart, and what people call them by. */
interface DatasetNames {
  readonly nouns: readonly Word[][];
  readonly key: BoundField | undefined;
  readonly title: BoundField | undefined;
}

function datasetNames(dataset: BoundDataset, shown: readonly BoundField[]): DatasetNames {
  const nouns = phrasesOf([dataset.dataset.name, ...(dataset.dataset.ai?.synonyms ?? [])]);
  const isTitle = ({ field: { name } }: BoundField): boolean => {
    const words = wordsOfName(name);
    return words.at(-1)?.lower === 'name' && (words.length === 1 || nouns.some((noun) => startsWith(words, noun)));
  };
  const titles = shown.filter(isTitle);
  return {
    nouns,
    key: shown.find((field) => isKey(field, dataset)),
    title: titles.length === 1 ? titles[0] : undefined,
  };
}

function isKey({ expression }: BoundField, { keys }: BoundDataset): boolean {
  const column = expression.kind === 'column' ? expression.bound?.column : undefined;
  return keys.some(([only, other]) => other === undefined && only !== undefined && only === column);
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
