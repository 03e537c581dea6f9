import { type Dialect, isAskemaError, type ValueMatch } from '@askema/core';
import { type Bm25, contentWords, createBm25 } from '@askema/grounding';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { callsMetrics } from '../compile/expand-metrics.ts';
import type { Knowledge, VerifiedQuery } from '../model/knowledge.ts';
import { isInUse } from '../model/standing.ts';
import { holeUses } from './hole-uses.ts';
import { allValues, fillHoles, type HoledQuery, holedQuery, type ParameterValues } from './match-question.ts';
import { plainKey, plainQuestion, questionWithHoles } from './plain-question.ts';
import { runnableStatement } from './runnable-statement.ts';
import { writeParameters } from './write-parameters.ts';

/** What fills the holes of verified queries. */
export interface FindVerifiedOptions {
  /** Values for holes that the question does not fill. Those of a wrong type count as missing. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Cells that pieces of the question may mean: only they fill holes of type `text`, with `bound` those of the columns
   * with which the hole is compared. Quoted texts do, unless they are cells of other columns only.
   */
  readonly values?: readonly ValueMatch[] | undefined;
  /**
   * Writes the values into the statement, as literals of this dialect. Queries that are written for another, in names
   * of the model, or with `metric(…)`, are then only near.
   */
  readonly dialect?: Dialect | undefined;
  /** The knowledge, looked up in a database: its dialect, and names of the model and `metric(…)` are expanded. */
  readonly bound?: BoundKnowledge | undefined;
}

/** A query that asks the same and gives no answer. */
export interface UnusedQuery {
  readonly query: VerifiedQuery;
  /** One sentence. */
  readonly reason: string;
}

/** The verified query that answers a question, those that are like it, or none. */
export type FoundVerified =
  | {
      /** The question has been asked before: its statement answers it. */
      readonly kind: 'same';
      readonly query: VerifiedQuery;
      /** What stands for the holes, by name. */
      readonly parameters: ParameterValues;
      /** As the database runs it where `bound` or a dialect was given; else with its holes (`:name`), for a driver. */
      readonly sql: string;
    }
  | {
      /** Questions that are like it, likest first, at most three: examples, no answers. */
      readonly kind: 'near';
      readonly queries: readonly { readonly query: VerifiedQuery; readonly score: number }[];
      /** Those that ask the same, where none of them could be used. */
      readonly unused?: readonly UnusedQuery[] | undefined;
    }
  | { readonly kind: 'none'; readonly unused?: readonly UnusedQuery[] | undefined };

interface VerifiedIndex {
  readonly byQuestion: ReadonlyMap<string, readonly VerifiedQuery[]>;
  /** By the word of their questions that the fewest have; by an empty text where there is none. */
  readonly holed: ReadonlyMap<string, readonly HoledQuery[]>;
  readonly queries: readonly VerifiedQuery[];
  readonly words: Bm25;
  /** The dialect of queries that name none. */
  readonly dialect: string | undefined;
}

const indexes = new WeakMap<Knowledge, VerifiedIndex>();

const MAX_NEAR = 3;

/**
 * The verified query that answers a question, or those that are like it. Only queries that somebody accepted and whose
 * last check did not fail are looked at. The same question: equal but for case, blanks, punctuation and politeness, or
 * a question with holes (`revenue in {city}`) that it fills with values of their types in exactly one way. Two accepted
 * queries for one question that differ are both only near. Scores compare within one answer.
 */
export function findVerified(question: string, knowledge: Knowledge, options: FindVerifiedOptions = {}): FoundVerified {
  const index = indexOf(knowledge);
  const asked = askedBefore(question, index, options);
  const same = asked.filter((one) => 'sql' in one);
  const [first] = same;
  if (first !== undefined && same.every(({ sql }) => sql === first.sql)) return first;
  const queries = nearQuestions(question, index);
  const unused = first === undefined ? asked.filter((one) => 'reason' in one) : [];
  const found = queries.length === 0 ? { kind: 'none' as const } : { kind: 'near' as const, queries };
  return unused.length === 0 ? found : { ...found, unused };
}

/** The verified queries that ask this very question, whether or not they can answer it. */
export function queriesAsking(
  question: string,
  knowledge: Knowledge,
  options: FindVerifiedOptions,
): ReadonlySet<VerifiedQuery> {
  return new Set(askedBefore(question, indexOf(knowledge), options).map(({ query }) => query));
}

