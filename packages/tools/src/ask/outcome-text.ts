import type { Outcome } from '@askema/core';
import { resultView } from '@askema/text2sql';
import { cutText } from '../reply/cut-text.ts';
import { withData } from '../reply/data-block.ts';
import type { ReplyLimits } from '../reply/reply-limits.ts';
import type { CutOutcome } from './cut-outcome.ts';

/** An outcome in words: what it is and what to do next in front, everything that others wrote in the block. */
export function outcomeText(
  outcome: Outcome,
  cut: CutOutcome,
  { limits, resume }: { readonly limits: ReplyLimits; readonly resume: string | undefined },
): string {
  const share = limits.maxCharacters / 12;
  const { sql, explanation } = cut.json;
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  const told = [
    // Often the reason itself.
    ...(typeof explanation === 'string' && outcome.explanation !== reason ? [`Explanation: ${explanation}`] : []),
    ...(typeof sql === 'string' ? [`SQL: ${sql}`] : []),
  ];
  const head = `${outcome.type}.`;
  switch (outcome.type) {
    case 'answered': {
      // What was assumed, and what else could be meant.
      const assumed = outcome.assumptions.slice(0, 5).map(({ text }) => `On the reading: ${cutText(text, share / 4)}`);
      const note = cut.result?.truncated === undefined ? '' : ` ${cut.result.truncated}`;
      return withData(`${head}${note}`, 'answer', [...told, ...assumed, ...rowsOf(cut, limits)]);
    }
    case 'needsClarification': {
      const choices = outcome.choices.slice(0, 10).map(({ id, meaning }) => `${id}: ${cutText(meaning, share / 3)}`);
      const choice = choices.length > 0 ? 'an id below, or their words' : 'their words';
      const next = `Ask the user, then call ask with answers: ${JSON.stringify({ resume, choice })}.`;
      return withData(`${head} ${next}`, 'question', [cutText(outcome.ask, share), ...choices]);
    }
    case 'unanswerable':
    case 'refused':
      return withData(head, 'reason', [cutText(outcome.reason, share), ...told]);
    default:
      return withData(`${head} ${outcome.error.code}.`, 'error', [
        cutText(outcome.error.message, share),
        ...told,
        ...rowsOf(cut, limits),
      ]);
  }
}

function rowsOf({ result }: CutOutcome, { maxRows, maxCharacters }: ReplyLimits): readonly string[] {
  return result === undefined ? [] : [resultView(result.shown, { maxRows, maxCharacters: maxCharacters * 0.6 })];
}
