import { checkWhole, countTokensRoughly, type ValueMatch } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Knowledge } from '../model/knowledge.ts';
import type { Field, Metric } from '../model/semantic-model.ts';
import { exampleQueries } from './example-queries.ts';
import { fitSelection, type Group } from './fit-selection.ts';
import { type Reach, reachesOf } from './metric-reach.ts';
import {
  datasetCandidate,
  defaultFilterCandidate,
  exampleCandidate,
  fieldCandidate,
  filterCandidate,
  type Lines,
  metricCandidate,
  reachCandidate,
} from './name-lines.ts';
import { proseWords } from './prose-words.ts';
import { addMetric, type NamedEntries, namesSelected, selectNames } from './select-names.ts';
import { alike, selectTexts } from './select-texts.ts';
import type { Candidate, SelectedItem } from './selection.ts';
import { type SelectionIndex, selectionIndex } from './selection-index.ts';
import { crossesDatasets, workedExample } from './worked-example.ts';

export interface SelectKnowledgeOptions {
  /** The knowledge, bound to the database of the question: expressions of its dialect, words of its schema, cells. */
  readonly bound?: BoundKnowledge | undefined;
  /** The text never counts more. Default: 1200. */
  readonly maxTokens?: number | undefined;
  /** Default: `countTokensRoughly` of `@askema/core`. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Cells that pieces of the question may mean; used with `bound`. */
  readonly values?: readonly ValueMatch[] | undefined;
  /**
   * With `bound`: who reads it may write `metric(…)`, which `expandMetrics` computes. Then metrics stand there with the
   * fields by which they are grouped and filtered, and one worked example; else as they are computed. Default: false.
   */
  readonly metricCalls?: boolean | undefined;
}

export interface SelectedKnowledge {
  /** Sections `Metrics`, `Values`, `Rules` and `Verified queries, as examples`; empty where nothing fits the question. To be fenced. */
  readonly text: string;
  /** What stands in the text, the most needed first. */
  readonly items: readonly SelectedItem[];
  /** What the question needs as well and the budget does not hold. */
  readonly leftOut: readonly SelectedItem[];
}

/** What stands behind so many characters of a question is not looked at. */
const MAX_QUESTION = 4_000;
const DEFAULT_MAX_TOKENS = 1200;
/** Parts of the budget, so that no kind drives out the others. */
const GENERAL_PART = 0.25;
const PROSE_PART = 0.5;
/** Metrics that are described by words of the question and not named. */
const MAX_DESCRIBED = 5;
const DESCRIBED_LIKE = 0.6;

/**
 * What a question needs of knowledge, as text for a model: metrics, values and filters that it names, with what they
 * are made of; rules, caveats and terms that its words occur in or that are about what it names; rules that hold for
 * every question; verified queries like it. Of long texts only the statements that are about the question.
 * Deterministic; the order of the text depends on the knowledge, not on the question.
 *
 * Only what is accepted and did not fail its last check is taken. The first call for a `knowledge` builds an index, which
 * lives as long as the object. @throws AskemaError `CONFIG_INVALID` for a `maxTokens` that is no whole number from 0
 */
export function selectKnowledge(
  question: string,
  knowledge: Knowledge,
  {
    bound,
    maxTokens = DEFAULT_MAX_TOKENS,
    countTokens = countTokensRoughly,
    values = [],
    metricCalls = false,
  }: SelectKnowledgeOptions = {},
): SelectedKnowledge {
  checkWhole('selectKnowledge.maxTokens', maxTokens, 0);
  const asked = question.slice(0, MAX_QUESTION);
  const index = selectionIndex(knowledge);
  const relations = bound === undefined ? undefined : relationWords(bound);
  const isSubject = (word: string): boolean => index.subjects.has(word) || relations?.has(word) === true;
  const named = selectNames(asked, index, values, bound);
  const place = (entry: object): number => index.places.get(entry) ?? 0;
  const lines: Lines = { place, bound, metricCalls: metricCalls && bound !== undefined };
  const candidatesOf = (entries: NamedEntries): Candidate[] => nameCandidates(entries, lines);
  const direct = candidatesOf(named);
  const texts = selectTexts(asked, index, namesSelected(named), isSubject);
  for (const { thing, shared } of alike(asked, index.searchedMetrics, () => false, DESCRIBED_LIKE).slice(
    0,
    MAX_DESCRIBED,
  ))
    addMetric(thing, `described by ${shared}`, index, named);
  const groups: Group[] = [
    { candidates: direct, maxTokens },
    { candidates: texts.general, maxTokens: Math.floor(maxTokens * GENERAL_PART) },
    { candidates: texts.about, maxTokens },
    { candidates: texts.alike, maxTokens: Math.floor(maxTokens * PROSE_PART) },
    { candidates: [...candidatesOf(named), ...besideNames(asked, named, index, lines)], maxTokens },
    { candidates: exampleQueries(asked, knowledge, { values, bound, metricCalls }), maxTokens },
  ];
  return fitSelection(groups, maxTokens, countTokens);
}

