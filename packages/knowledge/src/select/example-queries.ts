import type { ValueMatch } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { expandNames } from '../bind/expand-names.ts';
import { expandMetrics } from '../compile/expand-metrics.ts';
import { entryId, type Knowledge, type QueryParameter, type VerifiedQuery } from '../model/knowledge.ts';
import { findVerified } from '../verified/find-verified.ts';
import { allValues, type ParameterValues } from '../verified/match-question.ts';
import { checkedValue, type ParameterValue } from '../verified/read-value.ts';
import { writeParameters } from '../verified/write-parameters.ts';
import { proseWords, questionWords } from './prose-words.ts';
import { isTelling, quoted } from './select-texts.ts';
import type { Candidate } from './selection.ts';
import { indented, plain } from './text-pieces.ts';

interface ExampleOptions {
  readonly values: readonly ValueMatch[];
  readonly bound: BoundKnowledge | undefined;
  readonly metricCalls: boolean;
}

/** Verified queries that the question says in other words, or the one that it is. */
export function exampleQueries(question: string, knowledge: Knowledge, options: ExampleOptions): Candidate[] {
  const found = findVerified(question, knowledge, { values: options.values });
  if (found.kind === 'none') return [];
  const asked = questionWords(question);
  const near = found.kind === 'same' ? [found.query] : found.queries.map(({ query }) => query);
  return near.flatMap((query, at) => {
    const words = new Set(proseWords(query.question).split(' '));
    const shared = quoted(
      [...asked].flatMap(([word, written]) => (words.has(word) && isTelling(word) ? [written] : [])),
    );
    const values = found.kind === 'same' ? found.parameters : exampleValues(query);
    const sql = physicalSql(query, values, knowledge, options);
    if (sql === undefined || (found.kind !== 'same' && !shared.includes(', '))) return [];
    const asks = options.bound === undefined ? query.question : filledQuestion(query.question, values);
    return [
      {
        item: {
          id: entryId('query', query.id),
          kind: 'query',
          reason: found.kind === 'same' ? 'asks the same' : `asks about ${shared}`,
        },
        section: 'Verified queries, as examples',
        line: `${plain(asks)}${indented(sql)}`,
        order: [at],
      },
    ];
  });
}

/** What stands for a hole in an example whose values nobody knows: a model would copy the hole itself. */
const STAND_INS: Readonly<Record<Exclude<QueryParameter['type'], 'text'>, ParameterValue>> = {
  number: 10,
  date: '2024-01-31',
  boolean: true,
};

function exampleValues(query: VerifiedQuery): ParameterValues {
  const standIns = query.parameters.map(({ name, type, default: otherwise }) => {
    const own = checkedValue(otherwise, type);
    return [name, own ?? (type === 'text' ? `some ${name.replaceAll('_', ' ')}` : STAND_INS[type])] as const;
  });
  return allValues(query, {}, Object.fromEntries(standIns)) ?? {};
}

function filledQuestion(question: string, values: ParameterValues): string {
  return question.replaceAll(/\{\s*([^{}]*?)\s*\}/gu, (hole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : hole,
  );
}

/**
 * In the dialect and in names of the database: a model that is shown others would write them. Undefined where there is
 * no such statement.
 */
function physicalSql(
  query: VerifiedQuery,
  values: ParameterValues,
  { settings }: Knowledge,
  { bound, metricCalls }: ExampleOptions,
): string | undefined {
  const { sql, names, dialect } = query;
  if (bound === undefined) return names === 'physical' ? sql : undefined;
  const written = dialect ?? settings.dialect ?? bound.dialect.name;
  if (written.toLowerCase() !== bound.dialect.name) return undefined;
  try {
    const filled = writeParameters(query, values, bound.dialect);
    const physical = names === 'logical' ? expandNames(filled, bound) : filled;
    const expanded = expandMetrics(physical, bound);
    return metricCalls ? physical : expanded;
  } catch {
    return undefined;
  }
}
