import { entryId, type Knowledge } from '../model/knowledge.ts';
import type { SemanticModel } from '../model/semantic-model.ts';
import type { Standing } from '../model/standing.ts';

export interface UsableKnowledge {
  /** What may reach a model or an answer. */
  readonly knowledge: Knowledge;
  /** Entries that were left out, by their state. */
  readonly leftOut: { readonly proposed: number; readonly failed: number };
}

/** Knowledge without what nobody accepted and what failed. What stands in a model that is left out is left out, too. */
export function usableKnowledge(knowledge: Knowledge): UsableKnowledge {
  const leftOut = { proposed: 0, failed: 0 };
  const isUsable = <T extends { readonly standing: Standing }>({ standing: { state } }: T): boolean => {
    if (state !== 'accepted') leftOut[state] += 1;
    return state === 'accepted';
  };
  const errors = new Set(
    knowledge.problems.flatMap(({ severity, entry, place }) =>
      severity === 'error' ? [`${entry}\n${place.file}`] : [],
    ),
  );
  const usableModel = (model: SemanticModel): SemanticModel => {
    const datasets = model.datasets.filter(isUsable).map((dataset) => {
      const { file } = dataset.standing.place;
      const fields = dataset.fields.filter(
        ({ name }) => !errors.has(`${entryId('field', `${dataset.name}.${name}`)}\n${file}`),
      );
      leftOut.failed += dataset.fields.length - fields.length;
      return fields.length === dataset.fields.length ? dataset : { ...dataset, fields };
    });
    return {
      ...model,
      datasets,
      relationships: model.relationships.filter(isUsable),
      metrics: model.metrics.filter(isUsable),
      filters: model.filters.filter(isUsable),
    };
  };
  const models = knowledge.models.flatMap((model) => {
    if (isUsable(model)) return [usableModel(model)];
    for (const list of [model.datasets, model.relationships, model.metrics, model.filters])
      leftOut[model.standing.state === 'failed' ? 'failed' : 'proposed'] += list.length;
    return [];
  });
  return {
    knowledge: {
      ...knowledge,
      models,
      verifiedQueries: knowledge.verifiedQueries.filter(isUsable),
      texts: knowledge.texts.filter(isUsable),
    },
    leftOut,
  };
}
