import { entryKey, errorsByEntry, mapLists } from '../model/entries.ts';
import { entryId, type Knowledge } from '../model/knowledge.ts';
import type { Dataset } from '../model/semantic-model.ts';
import { isInUse, type Standing } from '../model/standing.ts';
import { partsOf } from './put-parts.ts';

/** Knowledge that may be used, and how much was left out. */
export interface UsableKnowledge {
  /** What may reach a model or an answer. */
  readonly knowledge: Knowledge;
  /** Entries that were left out, by their state. */
  readonly leftOut: { readonly proposed: number; readonly failed: number };
}

/** Knowledge without what nobody accepted and what failed. What stands in a model that is left out is left out, too. */
export function usableKnowledge(knowledge: Knowledge): UsableKnowledge {
  const leftOut = { proposed: 0, failed: 0 };
  const errors = errorsByEntry(knowledge.problems);
  const isUsable = ({ standing }: { readonly standing: Standing }): boolean => {
    const { state } = standing;
    const isUsed = isInUse(standing);
    if (!isUsed && state !== 'accepted') leftOut[state] += 1;
    return isUsed;
  };
  const withoutFailed = (dataset: Dataset): Dataset => {
    const fields = dataset.fields.filter(
      ({ name }) => !errors.has(entryKey(entryId('field', `${dataset.name}.${name}`), dataset.standing.place)),
    );
    leftOut.failed += dataset.fields.length - fields.length;
    return fields.length === dataset.fields.length ? dataset : { ...dataset, fields };
  };
  const models = knowledge.models.flatMap((model) => {
    if (!isUsable(model)) {
      const state = model.standing.state === 'failed' ? 'failed' : 'proposed';
      leftOut[state] += partsOf(model).length;
      return [];
    }
    const usable = mapLists(model, (parts) => parts.filter(isUsable));
    return [{ ...usable, datasets: usable.datasets.map(withoutFailed) }];
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
