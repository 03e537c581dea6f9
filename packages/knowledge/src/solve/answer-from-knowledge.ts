import type { GenerateSqlInput, KnowledgeBasis, SqlAnswer } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { metricBases, queryBasis } from '../bind/knowledge-bases.ts';
import { type ReadQuestion, readMetricQuestion } from '../reader/read-metric-question.ts';
import { type FoundVerified, findVerified } from '../verified/find-verified.ts';

export interface Answer extends SqlAnswer {
  /** Of a statement: the definitions that it stands on. */
  readonly basedOn?: readonly KnowledgeBasis[] | undefined;
}

type Asked = Pick<GenerateSqlInput, 'question' | 'values' | 'today' | 'evidence'>;

/** A verified query that is the same, else what the reader makes of the question, else why not. */
export function answerFromKnowledge(input: Asked, bound: BoundKnowledge): Answer {
  const { question, values, today, evidence = '' } = input;
  if (evidence.trim() !== '') return declined('The hint beside the question is not read here.', []);
  const found = findVerified(question, bound.knowledge, { values, bound });
  if (found.kind === 'same') return verifiedAnswer(found);
  const read = readMetricQuestion(question, bound, { today, values });
  const unused = (found.unused ?? []).map(
    ({ query, reason }) => `The verified query "${query.id}" asks the same and was not used: ${reason}`,
  );
  if (read.kind === 'request') {
    const answer = metricAnswer(read, bound);
    return { ...answer, assumptions: [...(answer.assumptions ?? []), ...unused.map((text) => ({ text }))] };
  }
  if (read.readings.length > 0) return askBack(read);
  const [near] = found.kind === 'near' && unused.length === 0 ? found.queries : [];
  const more = near === undefined ? unused : [`The nearest verified question is "${near.query.question}".`];
  return declined([read.reason, ...more].join(' '), read.words);
}

function verifiedAnswer({ query, parameters, sql }: Extract<FoundVerified, { kind: 'same' }>): Answer {
  const by = query.verifiedBy === undefined ? '' : `, verified by ${query.verifiedBy}`;
  const values = Object.entries(parameters).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const filled = values.length === 0 ? '' : `, with ${values.join(', ')}`;
  const explanation = `This is the verified query "${query.id}"${by}${filled}.`;
  return { output: { outcome: 'sql', sql, explanation, not_understood: [] }, basedOn: [queryBasis(query, parameters)] };
}

function metricAnswer(
  { compiled, reading, assumptions }: Extract<ReadQuestion, { kind: 'request' }>,
  bound: BoundKnowledge,
): Answer {
  const basedOn = metricBases(compiled.metrics, bound);
  const definitions = basedOn.map(({ name, definition }) => `${name} = ${definition}`);
  const notes = compiled.notes.map((note) => ` ${note}`).join('');
  return {
    output: {
      outcome: 'sql',
      sql: compiled.sql,
      explanation: `Read as: ${reading}. By definition, ${definitions.join('; ')}.${notes}`,
      not_understood: [],
    },
    assumptions: assumptions.map((text) => ({ text })),
    basedOn,
  };
}

function askBack({ reason, readings }: Extract<ReadQuestion, { kind: 'declined' }>): Answer {
  return {
    output: {
      outcome: 'needs_clarification',
      sql: '',
      explanation: `${reason} Which one is meant?`,
      not_understood: [],
    },
    readings: readings.map(({ reading, compiled }) => ({ meaning: `${reading}.`, sql: compiled.sql })),
  };
}

function declined(explanation: string, notUnderstood: readonly string[]): Answer {
  return { output: { outcome: 'unanswerable', sql: '', explanation, not_understood: [...notUnderstood] } };
}
