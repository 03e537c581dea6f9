import { AskemaError, type JsonValue, type Outcome, type SerializedError } from '@askema/core';
import { encodeOutcome, type Turn } from '@askema/text2sql';
import { publicError } from './public-error.ts';

/** JSON that is not yet text. */
export type Json = Readonly<Record<string, unknown>>;

/** An outcome as a caller sees it: in its published form, with errors that name nothing of the server. */
export function publicOutcome(outcome: Outcome): Json {
  const { error, candidates, ...json } = encodeOutcome(outcome);
  return {
    ...json,
    candidates: publicCandidates(candidates),
    ...(error === undefined ? {} : { error: toldError(error as unknown as SerializedError) }),
  };
}

/** A turn of a conversation as a caller sees it. */
export function publicTurn({ outcome, outcomes, answer, ...turn }: Turn): Json {
  const isExplained = answer.type === 'explained';
  const parts = isExplained ? answer.parts.map((part) => ({ ...part, answer: publicAnswer(part.answer) })) : undefined;
  return {
    ...turn,
    answer: isExplained ? { ...answer, parts } : publicAnswer(answer),
    ...(outcome === undefined ? {} : { outcome: publicOutcome(outcome) }),
    ...(outcomes === undefined
      ? {}
      : { outcomes: outcomes.map((each) => (each === undefined ? null : publicOutcome(each))) }),
  };
}

function publicAnswer<Answer extends { readonly type: string }>(answer: Answer): Answer {
  const { error } = answer as { readonly error?: SerializedError | undefined };
  if (error === undefined) return answer;
  const shown = toldError(error);
  return { ...answer, error: shown, ...('reason' in answer ? { reason: shown.message } : {}) };
}

function publicCandidates(candidates: JsonValue | undefined): unknown {
  if (!Array.isArray(candidates)) return candidates;
  return candidates.map((candidate: Json) =>
    candidate.error === undefined ? candidate : { ...candidate, error: toldError(candidate.error as SerializedError) },
  );
}

/** As it is written in outcomes, without what only whoever runs the server may know. */
export function toldError(error: SerializedError): SerializedError {
  const { requestId: _, details, ...shown } = publicError(AskemaError.fromJSON(error), '');
  return { askemaError: 1, ...shown, retryable: error.retryable, details: details ?? {} };
}
