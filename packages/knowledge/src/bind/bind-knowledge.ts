import type { Catalog, Dialect } from '@askema/core';
import { type EntryKind, entryId, type Knowledge } from '../model/knowledge.ts';
import type { Metric, NamedFilter } from '../model/semantic-model.ts';
import { bindDataset } from './bind-dataset.ts';
import { remarksOnMetric } from './bind-metrics.ts';
import { bindRelationship } from './bind-relationship.ts';
import type { BoundDataset, BoundKnowledge } from './bound-knowledge.ts';
import { sourceFinder } from './find-source.ts';
import { dependsOn, unknownDataset } from './look-up-name.ts';
import { remarksOnInputs } from './metric-inputs.ts';
import { createProblemList, type ProblemList, type Subject } from './problem-list.ts';
import { type NameScope, remarksOnCondition } from './remarks-on-names.ts';

/** The database that knowledge is looked up in. */
export interface BindOptions {
  readonly catalog: Catalog;
  /** Of the engine that will run what is compiled. */
  readonly dialect: Dialect;
}

/**
 * Looks up the names of all models in a catalog. What is wrong becomes a problem with its entry, its place and the
 * nearest right name; the entry is left out, and so is what depends on it. Runs nothing.
 */
export function bindKnowledge(knowledge: Knowledge, { catalog, dialect }: BindOptions): BoundKnowledge {
  const problems = createProblemList();
  const findSource = sourceFinder(catalog, dialect);
  const binder = { catalog, dialect, findSource, problems, failed: failedIds(knowledge, 'field') };
  const { models } = knowledge;
  const datasets = new Map<string, BoundDataset>();
  const defined = models.flatMap((model) => model.datasets);
  for (const dataset of onceEach(defined, 'dataset', problems)) {
    const bound = bindDataset(dataset, binder);
    if (bound !== undefined) datasets.set(dataset.name.toLowerCase(), bound);
  }
  const broken = brokenNames(defined, 'dataset', knowledge);
  const scope: NameScope = { datasets, dialect, isBroken: (name) => broken.has(name.toLowerCase()) };
  leaveOutUnfiltered(datasets, scope, problems);

  const relationships = onceEach(
    models.flatMap((model) => model.relationships),
    'relationship',
    problems,
  ).flatMap((one) => bindRelationship(one, datasets, scope.isBroken, problems) ?? []);
  const filters = bindFilters(
    models.flatMap((model) => model.filters),
    scope,
    problems,
  );
  const metrics = bindMetrics(knowledge, scope, problems);
  for (const { name, timeSpine, standing } of models) {
    const source = timeSpine && findSource(timeSpine.source);
    // Periods are computed: the model holds without its spine.
    if (source?.kind === 'problem')
      problems.add({ kind: 'model', name, standing }, { ...source.remark, severity: 'warning' });
  }
  return { knowledge, catalog, dialect, datasets, relationships, metrics, filters, problems: problems.problems };
}

/** Ids in lower case of what reading or a check found an error in: it may have been taken out already. */
function failedIds({ problems }: Knowledge, kind: EntryKind): ReadonlySet<string> {
  const begin = entryId(kind, '');
  return new Set(
    problems.flatMap(({ severity, entry }) =>
      severity === 'error' && entry?.startsWith(begin) === true ? [entry.toLowerCase()] : [],
    ),
  );
}

/** Names that are defined, also where their entries were taken out: one that is not bound is broken. */
function brokenNames(
  defined: readonly { readonly name: string }[],
  kind: EntryKind,
  knowledge: Knowledge,
): ReadonlySet<string> {
  const failed = [...failedIds(knowledge, kind)].map((id) => id.slice(entryId(kind, '').length));
  return new Set([...defined.map(({ name }) => name.toLowerCase()), ...failed]);
}

/** Without its default filter, a dataset would give wrong numbers. */
function leaveOutUnfiltered(datasets: Map<string, BoundDataset>, scope: NameScope, problems: ProblemList): void {
  for (const [key, { dataset }] of [...datasets]) {
    const { name, defaultFilter, standing } = dataset;
    if (defaultFilter === undefined) continue;
    const remarks = remarksOnCondition(defaultFilter, `The default filter of \`${name}\``, scope, name);
    for (const remark of remarks) problems.add({ kind: 'dataset', name, standing }, remark);
    if (remarks.length > 0) datasets.delete(key);
  }
}

function bindFilters(
  filters: readonly NamedFilter[],
  scope: NameScope,
  problems: ProblemList,
): ReadonlyMap<string, NamedFilter> {
  const bound = new Map<string, NamedFilter>();
  for (const filter of onceEach(filters, 'filter', problems)) {
    const { name, dataset, condition, standing } = filter;
    const isMissing = !scope.datasets.has(dataset.toLowerCase());
    const remarks = isMissing
      ? [scope.isBroken(dataset) ? dependsOn('dataset', dataset) : unknownDataset(dataset, scope.datasets)]
      : remarksOnCondition(condition, `Filter \`${name}\``, scope, dataset);
    if (remarks.length === 0) bound.set(name.toLowerCase(), filter);
    for (const remark of remarks) problems.add({ kind: 'filter', name, standing }, remark);
  }
  return bound;
}

function bindMetrics(knowledge: Knowledge, scope: NameScope, problems: ProblemList): ReadonlyMap<string, Metric> {
  const metrics = knowledge.models.flatMap((model) => model.metrics);
  const bound = new Map<string, Metric>();
  const subject = ({ name, standing }: Metric): Subject => ({ kind: 'metric', name, standing });
  for (const metric of onceEach(metrics, 'metric', problems)) {
    const remarks = remarksOnMetric(metric, scope);
    if (remarks.length === 0) bound.set(metric.name.toLowerCase(), metric);
    for (const remark of remarks) problems.add(subject(metric), remark);
  }
  const broken = brokenNames(metrics, 'metric', knowledge);
  for (const [key, remark] of remarksOnInputs(bound, (name) => broken.has(name.toLowerCase()))) {
    const metric = bound.get(key);
    if (metric !== undefined) problems.add(subject(metric), remark);
    bound.delete(key);
  }
  return bound;
}

/** Nobody knows which of two entries of one name is meant: neither is used. */
function onceEach<T extends Omit<Subject, 'kind'>>(
  entries: readonly T[],
  kind: Subject['kind'],
  problems: ProblemList,
): readonly T[] {
  const byName = Map.groupBy(entries, ({ name }) => name.toLowerCase());
  return [...byName.values()].flatMap((same) => {
    if (same.length === 1) return same;
    for (const [at, { name, standing }] of same.entries()) {
      const { file, line } = (same[at === 0 ? 1 : 0] as T).standing.place;
      problems.add(
        { kind, name, standing },
        {
          code: 'duplicate-name',
          message: `\`${entryId(kind, name)}\` is defined ${same.length} times, also in ${file}${line === undefined ? '' : `:${line}`}; none of them is used.`,
          advice: 'Leave one of them, or give it another name.',
        },
      );
    }
    return [];
  });
}
