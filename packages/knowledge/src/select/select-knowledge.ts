import { checkWhole, countTokensRoughly, type ValueMatch } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { expandNames } from '../bind/expand-names.ts';
import { entryId, type Knowledge, type VerifiedQuery } from '../model/knowledge.ts';
import { findVerified } from '../verified/find-verified.ts';
import { fitSelection, type Group } from './fit-selection.ts';
import {
  datasetCandidate,
  defaultFilterCandidate,
  fieldCandidate,
  filterCandidate,
  metricCandidate,
} from './name-lines.ts';
import { proseWords, questionWords } from './prose-words.ts';
import { addMetric, type NamedEntries, namesSelected, selectNames } from './select-names.ts';
import { alike, isTelling, quoted, selectTexts } from './select-texts.ts';
import type { Candidate, SelectedItem } from './selection.ts';
import { type SelectionIndex, selectionIndex } from './selection-index.ts';
import { indented, plain } from './text-pieces.ts';

export interface SelectKnowledgeOptions {
  /** The knowledge, bound to the database of the question: expressions of its dialect, words of its schema, cells. */
  readonly bound?: BoundKnowledge | undefined;
  /** The text never counts more. Default: 1200. */
  readonly maxTokens?: number | undefined;
  /** Default: `countTokensRoughly` of `@askema/core`. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Cells that pieces of the question may mean; used with `bound`. */
  readonly values?: readonly ValueMatch[] | undefined;
}

export interface SelectedKnowledge {
  /** Sections `Metrics`, `Values`, `Rules` and `Examples`; empty where nothing fits the question. To be fenced. */
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
  { bound, maxTokens = DEFAULT_MAX_TOKENS, countTokens = countTokensRoughly, values = [] }: SelectKnowledgeOptions = {},
): SelectedKnowledge {
  checkWhole('selectKnowledge.maxTokens', maxTokens, 0);
  const asked = question.slice(0, MAX_QUESTION);
  const index = selectionIndex(knowledge);
  const relations = bound === undefined ? undefined : relationWords(bound);
  const isSubject = (word: string): boolean => index.subjects.has(word) || relations?.has(word) === true;
  const named = selectNames(asked, index, values, bound);
  const candidatesOf = (entries: NamedEntries): Candidate[] => nameCandidates(entries, index, bound);
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
    { candidates: candidatesOf(named), maxTokens },
    { candidates: examples(asked, knowledge, values, bound), maxTokens },
  ];
  return fitSelection(groups, maxTokens, countTokens);
}

function nameCandidates(
  { metrics, datasets, fields, filters, inPlay }: NamedEntries,
  { places }: SelectionIndex,
  bound: BoundKnowledge | undefined,
): Candidate[] {
  const place = (entry: object): number => places.get(entry) ?? 0;
  const found = [
    ...[...metrics].map(([metric, reason]) => metricCandidate(metric, reason, place, bound?.dialect)),
    ...[...inPlay].map(([dataset, by]) => defaultFilterCandidate(dataset, by, place)),
    ...[...fields].map(([field, { dataset, reason }]) => fieldCandidate(dataset, field, reason, place, bound?.dialect)),
    ...[...filters].map(([filter, reason]) => filterCandidate(filter, reason, place)),
    ...[...datasets].map(([dataset, reason]) => datasetCandidate(dataset, reason, place)),
  ];
  return found.filter((candidate) => candidate !== undefined);
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

/** Those that the question says in other words, or the one that it is. */
function examples(
  question: string,
  knowledge: Knowledge,
  values: readonly ValueMatch[],
  bound: BoundKnowledge | undefined,
): Candidate[] {
  const found = findVerified(question, knowledge, { values });
  if (found.kind === 'none') return [];
  const asked = questionWords(question);
  const near = found.kind === 'same' ? [found.query] : found.queries.map(({ query }) => query);
  return near.flatMap((query, at) => {
    const words = new Set(proseWords(query.question).split(' '));
    const shared = quoted(
      [...asked].flatMap(([word, written]) => (words.has(word) && isTelling(word) ? [written] : [])),
    );
    const sql = physicalSql(query, bound);
    if (sql === undefined || (found.kind !== 'same' && !shared.includes(', '))) return [];
    return [
      {
        item: {
          id: entryId('query', query.id),
          kind: 'query',
          reason: found.kind === 'same' ? 'asks the same' : `asks about ${shared}`,
        },
        section: 'Examples',
        line: `${plain(query.question)}${indented(sql)}`,
        order: [at],
      },
    ];
  });
}

/** In names of the database: a model that is shown names of the knowledge would write them. */
function physicalSql({ sql, names }: VerifiedQuery, bound: BoundKnowledge | undefined): string | undefined {
  if (names === 'physical') return sql;
  if (bound === undefined) return undefined;
  try {
    return expandNames(sql, bound);
  } catch {
    return undefined;
  }
}
