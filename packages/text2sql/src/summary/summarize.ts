import { AskemaError, type CallContext, oneLine, type Solver, shortened, toAskemaError } from '@askema/core';
import { costOfError, sumCosts } from '../question/call-cost.ts';
import { partTables } from './part-table.ts';
import type { Summarized, SummarizeInput } from './summary.ts';
import { answerSummaryTask } from './tasks/answer-summary.ts';
import { writeSummary } from './write-summary.ts';

/**
 * Tells results in a few sentences. The model reads the first rows (40 a part, about 1,500 tokens in all) and writes marks
 * where values stand: a cell, a number of rows, or the difference, the ratio or the change of two cells. Code puts them
 * in: cells as they are and cut at 100 characters, differences exact, ratios and percentages with one decimal. Binary
 * fractions, and differences of them, have two decimals, or three digits below 1.
 *
 * Refused are marks that point at nothing, at NULL, or at no number where one is needed; numbers outside of marks, in
 * digits or in English words, that no question has; quotations that no cell and no question has; links and markup; and a
 * word for the direction of a difference or a change that its sign does not fit. A text that is refused is asked for
 * once more, with the reasons. Number words and directions of other languages are not known. Whether the right cell was
 * cited, nobody checks: `citations` says which one it is.
 *
 * Rejects as `Solver.solve`: `TASK_UNSUPPORTED` where the solver does not know `answer.summary`.
 *
 * @throws AskemaError `INPUT_INVALID` without parts.
 */
export async function summarize(
  { question, parts }: SummarizeInput,
  solver: Solver,
  context: CallContext,
): Promise<Summarized> {
  if (parts.length === 0) throw new AskemaError('INPUT_INVALID', '`parts` is empty: there is no result to tell.');
  const tables = partTables(parts);
  const cited = parts.map(({ result }, position) => ({ result, shown: tables[position]?.shown ?? 0 }));
  const questions = [question, ...parts.map((part) => part.question)];
  const first = await solver.solve(answerSummaryTask, { question, parts: tables }, context);
  const written = writeSummary(first.value.text, cited, questions);
  const { usage, calls } = first;
  if (written.summary !== undefined) return { summary: written.summary, usage, calls };
  const refused = { text: shortened(first.value.text, 2_000), reasons: written.refused };
  try {
    const second = await solver.solve(answerSummaryTask, { question, parts: tables, refused }, context);
    const spent = sumCosts(first, second);
    const again = writeSummary(second.value.text, cited, questions);
    if (again.summary !== undefined) return { summary: again.summary, ...spent };
    return { refused: sentence(again.refused), ...spent };
  } catch (thrown) {
    // What the first call has cost must not be lost.
    const error = toAskemaError(thrown);
    return { refused: `${sentence(written.refused)} ${error.message}`, ...sumCosts(first, costOfError(error)) };
  }
}

function sentence(reasons: readonly string[]): string {
  return `The summary was refused: ${oneLine(reasons.join('; '), 1_000)}.`;
}
