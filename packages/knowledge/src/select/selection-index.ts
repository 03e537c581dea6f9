import { type Bm25, createBm25, type WeightedText } from '@askema/grounding';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge, KnowledgeText } from '../model/knowledge.ts';
import type { Dataset, Metric } from '../model/semantic-model.ts';
import { phraseKey, wordsOfName } from '../words/words-of.ts';
import { type Names, namesOf } from './names.ts';
import { proseWords } from './prose-words.ts';
import { type TextPiece, textPieces } from './text-pieces.ts';

/** Something with the words by which it is searched. */
export interface Searched<T> {
  readonly things: readonly T[];
  readonly words: readonly ReadonlySet<string>[];
  readonly index: Bm25;
}

export interface SelectionIndex {
  readonly names: Names;
  /** By name in lower case. */
  readonly metrics: ReadonlyMap<string, Metric>;
  readonly datasets: ReadonlyMap<string, Dataset>;
  readonly searchedMetrics: Searched<Metric>;
  readonly pieces: Searched<TextPiece>;
  readonly piecesOf: ReadonlyMap<KnowledgeText, readonly TextPiece[]>;
  /** Texts by the phrase of what they are about, as they say it; entries of the glossary by their terms. */
  readonly textsAbout: ReadonlyMap<string, readonly KnowledgeText[]>;
  /** Words of the names of datasets and metrics, and of terms that are defined. */
  readonly subjects: ReadonlySet<string>;
  /** Where each entry stands. */
  readonly places: ReadonlyMap<object, number>;
}

const NAME_WEIGHT = 2;
/** Long statements are not held back as long documents are: most of their words say what to do. */
const LENGTH_NORMALISATION = 0.5;

const indexes = new WeakMap<Knowledge, SelectionIndex>();

export function selectionIndex(knowledge: Knowledge): SelectionIndex {
  let index = indexes.get(knowledge);
  if (index === undefined) {
    index = buildIndex(knowledge);
    indexes.set(knowledge, index);
  }
  return index;
}

function buildIndex(knowledge: Knowledge): SelectionIndex {
  const { models, texts } = usableKnowledge(knowledge).knowledge;
  const metrics = models.flatMap((model) => model.metrics);
  const datasets = models.flatMap((model) => model.datasets);
  const piecesOf = new Map(texts.map((text) => [text, textPieces(text)]));
  const shown = metrics.filter(({ isHidden }) => isHidden !== true);
  const named = [...metrics, ...datasets].flatMap(({ name, ai }) => [name, ...(ai?.synonyms ?? [])]);
  const terms = texts.filter(({ kind }) => kind === 'glossary').map(({ title }) => title);
  const defined = [...piecesOf.values()].flat().flatMap(({ isDefinition, about }) => (isDefinition ? about : []));
  const entries = [...models.flatMap((model) => [...model.metrics, ...model.datasets, ...model.filters]), ...texts];
  return {
    names: namesOf({ models }),
    metrics: new Map(metrics.map((metric) => [metric.name.toLowerCase(), metric])),
    datasets: new Map(datasets.map((dataset) => [dataset.name.toLowerCase(), dataset])),
    searchedMetrics: searched(shown, ({ name, label, ai, description = '' }) => [
      { text: proseWords([name, label, ...(ai?.synonyms ?? [])].join(' ')), weight: NAME_WEIGHT },
      { text: proseWords(description), weight: 1 },
    ]),
    pieces: searched([...piecesOf.values()].flat(), ({ title, words, about }) => [
      { text: [proseWords(title), about].join(' '), weight: NAME_WEIGHT },
      { text: [...words].join(' '), weight: 1 },
    ]),
    piecesOf,
    textsAbout: groupTexts(texts),
    subjects: new Set([...[...named, ...terms].map(proseWords), ...defined].flatMap((words) => words.split(' '))),
    places: new Map(entries.map((entry, at) => [entry, at])),
  };
}

function searched<T>(things: readonly T[], documentOf: (thing: T) => WeightedText[]): Searched<T> {
  const documents = things.map(documentOf);
  return {
    things,
    words: documents.map((pieces) => new Set(pieces.flatMap(({ text }) => text.split(' ')))),
    index: createBm25(documents, { lengthNormalisation: LENGTH_NORMALISATION }),
  };
}

function groupTexts(texts: readonly KnowledgeText[]): ReadonlyMap<string, readonly KnowledgeText[]> {
  const about = new Map<string, KnowledgeText[]>();
  for (const text of texts)
    for (const key of new Set([...text.appliesTo, ...termsOf(text)].map(nameKey))) {
      const known = about.get(key);
      if (known === undefined) about.set(key, [text]);
      else known.push(text);
    }
  about.delete('');
  return about;
}

/** `Net revenue (NR)` defines two. */
function termsOf({ kind, title }: KnowledgeText): string[] {
  return kind === 'glossary' ? [title.replace(/\([^()]*\)/u, ''), /\(([^()]*)\)/u.exec(title)?.[1] ?? ''] : [];
}

/** Under which names and phrases are the same. */
export function nameKey(name: string): string {
  return phraseKey(wordsOfName(name));
}
