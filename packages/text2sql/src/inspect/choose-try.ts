import { AskemaError } from '@askema/core';
import type { Text2SqlState } from '../text2sql-state.ts';
import { bestTry } from './open-findings.ts';
import { changeText, isSameWords, valueChanges } from './value-changes.ts';

/**
 * Lets a try stand: the given one, else the best. What became of the values of the first sequence is told, read off the actions. `failed`: no sequence made a
 * statement, or the database refused each of them.
 */
export function settle(state: Text2SqlState, agreed?: number): 'default' | 'failed' {
  const { inspect } = state;
  const chosen = agreed ?? bestTry(inspect.tries, inspect.plan);
  const tried = chosen === undefined ? undefined : inspect.tries[chosen];
  if (chosen === undefined || tried === undefined || tried.sql === '' || tried.failed === true) return giveUp(state);
  inspect.chosen = chosen;
  state.generatedSql = tried.sql;
  const changes = valueChanges(inspect.tries, chosen);
  const told = changes.map(changeText);
  state.explanation = [tried.explanation ?? '', ...told].filter((text) => text !== '').join(' ') || null;
  for (const change of changes) if (!isSameWords(change)) warnOnce(state, changeText(change));
  return 'default';
}

function giveUp(state: Text2SqlState): 'failed' {
  const refused = state.candidates.findLast(({ error }) => error !== undefined)?.error;
  const findings = state.inspect.tries.at(-1)?.findings ?? [];
  const why = findings.map(({ message }) => message).slice(0, 3);
  const message = `The model's actions make no statement that could be run: ${why.join(' ') || 'there are none.'}`;
  const error = refused ?? new AskemaError('MODEL_OUTPUT_INVALID', message).toJSON();
  state.finalError = error;
  state.verdict = { type: 'failed', error };
  return 'failed';
}

function warnOnce(state: Text2SqlState, text: string): void {
  if (!state.warnings.includes(text)) state.warnings.push(text);
}
