import type { GenerateSqlInput, SqlAnswer } from '@askema/core';
import { type Reading, readingsOf } from './compose/readings.ts';
import { readQuestion } from './interpret/question.ts';
import { createReader } from './interpret/reader.ts';
import { describeUnsearched, explainDecline, unknownWords } from './interpret/unread.ts';
import { createLattice, type LinkedCatalog } from './link/lattice.ts';
import { describeQuery } from './write/describe.ts';
import { textLiterals } from './write/query.ts';

export interface AnswerLimits {
  readonly maxCost: number;
  readonly margin: number;
}

/** Longer texts are no single question. */
const MAX_CHARACTERS = 1_000;
const MAX_TOKENS = 120;

/** Readings that are shown to whoever has to decide. */
const MAX_READINGS = 5;

/** Reads a question and writes the statement, or says why not. Never throws on any text. */
export function answerQuestion(input: GenerateSqlInput, linked: LinkedCatalog, limits: AnswerLimits): SqlAnswer {
  const { question } = input;
  if (question.trim() === '') return decline('The question is empty.', []);
  if (question.length > MAX_CHARACTERS)
    return decline(
      `The question has ${question.length} characters; this solver reads up to ${MAX_CHARACTERS}. Ask for one thing at a time.`,
      [],
    );
  const lattice = createLattice(input, linked);
  if (lattice.tokens.length > MAX_TOKENS)
    return decline(
      `The question has ${lattice.tokens.length} words; this solver reads up to ${MAX_TOKENS}. Ask for one thing at a time.`,
      [],
    );
  const [unreadHint] = lattice.evidence.unread;
  if (unreadHint !== undefined)
    return decline(`The hint asks for something that this solver cannot do: ${unreadHint.slice(0, 200)}.`, []);
  const unknown = unknownWords(lattice);
  const reader = createReader(lattice, input.today);
  const frames = readQuestion(reader);
  if (frames.length === 0)
    return decline(
      explainDecline(lattice, reader.furthest, unknown, describeUnsearched(lattice.unsearched, linked)),
      unknown,
    );
  const { readings, problem } = readingsOf(frames, lattice, linked, input.dialect);
  const [best] = readings;
  if (best === undefined) return decline(problem, unknown);
  if (best.cost > limits.maxCost)
    return decline(`The only reading that was found is too unsure: ${explain(best, linked)}.`, unknown);
  const likely = readings.filter(({ cost }) => cost === best.cost || cost - best.cost < limits.margin);
  if (likely.length > 1 && limits.margin > 0) return ask(likely.slice(0, MAX_READINGS), linked);
  const literals = textLiterals(best.query);
  const unused = lattice.evidence.demandedValues.filter((value) => !literals.has(value));
  if (unused.length > 0)
    return decline(`The hint names '${unused[0]}', but the only reading that was found does not use it.`, unused);
  const explanation = `Read as: ${explain(best, linked)}.`;
  return {
    output: { outcome: 'sql', sql: best.sql, explanation, not_understood: [] },
    assumptions: best.notes.map((note) => ({ text: sentence(note) })),
  };
}

function explain(reading: Reading, linked: LinkedCatalog): string {
  const notes = reading.notes.map((note) => ` (${note})`).join('');
  return describeQuery(reading.query, linked) + notes;
}

function ask(likely: readonly Reading[], linked: LinkedCatalog): SqlAnswer {
  const meanings = likely.map((reading) => explain(reading, linked));
  const ways = likely.length === 2 ? 'two' : likely.length;
  const explanation = `The question can be read in ${ways} ways: ${meanings.join('; or ')}. Which one is meant?`;
  return {
    output: { outcome: 'needs_clarification', sql: '', explanation, not_understood: [] },
    readings: likely.map(({ sql }, at) => ({ sql, meaning: sentence(meanings[at] ?? '') })),
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function decline(explanation: string, notUnderstood: readonly string[]): SqlAnswer {
  return { output: { outcome: 'unanswerable', sql: '', explanation, not_understood: [...notUnderstood] } };
}
