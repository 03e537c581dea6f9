import type { AiContext, Dataset, Field, Metric, Relationship, SemanticModel } from '../../model/semantic-model.ts';
import type { Place } from '../../model/standing.ts';
import type { Loss } from '../conversion.ts';
import { compact, type PlainObject, withoutUndefined } from '../plain-object.ts';
import type { Release } from './releases.ts';
import { splitDialects, writeDefinition } from './write-definition.ts';
import { writeExtensions } from './write-extensions.ts';

/** Where entries are written to: a release, and what it cannot say. */
export interface Target {
  readonly release: Release;
  readonly lost: Loss[];
}

/** A model as the object that stands in a file, without `version`. */
export function plainModel(model: SemanticModel, target: Target): PlainObject {
  const { name, description, ai, standing } = model;
  return {
    ...compact({ name, description, ai_context: plainAi(ai) }),
    // Ossie asks for the list, be it empty.
    datasets: model.datasets.map((dataset) => plainDataset(dataset, target)),
    ...compact({
      relationships: model.relationships.map((relationship) => plainRelationship(relationship, target)),
      metrics: model.metrics.map((metric) => plainMetric(metric, model, target)),
      custom_extensions: writeExtensions<'model'>(target.release, model.extensions, {
        source: standing.source === 'file' ? undefined : standing.source,
        owner: standing.owner,
        filters: model.filters.map((filter) =>
          compact({
            name: filter.name,
            dataset: filter.dataset,
            condition: filter.condition,
            description: filter.description,
            synonyms: [...filter.synonyms],
            owner: filter.standing.owner,
          }),
        ),
        time_spine: model.timeSpine,
      }),
    }),
  };
}

export function plainDataset(dataset: Dataset, target: Target): PlainObject {
  const { name, source, primaryKey, uniqueKeys, description, ai, fields, defaultFilter } = dataset;
  const loss = defaultFilter === undefined ? undefined : 'Ossie has no default filter. Other tools count all rows';
  noteLoss(target, `dataset ${name}: default filter`, dataset.standing.place, loss);
  return compact({
    name,
    source,
    primary_key: primaryKey,
    unique_keys: uniqueKeys,
    description,
    ai_context: plainAi(ai),
    fields: fields.map((field) => plainField(field, dataset, target)),
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
  return withoutUndefined({
    name: field.name,
    expression: { dialects: expressions },
    dimension: field.dimension && withoutUndefined({ is_time: field.dimension.isTime }),
    label: field.label,
    description: field.description,
    datatype: release.hasDatatype ? field.type : undefined,
    ai_context: plainAi(field.ai),
    custom_extensions: writeExtensions<'field'>(release, field.extensions, {
      unit: field.unit,
      values: field.values.map(({ value, meaning, synonyms }) =>
        meaning === undefined && synonyms.length === 0 ? value : compact({ value, meaning, synonyms: [...synonyms] }),
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
  return withoutUndefined({
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
  return withoutUndefined({
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
  const { instructions, synonyms, examples } = ai;
  return { ...compact({ instructions, synonyms, examples }), ...ai.other };
}

function noteLoss(target: Target, what: string, place: Place, reason: string | undefined): void {
  if (reason !== undefined) target.lost.push({ what, place, reason: `${reason}.` });
}
