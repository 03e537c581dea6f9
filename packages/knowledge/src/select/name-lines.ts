import { shortened } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { definitionText, expressionText } from '../bind/definition-text.ts';
import { quotedText } from '../expression/quoted-text.ts';
import { entryId } from '../model/knowledge.ts';
import type { AiContext, Dataset, EnumValue, Field, Metric, NamedFilter } from '../model/semantic-model.ts';
import { shortLine } from '../words/short-line.ts';
import type { Reach } from './metric-reach.ts';
import { computedText, physicalCondition, timeText } from './metric-text.ts';
import type { Candidate } from './selection.ts';
import { nameKey } from './selection-index.ts';

/** Longer descriptions are cut. */
const MAX_DESCRIPTION = 300;
/** So many values of a field are shown. */
const MAX_VALUES = 12;
/** So many datasets that a metric reaches are named. */
const MAX_DATASETS = 12;
const MAX_QUERY = 200;

/** How entries are written. */
export interface Lines {
  /** Where an entry stands in the knowledge. */
  readonly place: (entry: object) => number;
  readonly bound: BoundKnowledge | undefined;
  /** Metrics are for `metric(…)`. */
  readonly metricCalls: boolean;
}

export function metricCandidate(metric: Metric, reason: string, { place, bound, metricCalls }: Lines): Candidate {
  const { name, label, unit, ai, description, definition } = metric;
  const isWrittenOut = bound !== undefined && !metricCalls;
  const computed = isWrittenOut ? computedText(metric, bound) : definitionText(metric, bound?.dialect);
  const empty = definition.empty === 'zero' ? '0 without rows' : undefined;
  return {
    item: { id: entryId('metric', name), kind: 'metric', reason },
    section: 'Metrics',
    line: line(
      `${name}${called(name, [label, unit], ai)} = ${computed}`,
      timeText(metric, bound, isWrittenOut),
      empty,
      description,
      ai?.instructions,
    ),
    order: [place(metric)],
  };
}

/** By what metrics are grouped, which they share. */
export function reachCandidate({ metrics, fields, others }: Reach, reason: string): Candidate | undefined {
  const [first] = metrics;
  if (first === undefined || fields.length + others.length === 0) return undefined;
  const more = [...new Set(others.map(({ dataset }) => dataset.dataset.name))].slice(0, MAX_DATASETS);
  const rest = more.length === 0 ? [] : [`${fields.length === 0 ? '' : 'other '}fields of ${more.join(', ')}`];
  const names = metrics.map(({ name }) => name).join(', ');
  return {
    item: { id: entryId('metric', first.name), kind: 'metric', reason },
    section: 'Metrics',
    line: line(`BY and WHERE of ${names}: ${[...fields.map(({ name }) => name), ...rest].join(', ')}`),
    isBeside: true,
    order: [Number.MAX_SAFE_INTEGER, 0],
  };
}

export function exampleCandidate({ metrics: [metric] }: Reach, sql: string, reason: string): Candidate[] {
  if (metric === undefined) return [];
  return [
    {
      item: { id: entryId('metric', metric.name), kind: 'metric', reason },
      section: 'Metrics',
      line: `An example, not for this question: ${sql}`,
      isBeside: true,
      order: [Number.MAX_SAFE_INTEGER, 1],
    },
  ];
}

/** Undefined where the schema of the database says all that is known. `isNamed` by the question, else only used. */
export function datasetCandidate(
  dataset: Dataset,
  reason: string,
  { place, bound }: Lines,
  isNamed = true,
): Candidate | undefined {
  const { name, ai, grain, description } = isNamed ? dataset : { ...NOTHING_SAID, name: dataset.name };
  const said = called(name, [tableOf(dataset, bound)], ai);
  if (`${said}${grain ?? ''}${description ?? ''}${ai?.instructions ?? ''}` === '') return undefined;
  const row = grain === undefined ? undefined : `One row is ${grain.replace(/^one row (?:is|for each) /iu, '')}`;
  return {
    item: { id: entryId('dataset', name), kind: 'dataset', reason },
    section: 'Values',
    line: line(`${name}${said}`, row, description, ai?.instructions),
    order: [place(dataset), 0],
  };
}

const NOTHING_SAID = { ai: undefined, grain: undefined, description: undefined };

