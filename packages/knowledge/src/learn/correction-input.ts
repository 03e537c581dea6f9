import { AskemaError, type Outcome, oneLine, quoteIfNeeded } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { reachesOne } from '../compile/join-graph.ts';
import { quotedText } from '../expression/quoted-text.ts';
import type { Field } from '../model/semantic-model.ts';
import { selectKnowledge } from '../select/select-knowledge.ts';
import { isTelling } from '../select/select-texts.ts';
import { wordsOf } from '../words/words-of.ts';
import { metricsOf } from './checked-outcome.ts';
import type { CorrectionInput } from './correction-task.ts';

const MAX_SUBJECTS = 10;
const MAX_TERM = 60;
const MAX_FIELDS = 150;
const MAX_DATASETS = 40;
/** Of a field that are shown. */
const MAX_VALUES = 12;
/** Longer values are no codes. */
const MAX_VALUE = 30;
const DEFINITIONS_TOKENS = 800;

/**
 * What a rule is about where nobody says it: words that the correction shares with the question and the metrics of the
 * answer; else its datasets and tables; else words of the question. Never nothing: such a rule would hold for every
 * question.
 *
 * @throws AskemaError `INPUT_INVALID` for a question without words that tell it from others.
 */
export function subjectsOf(outcome: Outcome, correction: string, bound: BoundKnowledge): readonly string[] {
  const { question } = outcome;
  const basedOn = outcome.type === 'answered' ? outcome.basedOn : [];
  const metrics = metricsOf(outcome).flatMap(({ name }) => bound.metrics.get(name.toLowerCase())?.name ?? []);
  const named = selectKnowledge(question, bound.knowledge, { bound }).items.filter(
    ({ reason }) => !reason.startsWith('described'),
  );
  const namesOf = (wanted: string): readonly string[] =>
    named.flatMap(({ id, kind }) => (kind === wanted ? [id.slice(kind.length + 1)] : []));
  const words = [...sharedWords(question, correction), ...metrics, ...namesOf('metric')];
  const tables = basedOn.flatMap((basis) => (basis.kind === 'relation' ? nameOf(basis.name, bound) : []));
  // A table may be called `the`.
  const isAbout = (name: string): boolean => tellingWords(name.replaceAll('_', ' ')).length > 0;
  const [about] = [words, [...namesOf('dataset'), ...tables], tellingWords(question)]
    .map((names) => names.filter(isAbout))
    .filter((names) => names.length > 0);
  if (about === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      'The question has only words that every question may have, so the rule would be about anything. Ask in a sentence, and correct its answer.',
    );
  const once = new Map(about.map((name) => [name.toLowerCase(), oneLine(name, MAX_TERM)]));
  return [...once.values()].slice(0, MAX_SUBJECTS);
}

/** The dataset of a table, else the table; none where the database has no such table. */
function nameOf(basis: string, bound: BoundKnowledge): readonly string[] {
  const name = (basis.split('.').at(-1) ?? '').replaceAll(/["`[\]]/gu, '');
  const found = [...bound.datasets.values()].find(({ relation }) => {
    const own = relation === undefined ? undefined : bound.catalog.relations[relation]?.nameParts.relation;
    return own?.toLowerCase() === name.toLowerCase();
  });
  const isThere = Object.values(bound.catalog.relations).some(
    ({ nameParts }) => nameParts.relation.toLowerCase() === name.toLowerCase(),
  );
  return found !== undefined ? [found.dataset.name] : isThere ? [name] : [];
}

/** Words of the question that the correction has as well, but for those that are in every text. */
export function sharedWords(question: string, correction: string): readonly string[] {
  const said = new Set(wordsOf(correction).map(({ stem }) => stem));
  return tellingWords(question).filter((word) => wordsOf(word).some(({ stem }) => said.has(stem)));
}

function tellingWords(text: string): readonly string[] {
  return wordsOf(text).flatMap(({ kind, lower, text: word }) => (kind === 'word' && isTelling(lower) ? [word] : []));
}

/** What a model is shown of an answer and a correction. */
export function correctionInput(
  outcome: Outcome,
  correction: string,
  subjects: readonly string[],
  bound: BoundKnowledge,
): CorrectionInput {
  const { question, sql = '' } = outcome;
  const basedOn = outcome.type === 'answered' ? outcome.basedOn : [];
  const stoodOn = basedOn.map((basis) =>
    basis.kind === 'relation' ? `table ${basis.name}` : `${basis.kind} ${basis.name}: ${basis.definition}`,
  );
  const { text } = selectKnowledge(`${question} ${correction}`, bound.knowledge, {
    bound,
    maxTokens: DEFINITIONS_TOKENS,
  });
  const fields = fieldLines(sql, subjects, bound).join('\n');
  return { question, sql, stoodOn: stoodOn.join('\n'), definitions: text, fields, correction };
}

/** Those of the answer first, with their values: a large model does not fit. */
function fieldLines(sql: string, subjects: readonly string[], bound: BoundKnowledge): readonly string[] {
  const names = new Set(subjects.map((name) => name.toLowerCase()));
  const inSql = new Set(wordsOf(sql).map(({ lower }) => lower));
  const isNear = ({ dataset, relation }: BoundDataset): boolean => {
    const table = relation === undefined ? undefined : bound.catalog.relations[relation]?.nameParts.relation;
    const words = wordsOf(table ?? dataset.name);
    return names.has(dataset.name.toLowerCase()) || words.every(({ lower }) => inSql.has(lower));
  };
  const all = [...bound.datasets.values()];
  const near = all.filter(isNear);
  const ranked = [...near, ...all.filter((one) => !near.includes(one))].slice(0, MAX_DATASETS);
  const lines = ranked.flatMap((one) => fieldsIn(one, near.includes(one), bound));
  const reached = ranked.flatMap((from) => {
    const others = ranked.filter((to) => to !== from && reachesOne(from, to, bound));
    const list = others.map(({ dataset }) => written(dataset.name, bound)).join(', ');
    return list === '' ? [] : [`${written(from.dataset.name, bound)} reaches ${list}`];
  });
  return [...lines.slice(0, MAX_FIELDS), ...reached];
}

function fieldsIn({ dataset, fields }: BoundDataset, withValues: boolean, bound: BoundKnowledge): readonly string[] {
  return [...fields.values()].map(({ field, type }) => {
    const name = `${written(dataset.name, bound)}.${written(field.name, bound)} ${type}`;
    const isTime = field.name.toLowerCase() === dataset.defaultTime?.toLowerCase();
    const values = withValues ? valuesText(field) : '';
    return `${name}${isTime ? ', its time' : ''}${values === '' ? '' : `: ${values}`}`;
  });
}

/** Empty for sentences. */
function valuesText({ values }: Field): string {
  if (values.some(({ value }) => String(value).length > MAX_VALUE)) return '';
  const shown = values.slice(0, MAX_VALUES).map(({ value, meaning }) => {
    const text = typeof value === 'string' ? quotedText(value) : String(value);
    return meaning === undefined ? text : `${text} is ${meaning}`;
  });
  const more = values.length - shown.length;
  return oneLine([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', '));
}

/** As it stands in an expression, which quotes as the standard does. */
function written(name: string, { dialect }: BoundKnowledge): string {
  return quoteIfNeeded(name, dialect) === name ? name : `"${oneLine(name).replaceAll('"', '""')}"`;
}
