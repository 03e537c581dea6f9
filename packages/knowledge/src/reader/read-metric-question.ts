import type { ValueMatch } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { reachesOne } from '../compile/join-graph.ts';
import type { CompiledMetrics, MetricRequest } from '../compile/metric-request.ts';
import type { KnowledgeSettings } from '../model/knowledge.ts';
import { isDay } from '../time/days.ts';
import type { Clock } from '../time/read-period.ts';
import { wordsOf } from '../words/words-of.ts';
import { describeReading } from './describe-reading.ts';
import type { Condition, Draft } from './draft.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { lexiconOf } from './lexicon.ts';
import { fieldName } from './meaning.ts';
import { questionLinks } from './question-links.ts';
import { type Piece, type QuestionReader, readAll, startAt } from './question-reader.ts';
import { readConditions, readTimes, readTimeVerbs } from './read-conditions.ts';
import { openings, readFillers } from './read-fillers.ts';
import { readGrainWords, readGroups } from './read-groups.ts';
import { readDemands, readMetric, readMetricList, readMetricVerb } from './read-metrics.ts';
import {
  readRankMetric,
  readSubject,
  readSuperlative,
  readTop,
  readTrailingSuperlative,
  readVerbSuperlative,
} from './read-ranks.ts';
import { type Resolved, resolve } from './resolve.ts';

/** What a question is read with, beside the knowledge. */
export interface ReadQuestionOptions {
  /** ISO 8601 date for "last month". A question with a relative time is declined without a valid one. */
  readonly today: string;
  /** Cells that pieces of the question may mean. Default: none; then only declared values of fields are known. */
  readonly values?: readonly ValueMatch[] | undefined;
}

/** A question as a request for metrics, or why it is none. */
export type ReadQuestion =
  | {
      readonly kind: 'request';
      readonly request: MetricRequest;
      readonly compiled: CompiledMetrics;
      /** What was understood, in one sentence. */
      readonly reading: string;
      /** What was taken for granted, each one sentence. */
      readonly assumptions: readonly string[];
    }
  | {
      readonly kind: 'declined';
      readonly reason: string;
      /** The words that nothing accounts for, where it is those. */
      readonly words: readonly string[];
      /** What it can mean, where that is more than one thing. */
      readonly readings: readonly { readonly reading: string; readonly compiled: CompiledMetrics }[];
    };

/** Longer texts are no single question. */
const MAX_CHARACTERS = 500;
const MAX_WORDS = 60;

const PIECES: readonly Piece[] = [
  readDemands,
  readMetric,
  readMetricList,
  readMetricVerb,
  readGroups,
  readGrainWords,
  readConditions,
  readTimes,
  readTimeVerbs,
  readTop,
  readRankMetric,
  readSubject,
  readSuperlative,
  readTrailingSuperlative,
  readVerbSuperlative,
  readFillers,
];

/**
 * Reads a question about metrics by a small grammar of English: metrics, groups, periods, values, named filters, limits
 * of time and the first of an order, all by the names that knowledge gives them. Every word has to be accounted for;
 * what can be read in two ways that differ is declined with both. Deterministic; never throws on any text.
 */
export function readMetricQuestion(
  question: string,
  bound: BoundKnowledge,
  { today, values = [] }: ReadQuestionOptions,
): ReadQuestion {
  const words = wordsOf(question.slice(0, MAX_CHARACTERS + 1));
  if (words.length === 0) return declined('The question is empty.');
  if (question.length > MAX_CHARACTERS || words.length > MAX_WORDS)
    return declined(`The question is longer than ${MAX_CHARACTERS} characters or ${MAX_WORDS} words.`);
  const { settings } = bound.knowledge;
  const lexicon = lexiconOf(bound);
  const links = questionLinks(words, lexicon, values, settings.matching);
  const clock = clockOf(today, settings);
  const reader: QuestionReader = { words, links, lexicon, clock, reaches: (from, to) => reachesOne(from, to, bound) };
  const { drafts, furthest } = readAll(reader, openings(startAt(0), words), PIECES);
  if (drafts.length === 0) return unread(reader, furthest);
  const fewest = Math.min(...drafts.map(({ names }) => names));
  const { resolved, refusals } = resolve(distinct(drafts.filter(({ names }) => names === fewest)), bound, clock.today);
  const [only, other] = resolved;
  if (only === undefined) return declined(refusals[0] ?? 'Nothing computes it.');
  if (other !== undefined) return ambiguous(resolved);
  const { request, compiled, assumptions } = only;
  return { kind: 'request', request, compiled, reading: describeReading(only), assumptions };
}

function clockOf(today: string, { weekStart = 'monday', fiscalYearStart }: KnowledgeSettings): Clock {
  const day = today.slice(0, 10);
  return {
    today: isDay(day) ? day : '',
    calendar: { yearStart: 1, weekStart },
    ...(fiscalYearStart !== undefined && { fiscal: { yearStart: fiscalYearStart, weekStart } }),
  };
}

function distinct(drafts: readonly Draft[]): readonly Draft[] {
  const known = new Map<string, Draft>();
  for (const draft of drafts) {
    const { metrics, groups, conditions, time, verbs, rank, demands } = draft;
    const shown = { metrics: metrics.map((slot) => [slot.said, slot.demands, slot.options.map(({ name }) => name)]) };
    const parts = [
      groups.map((slot) => (slot.kind === 'grain' ? slot : slot.said)),
      conditions.map((slot) => [slot.said, slot.options.map(conditionKey)]),
    ];
    known.set(JSON.stringify([shown, parts, time?.range, verbs.map(({ said }) => said), rank, demands]), draft);
  }
  return [...known.values()];
}

/** What may be meant: "Berlin customers" are those of a city, and one who is called so. */
function conditionKey(condition: Condition): string {
  return condition.kind === 'filter' ? condition.filter.name : JSON.stringify([fieldName(condition), condition.values]);
}

/** Readings that are shown to whoever has to decide. */
const MAX_READINGS = 5;

function ambiguous(resolved: readonly Resolved[]): ReadQuestion {
  const readings = resolved
    .slice(0, MAX_READINGS)
    .map((one) => ({ reading: describeReading(one), compiled: one.compiled }));
  const meanings = readings.map(({ reading }) => reading).join('; or ');
  return { kind: 'declined', reason: `It can be read in ${resolved.length} ways: ${meanings}.`, words: [], readings };
}

/** The first word that means nothing here; where there is none, those from the first on that nothing could follow. */
function unread({ words, links }: QuestionReader, furthest: number): ReadQuestion {
  const rest = words.slice(furthest).filter(({ kind }) => kind !== 'comma' && kind !== 'stop');
  const covered = new Set(links.flatMap((found, at) => found.flatMap(({ end }) => words.slice(at, end))));
  const unknown = rest.find((word) => !covered.has(word) && !FUNCTION_WORDS.has(word.lower));
  const named = (unknown === undefined ? rest : [unknown]).map(({ text }) => text);
  const reason =
    named.length === 0 ? 'The question names no metric.' : `Nothing accounts for "${named.join(' ')}" in the question.`;
  return { kind: 'declined', reason, words: named, readings: [] };
}

function declined(reason: string): ReadQuestion {
  return { kind: 'declined', reason, words: [], readings: [] };
}
