import type { Outcome } from '@askema/core';
import { encodeOutcome, type OutcomeJson } from '@askema/text2sql';
import { type CutResult, cutResult } from '../reply/cut-result.ts';
import { cutText, jsonLength } from '../reply/cut-text.ts';
import { errorJson } from '../reply/error-json.ts';
import type { ReplyLimits } from '../reply/reply-limits.ts';

/** Items of a list that a reply holds. */
const MAX_ITEMS = 10;

/** An outcome as a reply holds it. */
export interface CutOutcome {
  /** In the published form of an outcome, without what only a trace needs (`candidates`, `inspection`, `signals`). */
  readonly json: OutcomeJson;
  readonly result?: CutResult;
}

/**
 * An outcome within the limits of a reply. Each text gets a share of the room by what it is, and the result what is
 * left.
 */
export function cutOutcome(outcome: Outcome, limits: ReplyLimits): CutOutcome {
  const share = limits.maxCharacters / 12;
  const { type, question, runId, sql, explanation, usage, calls, executions, elapsedMs, solvedBy, warnings } = outcome;
  const fields = {
    ...{ type, question: cutText(question, share / 2), runId },
    sql: sql === undefined ? undefined : cutText(sql, 2.5 * share),
    explanation: explanation === undefined ? undefined : cutText(explanation, share),
    ...{ candidates: [], usage, calls, executions, elapsedMs, solvedBy },
    warnings: warnings.slice(0, 4).map((warning) => cutText(warning, share / 5)),
    ...ownFields(outcome, share),
  };
  const given = 'result' in outcome ? outcome.result : undefined;
  if (given === undefined) return { json: encodeOutcome(fields as unknown as Outcome) };
  const room = Math.max(limits.maxCharacters / 3, limits.maxCharacters - jsonLength(fields) - share / 2);
  const result = cutResult(given, { ...limits, maxCharacters: room });
  const { elapsedMs: resultMs, bytesProcessed, queryId } = given;
  const json = encodeOutcome(fields as unknown as Outcome);
  // The cells of a cut result are encoded already.
  const figures = { bytesProcessed, queryId, elapsedMs: resultMs };
  return { json: { ...json, result: withoutUndefined({ ...result.json, ...figures }) }, result } as CutOutcome;
}

/** What each type has beside the fields of all, without the result. */
function ownFields(outcome: Outcome, share: number): object {
  switch (outcome.type) {
    case 'answered': {
      const { confidence, sure } = outcome;
      const assumptions = outcome.assumptions.slice(0, 5).map(({ text, concerns }) => ({
        text: cutText(text, share / 4),
        concerns: concerns === undefined ? undefined : cutText(concerns, share / 10),
      }));
      const basedOn = outcome.basedOn.slice(0, MAX_ITEMS).map((basis) => ({
        kind: basis.kind,
        name: cutText(basis.name, share / 10),
        ...('definition' in basis ? { definition: cutText(basis.definition, share / 6), state: basis.state } : {}),
      }));
      return { assumptions, basedOn, confidence, sure };
    }
    case 'needsClarification': {
      const offered = outcome.choices.slice(0, MAX_ITEMS);
      const room = Math.min(share, (4 * share) / Math.max(offered.length, 1));
      const choices = offered.map(({ id, meaning, gives, resolution }) => ({
        id,
        meaning: cutText(meaning, room / 3),
        gives: gives === undefined ? undefined : cutText(gives, room / 6),
        resolution:
          resolution.kind === 'sql'
            ? { kind: 'sql', sql: cutText(resolution.sql, room / 2) }
            : { kind: 'evidence', text: cutText(resolution.text, room / 2) },
      }));
      return { ask: cutText(outcome.ask, share), choices };
    }
    case 'unanswerable': {
      const { reason, notUnderstood } = outcome;
      const words = notUnderstood.slice(0, MAX_ITEMS).map((word) => cutText(word, share / 10));
      return { reason: cutText(reason, share), notUnderstood: words };
    }
    case 'refused':
      return {
        reason: cutText(outcome.reason, share),
        error: outcome.error === undefined ? undefined : errorJson(outcome.error, share),
      };
    default:
      return { error: errorJson(outcome.error, share) };
  }
}

function withoutUndefined(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
