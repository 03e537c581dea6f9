import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { analysedOrNone } from '../compile/analyse-metric.ts';
import { type FieldOf, fieldOf } from '../compile/bind-names.ts';
import { reachesOne } from '../compile/join-graph.ts';
import type { Metric } from '../model/semantic-model.ts';
import { proseWords, questionWords } from './prose-words.ts';
import { isTelling } from './select-texts.ts';

/** Metrics that are grouped and filtered by the same fields. */
export interface Reach {
  readonly metrics: readonly Metric[];
  /** From whose rows the metrics are made. */
  readonly homes: ReadonlySet<BoundDataset>;
  /** Those of the question first, then those like it; all where they are few. */
  readonly fields: readonly FieldOf[];
  readonly others: readonly FieldOf[];
}

/** More fields are not listed by name. */
const MAX_FIELDS = 8;

/** What a question is about. */
export interface AskedPlaces {
  readonly question: string;
  /** Words of what the question names: they tell nothing of other fields. */
  readonly words: ReadonlySet<string>;
  /** Named by the question, as `dataset.field` in lower case. */
  readonly fields: ReadonlySet<string>;
  /** In lower case. */
  readonly datasets: ReadonlySet<string>;
}

/** By what metrics can be grouped and filtered: fields that each row of theirs reaches from many to one. */
export function reachesOf(metrics: readonly Metric[], places: AskedPlaces, bound: BoundKnowledge): Reach[] {
  const byHomes = new Map<string, { metrics: Metric[]; homes: Set<BoundDataset> }>();
  for (const metric of metrics) {
    const homes = new Set(analysedOrNone(metric, bound)?.measures.map(({ dataset }) => dataset));
    if (homes.size === 0) continue;
    const key = [...homes]
      .map(({ dataset }) => dataset.name)
      .sort()
      .join('\n');
    const known = byHomes.get(key);
    if (known === undefined) byHomes.set(key, { metrics: [metric], homes });
    else known.metrics.push(metric);
  }
  return [...byHomes].map(([key, reach]) => ({ ...reach, ...fieldsOf(reachedFrom(key, reach.homes, bound), places) }));
}

/** A field by which something is grouped, with the words of its name. */
interface Place {
  readonly field: FieldOf;
  readonly words: readonly string[];
}

const placesOf = new WeakMap<BoundDataset, readonly Place[]>();

function placesIn(dataset: BoundDataset): readonly Place[] {
  const places =
    placesOf.get(dataset) ??
    [...dataset.fields.values()].flatMap((bound): Place[] => {
      const { name, label, dimension, isHidden } = bound.field;
      if (dimension === undefined || isHidden === true) return [];
      return [{ field: fieldOf(dataset, bound), words: proseWords([name, label].join(' ')).split(' ') }];
    });
  placesOf.set(dataset, places);
  return places;
}

const reached = new WeakMap<BoundKnowledge, Map<string, readonly Place[]>>();

function reachedFrom(key: string, homes: ReadonlySet<BoundDataset>, bound: BoundKnowledge): readonly Place[] {
  const known = reached.get(bound) ?? new Map<string, readonly Place[]>();
  reached.set(bound, known);
  const isReached = (to: BoundDataset): boolean => [...homes].every((from) => reachesOne(from, to, bound));
  const places = known.get(key) ?? [...bound.datasets.values()].filter(isReached).flatMap(placesIn);
  known.set(key, places);
  return places;
}

function fieldsOf(
  places: readonly Place[],
  { question, words, fields: named, datasets: namedDatasets }: AskedPlaces,
): Pick<Reach, 'fields' | 'others'> {
  const asked = new Set([...questionWords(question).keys()].filter((word) => isTelling(word) && !words.has(word)));
  const rank = ({ field: { name, dataset }, words: own }: Place): number => {
    if (named.has(name.toLowerCase())) return 0;
    if (own.some((word) => asked.has(word))) return 1;
    return namedDatasets.has(dataset.dataset.name.toLowerCase()) ? 2 : 3;
  };
  const ranked = places.map((place) => ({ field: place.field, rank: rank(place) })).sort((a, b) => a.rank - b.rank);
  const near = places.length > MAX_FIELDS ? ranked.filter((one) => one.rank < 3).slice(0, MAX_FIELDS) : ranked;
  const fields = near.map(({ field }) => field);
  return { fields, others: places.flatMap(({ field }) => (fields.includes(field) ? [] : [field])) };
}