function indexOf(knowledge: Knowledge): VerifiedIndex {
  let index = indexes.get(knowledge);
  if (index === undefined) {
    const queries = knowledge.verifiedQueries.filter(({ standing }) => isInUse(standing));
    const holed = queries.map(holedQuery).filter((query) => query !== undefined);
    const withHoles = new Set(holed.map(({ query }) => query));
    index = {
      queries,
      holed: byRarestWord(holed),
      byQuestion: Map.groupBy(
        queries.filter((query) => !withHoles.has(query)),
        ({ question }) => plainKey(question),
      ),
      words: createBm25(queries.map(({ question }) => question)),
      dialect: knowledge.settings.dialect,
    };
    indexes.set(knowledge, index);
  }
  return index;
}

function byRarestWord(holed: readonly HoledQuery[]): ReadonlyMap<string, readonly HoledQuery[]> {
  const wordsIn = ({ pieces }: HoledQuery): string[] =>
    pieces.flatMap((piece) => ('plain' in piece ? [piece.plain] : []));
  const counts = new Map<string, number>();
  for (const word of holed.flatMap(wordsIn)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rarest = (one: HoledQuery): string =>
    wordsIn(one).reduce((best, word) => ((counts.get(word) ?? 0) < (counts.get(best) ?? Infinity) ? word : best), '');
  return Map.groupBy(holed, rarest);
}

type Same = Extract<FoundVerified, { kind: 'same' }>;

function askedBefore(question: string, index: VerifiedIndex, options: FindVerifiedOptions): (Same | UnusedQuery)[] {
  return [...sameQuestion(question, index, options), ...filledQuestion(question, index, options)];
}

function sameQuestion(question: string, index: VerifiedIndex, options: FindVerifiedOptions): (Same | UnusedQuery)[] {
  return (index.byQuestion.get(plainKey(question)) ?? []).map((query) => answerOf(query, {}, index, options));
}

function filledQuestion(question: string, index: VerifiedIndex, options: FindVerifiedOptions): (Same | UnusedQuery)[] {
  const { bound } = options;
  // What is in braces is no hole of a question that somebody asks.
  if (questionWithHoles(question).some((piece) => 'hole' in piece)) return [];
  const words = plainQuestion(question);
  const known = new Set(['', ...words.map(({ plain }) => plain)]);
  const possible = [...known].flatMap((word) => index.holed.get(word) ?? []);
  return possible.flatMap((one) => {
    const said = fillHoles(one, question, words, options.values, bound && holeUses(one.query, bound));
    return said === undefined ? [] : [answerOf(one.query, said, index, options)];
  });
}

function answerOf(
  query: VerifiedQuery,
  said: ParameterValues,
  index: VerifiedIndex,
  { parameters: given = {}, bound, ...options }: FindVerifiedOptions,
): Same | UnusedQuery {
  const parameters = allValues(query, said, given);
  if (parameters === undefined) return { query, reason: 'A parameter has no value of its type.' };
  const dialect = bound?.dialect ?? options.dialect;
  if (dialect === undefined) return { kind: 'same', query, parameters, sql: query.sql };
  const written = query.dialect ?? index.dialect ?? dialect.name;
  if (written.toLowerCase() !== dialect.name)
    return { query, reason: `It is written for ${written}, and the database is ${dialect.displayName}.` };
  if (bound === undefined && (query.names === 'logical' || callsMetrics(query.sql, dialect)))
    return { query, reason: 'It is written in terms of the model, and `bound` was not given.' };
  try {
    const sql = bound ? runnableStatement(query, parameters, bound) : writeParameters(query, parameters, dialect);
    return { kind: 'same', query, parameters, sql };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return { query, reason: thrown.message };
  }
}

function nearQuestions(
  question: string,
  { queries, words }: VerifiedIndex,
): Extract<FoundVerified, { kind: 'near' }>['queries'] {
  return words
    .rank([...contentWords(question)].join(' '))
    .slice(0, MAX_NEAR)
    .flatMap(({ document, score }) => {
      const query = queries[document];
      return query === undefined ? [] : [{ query, score }];
    });
}
