import type { ValueMatch } from '@askema/core';
import { inputsOf } from '../bind/bind-metrics.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { definitionText } from '../bind/definition-text.ts';
import type { Dataset, Field, Metric, NamedFilter } from '../model/semantic-model.ts';
import { lexiconOf } from '../reader/lexicon.ts';
import { type FieldOf, mentionsIn, type Named } from './names.ts';
import type { SelectionIndex } from './selection-index.ts';

/** What of the model a question is about, each with the reason. */
export interface NamedEntries {
  readonly metrics: Map<Metric, string>;
  /** Those that the metrics are made of. */
  readonly parts: Map<Metric, string>;
  readonly datasets: Map<Dataset, string>;
  readonly fields: Map<Field, { readonly dataset: Dataset; readonly reason: string }>;
  readonly filters: Map<NamedFilter, string>;
  /** Of what is named, of metrics and of fields: their default filters hold. With what brings them in. */
  readonly inPlay: Map<Dataset, string>;
}

/** A name that more fields have tells none of them: only those of datasets in play are meant. */
const MAX_FIELDS_OF_A_NAME = 3;

export function selectNames(
  question: string,
  index: SelectionIndex,
  values: readonly ValueMatch[],
  bound: BoundKnowledge | undefined,
): NamedEntries {
  const entries: NamedEntries = {
    metrics: new Map(),
    parts: new Map(),
    datasets: new Map(),
    fields: new Map(),
    filters: new Map(),
    inPlay: new Map(),
  };
  const mentions = mentionsIn(question, index.names);
  const isShared = (named: readonly Named[]): boolean => named.filter(isColumn).length > MAX_FIELDS_OF_A_NAME;
  for (const { phrase, named } of mentions)
    for (const one of named)
      if (!isColumn(one) || !isShared(named)) addNamed(one, `named by "${phrase}"`, index, entries);
  for (const { phrase, named } of mentions.filter((mention) => isShared(mention.named)))
    for (const one of named)
      if (isColumn(one) && entries.inPlay.has(one.dataset)) addNamed(one, `named by "${phrase}"`, index, entries);
  if (bound !== undefined) addCells(values, bound, index, entries);
  return entries;
}

function addCells(
  values: readonly ValueMatch[],
  bound: BoundKnowledge,
  { datasets }: SelectionIndex,
  entries: NamedEntries,
): void {
  for (const { mention, attribute } of values)
    for (const place of lexiconOf(bound).byAttribute.get(attribute) ?? []) {
      const dataset = datasets.get(place.dataset.dataset.name.toLowerCase());
      const field = dataset?.fields.find(({ name }) => name === place.field.field.name);
      if (dataset !== undefined && field !== undefined)
        addField({ dataset, field }, `has the cell "${mention}"`, entries);
    }
}

function isColumn(named: Named): named is Extract<Named, FieldOf> {
  return named.kind === 'field' || named.kind === 'value';
}

function addNamed(named: Named, reason: string, index: SelectionIndex, entries: NamedEntries): void {
  switch (named.kind) {
    case 'metric':
      addMetric(named.metric, reason, index, entries);
      return;
    case 'filter': {
      put(entries.filters, named.filter, reason);
      const dataset = index.datasets.get(named.filter.dataset.toLowerCase());
      if (dataset !== undefined) put(entries.inPlay, dataset, named.filter.name);
      return;
    }
    case 'dataset':
      put(entries.datasets, named.dataset, reason);
      put(entries.inPlay, named.dataset, named.dataset.name);
      return;
    default:
      addField(named, reason, entries);
  }
}

function addField({ dataset, field }: FieldOf, reason: string, { fields, inPlay }: NamedEntries): void {
  put(fields, field, { dataset, reason });
  put(inPlay, dataset, `${dataset.name}.${field.name}`);
}

/** A metric with those that it is made of. */
export function addMetric(metric: Metric, reason: string, index: SelectionIndex, entries: NamedEntries): void {
  put(entries.metrics, metric, reason);
  addParts(metric, index, entries);
}

function addParts(metric: Metric, index: SelectionIndex, entries: NamedEntries): void {
  for (const dataset of datasetsOf(metric, index)) put(entries.inPlay, dataset, metric.name);
  for (const input of inputsOf(metric)) {
    const part = index.metrics.get(input.metric.toLowerCase());
    if (part === undefined || entries.parts.has(part)) continue;
    entries.parts.set(part, `part of ${metric.name}`);
    addParts(part, index, entries);
  }
}

/** Those that its text names before a dot, and the one that it counts. */
function datasetsOf(metric: Metric, { datasets }: SelectionIndex): readonly Dataset[] {
  const { definition } = metric;
  const own = definition.kind === 'aggregate' ? (definition.dataset ?? '') : '';
  const named = definitionText(metric).matchAll(/(?<name>[\p{L}_][\p{L}\p{N}_$]*)"?\s*\./gu);
  const names = [own, ...[...named].map(({ groups }) => groups?.name ?? '')];
  return names.flatMap((name) => datasets.get(name.toLowerCase()) ?? []);
}

/** The first reason stays. */
function put<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value);
}

/** The names under which rules say that they are about it. */
export function namesSelected({ metrics, parts, datasets, fields, filters, inPlay }: NamedEntries): string[] {
  return [
    ...[...metrics.keys(), ...parts.keys(), ...datasets.keys(), ...inPlay.keys(), ...filters.keys()].map(
      ({ name }) => name,
    ),
    ...[...fields].flatMap(([{ name }, { dataset }]) => [name, `${dataset.name}.${name}`]),
  ];
}
