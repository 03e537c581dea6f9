import { entryId, type KnowledgeProblem } from '../../model/knowledge.ts';
import type { Field, Metric, SemanticModel } from '../../model/semantic-model.ts';
import type { Place } from '../../model/standing.ts';
import { conflict } from './conflict.ts';

/** Something that is asked for by a word. */
interface Named {
  readonly entry: string;
  readonly place: Place;
  readonly words: readonly string[];
  /** Equal for two that are the same thing. */
  readonly meaning: string;
}

/**
 * Words by which two metrics, or two fields of one dataset, are asked for and that mean two things: a synonym of both,
 * or the name of one and a synonym of the other.
 */
export function sharedSynonyms(models: readonly SemanticModel[]): KnowledgeProblem[] {
  const metrics = models.flatMap((model) =>
    model.metrics.filter((metric) => metric.isHidden !== true).map(namedMetric),
  );
  const fields = models.flatMap(({ datasets }) =>
    datasets.map((dataset) =>
      dataset.fields
        .filter((field) => field.isHidden !== true)
        .map((field) => namedField(field, dataset.name, dataset.standing.place)),
    ),
  );
  return [metrics, ...fields].flatMap(sharedWords);
}

function sharedWords(things: readonly Named[]): KnowledgeProblem[] {
  const byWord = new Map<string, Named>();
  return things.flatMap((thing) =>
    [...new Set(thing.words.map(wordOf))].flatMap((word) => {
      const other = byWord.get(word);
      if (other === undefined) byWord.set(word, thing);
      if (other === undefined || other.meaning === thing.meaning) return [];
      return [
        conflict(
          'synonym-shared',
          `\`${word}\` stands for two things`,
          [
            { text: other.entry.replace(/^\w+:/, ''), said: [other] },
            { text: thing.entry.replace(/^\w+:/, ''), said: [thing] },
          ],
          'Keep it on one of them.',
        ),
      ];
    }),
  );
}

function namedMetric(metric: Metric): Named {
  return {
    entry: entryId('metric', metric.name),
    place: metric.standing.place,
    words: [metric.name, metric.label ?? '', ...(metric.ai?.synonyms ?? [])].filter((word) => word !== ''),
    meaning: JSON.stringify(metric.definition),
  };
}

function namedField(field: Field, dataset: string, place: Place): Named {
  return {
    entry: entryId('field', `${dataset}.${field.name}`),
    place,
    words: [field.name, field.label ?? '', ...(field.ai?.synonyms ?? [])].filter((word) => word !== ''),
    meaning: JSON.stringify(field.expressions),
  };
}

function wordOf(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');
}
