import { AskemaError, isLanguageModel, type LanguageModel, type Solver } from '@askema/core';
import type { Clarified, QuestionState } from '../question/question-state.ts';

/**
 * What `answer` decides of a run that ended with `needsClarification`: the choice of this id, or words of one's own.
 *
 * @throws AskemaError `INPUT_INVALID` for what is neither, and for words where only choices can be gone on with.
 */
export function clarifiedBy(
  answer: unknown,
  { verdict }: Pick<QuestionState, 'verdict'>,
  model: LanguageModel | Solver,
): Clarified {
  if (verdict?.type !== 'needsClarification') throw new AskemaError('INTERNAL', 'The run asks nothing back.');
  const { ask, choices = [] } = verdict;
  const said = typeof answer === 'number' ? String(answer) : answer;
  if (typeof said !== 'string' || said.trim() === '')
    throw new AskemaError('INPUT_INVALID', `An answer is the id of a choice or a text; ${idsText(choices)}`);
  const chosen = choices.find(({ id }) => id === said.trim());
  if (chosen !== undefined) {
    const { meaning, resolution } = chosen;
    if (resolution.kind === 'sql') return { ask, answer: meaning, sql: resolution.sql };
    return { ask, answer: resolution.text };
  }
  // Without a model nobody reads words, but the choices are statements that can run.
  if (!isLanguageModel(model) && choices.length > 0)
    throw new AskemaError(
      'INPUT_INVALID',
      `\`${said.trim().slice(0, 100)}\` is none of the choices, and ${model.name} reads no other answer; ${idsText(choices)}`,
    );
  // Words may go by what was offered: "the second, but only this year".
  return { ask: [ask, ...choices.map(({ id, meaning }) => `${id}: ${meaning}`)].join('\n'), answer: said.trim() };
}

/** The run that goes on from an answer: `r` becomes `r~2`, and that `r~3`. */
export function nextRunId(runId: string, { clarified }: Pick<QuestionState, 'clarified'>): string {
  const first = clarified.length === 0 ? runId : runId.replace(/~\d+$/, '');
  return `${first}~${clarified.length + 2}`;
}

function idsText(choices: readonly { readonly id: string }[]): string {
  if (choices.length === 0) return 'this run offers no choices, so answer in words.';
  return `the choices are ${choices.map(({ id }) => id).join(', ')}.`;
}
