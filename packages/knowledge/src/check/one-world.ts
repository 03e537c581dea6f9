import { type EntryKind, entryId, type Knowledge, type KnowledgeProblem } from '../model/knowledge.ts';
import type { SemanticModel } from '../model/semantic-model.ts';
import type { Standing } from '../model/standing.ts';

/** Below it stands what nobody has accepted yet. */
const PROPOSALS = /^proposals\//;

/** Also of a proposal that failed the last check. */
export function isProposal({ state, place }: Standing): boolean {
  return state === 'proposed' || PROPOSALS.test(place.file);
}

interface Named {
  readonly name: string;
  readonly standing: Standing;
}

/**
 * Knowledge as it would be if all that is proposed were accepted, so that proposals can be checked. One that proposes a
 * name anew that is accepted already is left out and noted: both at once would contradict each other.
 */
export function asOneWorld(knowledge: Knowledge): {
  readonly knowledge: Knowledge;
  readonly notes: readonly KnowledgeProblem[];
} {
  const notes: KnowledgeProblem[] = [];
  const { models } = knowledge;
  const filterOf = <Key extends 'datasets' | 'relationships' | 'metrics' | 'filters'>(key: Key, kind: EntryKind) => {
    const all = models.flatMap((model): readonly Named[] => model[key]);
    const accepted = new Set(all.flatMap(({ name, standing }) => (isProposal(standing) ? [] : [name.toLowerCase()])));
    return (list: SemanticModel[Key]): SemanticModel[Key] =>
      (list as readonly Named[]).filter(({ name, standing }) => {
        if (!isProposal(standing) || !accepted.has(name.toLowerCase())) return true;
        notes.push({
          severity: 'note',
          code: 'proposed-again',
          entry: entryId(kind, name),
          place: standing.place,
          message: `\`${entryId(kind, name)}\` is proposed, and there is an accepted one: the proposal was not checked.`,
          advice: 'Compare the two, and keep one.',
        });
        return false;
      }) as unknown as SemanticModel[Key];
  };
  const datasets = filterOf('datasets', 'dataset');
  const relationships = filterOf('relationships', 'relationship');
  const metrics = filterOf('metrics', 'metric');
  const filters = filterOf('filters', 'filter');
  const kept = models.map((model) => ({
    ...model,
    datasets: datasets(model.datasets),
    relationships: relationships(model.relationships),
    metrics: metrics(model.metrics),
    filters: filters(model.filters),
  }));
  return { knowledge: { ...knowledge, models: kept }, notes };
}

/** The same without what is only proposed: a proposal must not decide whether something accepted holds. */
export function withoutProposals(knowledge: Knowledge): Knowledge {
  const kept = <T extends { readonly standing: Standing }>(list: readonly T[]): readonly T[] =>
    list.filter(({ standing }) => !isProposal(standing));
  return {
    ...knowledge,
    verifiedQueries: kept(knowledge.verifiedQueries),
    texts: kept(knowledge.texts),
    models: kept(knowledge.models).map((model) => ({
      ...model,
      datasets: kept(model.datasets),
      relationships: kept(model.relationships),
      metrics: kept(model.metrics),
      filters: kept(model.filters),
    })),
  };
}

export function hasProposals(knowledge: Knowledge): boolean {
  const has = (list: readonly { readonly standing: Standing }[]): boolean =>
    list.some(({ standing }) => isProposal(standing));
  return (
    has(knowledge.verifiedQueries) ||
    has(knowledge.texts) ||
    has(knowledge.models) ||
    knowledge.models.some((model) =>
      [model.datasets, model.relationships, model.metrics, model.filters].some((list) => has(list)),
    )
  );
}
