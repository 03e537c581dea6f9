import type { AiContext, Dataset, Field, Metric, Relationship, SemanticModel } from '../../model/semantic-model.ts';
import type { Place } from '../../model/standing.ts';
import type { Loss } from '../conversion.ts';
import type { PlainObject } from './reading.ts';
import type { Release } from './releases.ts';
import { splitDialects, writeDefinition } from './write-definition.ts';
import { withoutEmpty, writeExtensions } from './write-extensions.ts';

/** Where entries are written to: a release, and what it cannot say. */
export interface Target {
  readonly release: Release;
  readonly lost: Loss[];
}

/** A model as the object that stands in a file, without `version`. */
export function plainModel(model: SemanticModel, target: Target): PlainObject {
  const { name, description, ai, standing } = model;
  const some = <T>(items: readonly T[]): readonly T[] | undefined => (items.length === 0 ? undefined : items);
  return withoutEmpty({
    name,
    description,
    ai_context: plainAi(ai),
    datasets: model.datasets.map((dataset) => plainDataset(dataset, target)),
    relationships: some(model.relationships.map((relationship) => plainRelationship(relationship, target))),
    metrics: some(model.metrics.map((metric) => plainMetric(metric, model, target))),
    custom_extensions: writeExtensions<'model'>(target.release, model.extensions, {
      source: standing.source === 'file' ? undefined : standing.source,
      owner: standing.owner,
      filters: some(model.filters)?.map((filter) =>
        withoutEmpty({
          name: filter.name,
          dataset: filter.dataset,
          condition: filter.condition,
          description: filter.description,
          synonyms: filter.synonyms.length === 0 ? undefined : [...filter.synonyms],
          owner: filter.standing.owner,
        }),
      ),
      time_spine: model.timeSpine,
    }),
  });
}

export function plainDataset(dataset: Dataset, target: Target): PlainObject {
  const { name, source, primaryKey, uniqueKeys, description, ai, fields, defaultFilter } = dataset;
  const loss = defaultFilter === undefined ? undefined : 'Ossie has no default filter. Other tools count all rows';
  noteLoss(target, `dataset ${name}: default filter`, dataset.standing.place, loss);
  return withoutEmpty({
    name,
    source,
    primary_key: primaryKey.length === 0 ? undefined : primaryKey,
    unique_keys: uniqueKeys.length === 0 ? undefined : uniqueKeys,
    description,
    ai_context: plainAi(ai),
    fields: fields.length === 0 ? undefined : fields.map((field) => plainField(field, dataset, target)),
    custom_extensions: writeExtensions<'dataset'>(target.release, dataset.extensions, {
      grain: dataset.grain,
      default_filter: defaultFilter,
      default_time: dataset.defaultTime,
      certified: dataset.isCertified,
      owner: dataset.standing.owner,
    }),
  });
}

export function plainField(field: Field, dataset: Dataset, target: Target): PlainObject {
  const { release } = target;
  const { expressions, ours, lost } = splitDialects(field.expressions, release);
  noteLoss(target, `field ${dataset.name}.${field.name}: expression`, dataset.standing.place, lost);
  return withoutEmpty({
    name: field.name,
    expression: { dialects: expressions },
    dimension: field.dimension && withoutEmpty({ is_time: field.dimension.isTime }),
    label: field.label,
    description: field.description,
    datatype: release.hasDatatype ? field.type : undefined,
    ai_context: plainAi(field.ai),
    custom_extensions: writeExtensions<'field'>(release, field.extensions, {
      unit: field.unit,
      values:
        field.values.length === 0
          ? undefined
          : field.values.map(({ value, meaning, synonyms }) =>
              meaning === undefined && synonyms.length === 0
                ? value
                : withoutEmpty({ value, meaning, synonyms: synonyms.length === 0 ? undefined : [...synonyms] }),
            ),
      time_grain: field.timeGrain,
      hidden: field.isHidden,
      format: field.format,
      datatype: release.hasDatatype ? undefined : field.type,
      ...ours,
    }),
  });
}

export function plainRelationship(relationship: Relationship, target: Target): PlainObject {
  const { name, from, to, fromColumns, toColumns, ai } = relationship;
  return withoutEmpty({
    name,
    from,
    to,
    from_columns: fromColumns,
    to_columns: toColumns,
    ai_context: plainAi(ai),
    custom_extensions: writeExtensions<'relationship'>(target.release, relationship.extensions, {
      one_to_one: relationship.isOneToOne,
      owner: relationship.standing.owner,
    }),
  });
}

/** @param model Where the metrics are looked up that this one is made of. */
export function plainMetric(metric: Metric, model: SemanticModel, target: Target): PlainObject {
  const { release } = target;
  const { expressions, ours, lost } = writeDefinition(metric, model, release);
  noteLoss(target, `metric ${metric.name}: expression`, metric.standing.place, lost);
  return withoutEmpty({
    name: metric.name,
    expression: { dialects: expressions },
    description: metric.description,
    datatype: release.hasDatatype ? metric.type : undefined,
    ai_context: plainAi(metric.ai),
    custom_extensions: writeExtensions<'metric'>(release, metric.extensions, {
      ...ours,
      unit: metric.unit,
      label: metric.label,
      hidden: metric.isHidden,
      owner: metric.standing.owner,
      datatype: release.hasDatatype ? undefined : metric.type,
    }),
  });
}

function plainAi(ai: AiContext | undefined): unknown {
  if (ai === undefined) return undefined;
  if (ai.isText === true) return ai.instructions ?? '';
  return withoutEmpty({
    instructions: ai.instructions,
    synonyms: ai.synonyms.length === 0 ? undefined : ai.synonyms,
    examples: ai.examples.length === 0 ? undefined : ai.examples,
    ...ai.other,
  });
}

function noteLoss(target: Target, what: string, place: Place, reason: string | undefined): void {
  if (reason !== undefined) target.lost.push({ what, place, reason: `${reason}.` });
}
