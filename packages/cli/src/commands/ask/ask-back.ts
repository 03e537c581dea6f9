import { isAskemaError, type Outcome } from '@askema/core';
import type { NeedsClarification, Text2Sql } from '@askema/text2sql/ask';
import type { CommandContext } from '../../process/command-context.ts';
import type { Output } from '../../process/output.ts';
import { type Confirmer, canConfirm } from '../../terminal/confirm.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import type { ProgressLine } from '../../terminal/progress-line.ts';

/** What has to be decided, with the choices by their ids. */
export function clarificationText({ ask, choices }: NeedsClarification, err: Output): string {
  if (choices.length === 0) return `${err.yellow('Please decide:')} ${printableLines(ask)}\n`;
  const lines = choices.map(({ id, meaning, gives }) => {
    const shown = gives === undefined ? '' : err.dim(`  → ${printable(gives)}`);
    return `  ${err.bold(printable(id))}  ${printable(meaning)}${shown}\n`;
  });
  return `${err.yellow('Please decide:')} which one is meant?\n${lines.join('')}`;
}

/** Questions back for one question: a model that asks on and on gets no answer. */
const MAX_ROUNDS = 5;

/**
 * Asks on the terminal what an outcome leaves open, and goes on with the answer. Where nobody can be asked, or nothing
 * is typed, the outcome stays as it is.
 */
export async function askBack(
  outcome: Outcome,
  text2sql: Text2Sql,
  { confirmer, line, context }: { confirmer: Confirmer; line: ProgressLine; context: CommandContext },
): Promise<Outcome> {
  const { err, host, signal } = context;
  let current = outcome;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    if (current.type !== 'needsClarification' || !canConfirm(host)) return current;
    line.pause();
    await err.write(clarificationText(current, err));
    const help = current.choices.length === 0 ? 'Your answer:' : 'The number, or your own words:';
    const answer = await confirmer.answer(help, signal);
    if (answer === '') return current;
    try {
      current = await text2sql.resume(current.runId, { answer, signal });
    } catch (error) {
      if (!isAskemaError(error) || error.code !== 'INPUT_INVALID') throw error;
      await err.write(`${err.red('error:')} ${printableLines(error.message)}\n`);
    }
  }
  return current;
}