/** The table of a dataset, where it has another name. */
function tableOf({ name, source }: Dataset, bound: BoundKnowledge | undefined): string | undefined {
  if (/^\s*(?:select|with|\()/iu.test(source)) return `no table, but ${shortLine(source, MAX_QUERY)}`;
  const table = source
    .split('.')
    .at(-1)
    ?.replaceAll(/["`[\]]/gu, '');
  const isSame = table?.toLowerCase() === name.toLowerCase();
  return isSame ? undefined : `table ${bound?.datasets.get(name.toLowerCase())?.from ?? source}`;
}

/** The condition under which all rows of a dataset count. */
export function defaultFilterCandidate(dataset: Dataset, reason: string, lines: Lines): Candidate | undefined {
  const { name, defaultFilter } = dataset;
  if (defaultFilter === undefined) return undefined;
  return {
    item: { id: entryId('dataset', name), kind: 'dataset', reason: `always holds for ${reason}` },
    section: 'Rules',
    line: line(`Rows of ${name} count only where ${conditionText(defaultFilter, name, lines)}`),
    order: [-1, 0, lines.place(dataset)],
  };
}

/** Undefined where the schema of the database says all that is known. */
export function fieldCandidate(
  dataset: Dataset,
  field: Field,
  reason: string,
  { place, bound }: Lines,
): Candidate | undefined {
  const { name, label, unit, ai, description, values } = field;
  const said = called(name, [label, unit], ai);
  const expression = expressionText(field.expressions, bound?.dialect);
  const isColumn = expression.split('.').at(-1)?.toLowerCase() === name.toLowerCase();
  const computed = isColumn || expression === '' ? '' : ` = ${expression}`;
  const more = values.length > MAX_VALUES ? `, and ${values.length - MAX_VALUES} more` : '';
  const known =
    values.length === 0 ? undefined : `Values: ${values.slice(0, MAX_VALUES).map(valueText).join(', ')}${more}`;
  if (`${said}${computed}${description ?? ''}${known ?? ''}${ai?.instructions ?? ''}` === '') return undefined;
  return {
    item: { id: entryId('field', `${dataset.name}.${name}`), kind: 'field', reason },
    section: 'Values',
    line: line(`${dataset.name}.${name}${said}${computed}`, description, ai?.instructions, known),
    order: [place(dataset), 1 + dataset.fields.indexOf(field)],
  };
}

export function filterCandidate(filter: NamedFilter, reason: string, lines: Lines): Candidate {
  const synonyms = { synonyms: filter.synonyms, examples: [] };
  return {
    item: { id: entryId('filter', filter.name), kind: 'filter', reason },
    section: 'Values',
    line: line(
      `${filter.name}${called(filter.name, [], synonyms)} = ${conditionText(filter.condition, filter.dataset, lines)}`,
      filter.description,
    ),
    order: [lines.place(filter), 0],
  };
}

/** Who writes no `metric(…)` needs the columns. */
function conditionText(condition: string, dataset: string, { bound, metricCalls }: Lines): string {
  return bound === undefined || metricCalls ? condition : physicalCondition(condition, dataset, bound);
}

function valueText({ value, meaning, synonyms }: EnumValue): string {
  const literal = typeof value === 'string' ? quotedText(value) : String(value);
  const words = [meaning, ...synonyms].filter((word) => word !== undefined && word !== '');
  return words.length === 0 ? literal : `${literal} is ${words.join(' or ')}`;
}

/** ` (Net revenue, USD; also "turnover")`; without what says the same as a name before it. */
function called(name: string, names: readonly (string | undefined)[], ai: AiContext | undefined): string {
  const said = new Set([nameKey(name)]);
  const isNew = (other: string | undefined): boolean => {
    const key = nameKey(other ?? '');
    const isKnown = key === '' ? other === undefined || other === '' : said.has(key);
    said.add(key);
    return !isKnown;
  };
  const plain = names.filter(isNew).join(', ');
  const synonyms = (ai?.synonyms ?? [])
    .filter(isNew)
    .map((synonym) => `"${synonym}"`)
    .join(', ');
  const parts = [plain, synonyms === '' ? '' : `also ${synonyms}`].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** Sentences in one line. */
function line(...sentences: readonly (string | undefined)[]): string {
  return sentences
    .map((sentence) => (sentence ?? '').replaceAll(/\s+/gu, ' ').trim().replace(/\.$/u, ''))
    .filter((sentence) => sentence !== '')
    .map((sentence, at) => (at === 0 ? sentence : shortened(sentence, MAX_DESCRIPTION)))
    .join('. ');
}
