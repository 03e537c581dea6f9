import type { KnowledgeEntry } from './entries.ts';
import { type EntryKind, entryId, type Knowledge } from './knowledge.ts';
import type { Standing } from './standing.ts';

/** An entry with the name that commands and checks give it. */
export interface ListedEntry {
  readonly id: string;
  readonly kind: EntryKind;
  /** Of a field: that of its dataset. */
  readonly standing: Standing;
  readonly entry: KnowledgeEntry;
}

/** All entries of knowledge in the order in which they were read; a model before what stands in it. */
export function listEntries(knowledge: Knowledge): readonly ListedEntry[] {
  const listed: ListedEntry[] = [];
  const add = (kind: EntryKind, name: string, entry: KnowledgeEntry, standing: Standing): void => {
    listed.push({ id: entryId(kind, name), kind, entry, standing });
  };
  for (const model of knowledge.models) {
    add('model', model.name, model, model.standing);
    for (const dataset of model.datasets) {
      add('dataset', dataset.name, dataset, dataset.standing);
      for (const field of dataset.fields) add('field', `${dataset.name}.${field.name}`, field, dataset.standing);
    }
    for (const one of model.relationships) add('relationship', one.name, one, one.standing);
    for (const one of model.metrics) add('metric', one.name, one, one.standing);
    for (const one of model.filters) add('filter', one.name, one, one.standing);
  }
  for (const one of knowledge.verifiedQueries) add('query', one.id, one, one.standing);
  for (const one of knowledge.texts) add(one.kind, one.id, one, one.standing);
  return listed;
}
