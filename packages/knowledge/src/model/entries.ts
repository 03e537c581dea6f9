import {
  type EntryKind,
  entryId,
  type Knowledge,
  type KnowledgeProblem,
  type KnowledgeText,
  type VerifiedQuery,
} from './knowledge.ts';
import type { Dataset, Field, Metric, NamedFilter, Relationship, SemanticModel } from './semantic-model.ts';
import type { Place } from './standing.ts';

/** What stands in a model and has a state of its own. */
type ModelPart = Dataset | Relationship | Metric | NamedFilter;

/** What has a state of its own; a field has that of its dataset. */
export type StandingEntry = SemanticModel | ModelPart | VerifiedQuery | KnowledgeText;

/** Whatever has an id: see `entryId`. */
export type KnowledgeEntry = StandingEntry | Field;

/** Entries of their own are no part of what holds them. */
const NOT_PART: ReadonlySet<string> = new Set([
  'standing',
  'datasets',
  'relationships',
  'metrics',
  'filters',
  'fields',
]);

/** What an entry says itself: without what is known about it, and without the entries that it holds. */
export function ownParts(entry: KnowledgeEntry): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !NOT_PART.has(key)));
}

/** The model with its datasets, relationships, metrics and filters as `change` returns each list. */
export function mapLists(
  model: SemanticModel,
  change: <Part extends ModelPart>(list: readonly Part[], kind: EntryKind) => readonly Part[],
): SemanticModel {
  return {
    ...model,
    datasets: change(model.datasets, 'dataset'),
    relationships: change(model.relationships, 'relationship'),
    metrics: change(model.metrics, 'metric'),
    filters: change(model.filters, 'filter'),
  };
}

type Entries = Pick<Knowledge, 'models' | 'texts' | 'verifiedQueries'>;

/** The same with each entry as `change` returns it; a model comes after its parts. */
export function mapEntries<All extends Entries>(
  all: All,
  change: <Entry extends StandingEntry>(id: string, entry: Entry) => Entry,
): All {
  return {
    ...all,
    models: all.models.map((model) =>
      change(
        entryId('model', model.name),
        mapLists(model, (list, kind) => list.map((one) => change(entryId(kind, one.name), one))),
      ),
    ),
    texts: all.texts.map((one) => change(entryId(one.kind, one.id), one)),
    verifiedQueries: all.verifiedQueries.map((one) => change(entryId('query', one.id), one)),
  };
}

/** Two files may have entries of one id: what is said of an entry is found by both. */
export function entryKey(id: string | undefined, { file }: Place): string {
  return `${id}\n${file}`;
}

/** The first error about each entry, by {@link entryKey}. */
export function errorsByEntry(problems: readonly KnowledgeProblem[]): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  for (const { severity, entry, place, message } of problems) {
    const key = entryKey(entry, place);
    if (severity === 'error' && entry !== undefined && !errors.has(key)) errors.set(key, message);
  }
  return errors;
}