function nameCandidates(
  { metrics, parts, datasets, fields, filters, inPlay }: NamedEntries,
  lines: Lines,
): Candidate[] {
  const found = [
    ...[...metrics, ...parts].map(([metric, reason]) => metricCandidate(metric, reason, lines)),
    ...[...inPlay].map(([dataset, by]) => defaultFilterCandidate(dataset, by, lines)),
    ...[...fields].map(([field, { dataset, reason }]) => fieldCandidate(dataset, field, reason, lines)),
    ...[...filters].map(([filter, reason]) => filterCandidate(filter, reason, lines)),
    ...[...datasets].map(([dataset, reason]) => datasetCandidate(dataset, reason, lines)),
  ];
  return found.filter((candidate) => candidate !== undefined);
}

/** What makes the names usable: tables of datasets, fields of metrics, how one is written. */
function besideNames(question: string, named: NamedEntries, index: SelectionIndex, lines: Lines): Candidate[] {
  const { metrics, datasets, fields, inPlay } = named;
  const { bound, metricCalls, place } = lines;
  const lower = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));
  const ofMetrics = new Set([...metrics.keys()].flatMap(wordsOfEntry));
  // One that is called as a metric is: the metric is meant.
  const meant = [...datasets.keys()].filter(
    ({ name }) =>
      !proseWords(name)
        .split(' ')
        .every((word) => ofMetrics.has(word)),
  );
  const places = {
    question,
    words: new Set([...ofMetrics, ...[...fields.keys()].flatMap(wordsOfEntry)]),
    fields: lower([...fields].map(([field, { dataset }]) => `${dataset.name}.${field.name}`)),
    datasets: lower(meant.map(({ name }) => name)),
  };
  const sorted = [...metrics.keys()].sort((a, b) => place(a) - place(b));
  const reaches = bound !== undefined && metricCalls ? reachesOf(sorted, places, bound) : [];
  const used = new Map(inPlay);
  for (const { fields: near, metrics } of reaches)
    for (const { dataset } of near) {
      const known = index.datasets.get(dataset.dataset.name.toLowerCase());
      if (known !== undefined && !used.has(known)) used.set(known, metrics[0]?.name ?? '');
    }
  const reasonOf = ({ metrics: [first] }: Reach): string => (first && metrics.get(first)) ?? '';
  const found = [
    ...[...used].map(([dataset, by]) =>
      datasets.has(dataset) ? undefined : datasetCandidate(dataset, `used by ${by}`, lines, false),
    ),
    ...reaches.map((reach) => reachCandidate(reach, reasonOf(reach))),
    ...exampleOf(reaches.find(crossesDatasets) ?? reaches[0], reasonOf, bound),
  ];
  return found.filter((candidate) => candidate !== undefined);
}

function exampleOf(
  reach: Reach | undefined,
  reasonOf: (reach: Reach) => string,
  bound: BoundKnowledge | undefined,
): Candidate[] {
  const sql = reach && bound && workedExample(reach, bound);
  return reach === undefined || sql === undefined ? [] : exampleCandidate(reach, sql, reasonOf(reach));
}

function wordsOfEntry({ name, label = '', ai }: Metric | Field): string[] {
  return proseWords([name, label, ...(ai?.synonyms ?? [])].join(' ')).split(' ');
}

const wordsOfRelations = new WeakMap<BoundKnowledge, ReadonlySet<string>>();

function relationWords(bound: BoundKnowledge): ReadonlySet<string> {
  let words = wordsOfRelations.get(bound);
  if (words === undefined) {
    words = new Set(bound.catalog.schema.relations.flatMap(({ name }) => proseWords(name).split(' ')));
    wordsOfRelations.set(bound, words);
  }
  return words;
}
