import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Knowledge } from '../model/knowledge.ts';

/** The knowledge without what does not fit the database: a model that is shown it would write what cannot run. */
export function fittingKnowledge({ knowledge, datasets, metrics, filters }: BoundKnowledge): Knowledge {
  const models = knowledge.models.map((model) => ({
    ...model,
    datasets: model.datasets.flatMap((dataset) => {
      const bound = datasets.get(dataset.name.toLowerCase());
      if (bound === undefined) return [];
      return [{ ...dataset, fields: dataset.fields.filter(({ name }) => bound.fields.has(name.toLowerCase())) }];
    }),
    metrics: model.metrics.filter(({ name }) => metrics.has(name.toLowerCase())),
    filters: model.filters.filter(({ name }) => filters.has(name.toLowerCase())),
  }));
  return { ...knowledge, models };
}
