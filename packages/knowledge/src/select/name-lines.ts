import { type Dialect, shortened } from '@askema/core';
import { definitionText, expressionText } from '../bind/definition-text.ts';
import { entryId } from '../model/knowledge.ts';
import type { AiContext, Dataset, EnumValue, Field, Metric, NamedFilter } from '../model/semantic-model.ts';
import type { Candidate } from './selection.ts';

/** Longer descriptions are cut. */
const MAX_DESCRIPTION = 300;
/** So many values of a field are shown. */
const MAX_VALUES = 12;

/** Where an entry stands in the knowledge. */
type PlaceOf = (entry: object) => number;

export function metricCandidate(
  metric: Metric,
  reason: string,
  place: PlaceOf,
  dialect: Dialect | undefined,
): Candidate {
  const { name, label, unit, ai, description, definition } = metric;
  const time = definition.kind === 'aggregate' && definition.time !== undefined ? `, by ${definition.time}` : '';
  const computed = `${definitionText(metric, dialect)}${time}`;
  return {
    item: { id: entryId('metric', name), kind: 'metric', reason },
    section: 'Metrics',
    line: line(`${name}${called([label, unit], ai)} = ${computed}`, description, ai?.instructions),
    order: [place(metric)],
  };
}

/** Undefined where the schema of the database says all that is known. */
export function datasetCandidate(dataset: Dataset, reason: string, place: PlaceOf): Candidate | undefined {
  const { name, source, ai, grain, description } = dataset;
  const isQuery = /^\s*(?:select|with|\()/iu.test(source);
  const isSame = isQuery || source.split('.').at(-1)?.toLowerCase() === name.toLowerCase();
  const said = called([isSame ? undefined : `table ${source}`], ai);
  if (`${said}${grain ?? ''}${description ?? ''}${ai?.instructions ?? ''}` === '') return undefined;
  const row = grain === undefined ? undefined : `One row is ${grain.replace(/^one row (?:is|for each) /iu, '')}`;
  return {
    item: { id: entryId('dataset', name), kind: 'dataset', reason },
    section: 'Values',
    line: line(`${name}${said}`, row, description, ai?.instructions),
    order: [place(dataset), 0],
  };
}

/** The condition under which all rows of a dataset count. */
export function defaultFilterCandidate(dataset: Dataset, reason: string, place: PlaceOf): Candidate | undefined {
  if (dataset.defaultFilter === undefined) return undefined;
  return {
    item: { id: entryId('dataset', dataset.name), kind: 'dataset', reason: `always holds for ${reason}` },
    section: 'Rules',
    line: line(`Rows of ${dataset.name} count only where ${dataset.defaultFilter}`),
    order: [-1, 0, place(dataset)],
  };
}

/** Undefined where the schema of the database says all that is known. */
export function fieldCandidate(
  dataset: Dataset,
  field: Field,
  reason: string,
  place: PlaceOf,
  dialect: Dialect | undefined,
): Candidate | undefined {
  const { name, label, unit, ai, description, values } = field;
  const said = called([label, unit], ai);
  const expression = expressionText(field.expressions, dialect);
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

export function filterCandidate(filter: NamedFilter, reason: string, place: PlaceOf): Candidate {
  const synonyms = { synonyms: filter.synonyms, examples: [] };
  return {
    item: { id: entryId('filter', filter.name), kind: 'filter', reason },
    section: 'Values',
    line: line(`${filter.name}${called([], synonyms)} = ${filter.condition}`, filter.description),
    order: [place(filter), 0],
  };
}

function valueText({ value, meaning, synonyms }: EnumValue): string {
  const literal = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  const words = [meaning, ...synonyms].filter((word) => word !== undefined && word !== '');
  return words.length === 0 ? literal : `${literal} is ${words.join(' or ')}`;
}

/** ` (Net revenue, USD; also "turnover")` */
function called(names: readonly (string | undefined)[], ai: AiContext | undefined): string {
  const plain = names.filter((name) => name !== undefined && name !== '').join(', ');
  const synonyms = (ai?.synonyms ?? []).map((synonym) => `"${synonym}"`).join(', ');
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
