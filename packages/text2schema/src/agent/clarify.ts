import type { StepContext } from '@askema/core';
import type { DesignDeps } from '../design-deps.ts';
import type { Clarification, RequirementReport } from '../model/index.ts';

/** What a suspended design waits for. Plain JSON. */
export interface ClarificationRequest {
  readonly questions: readonly Clarification[];
  /** The report as it is without answers. */
  readonly report: RequirementReport;
}

/**
 * Puts open clarifications to whoever answers: `onQuestion`; without it, with `stopOnContradiction` and where there is
 * a contradiction, whoever resumes the run. Gives those that were answered; of the others the assumptions hold.
 */
export async function askAbout(
  open: readonly Clarification[],
  report: RequirementReport,
  stopOnContradiction: boolean,
  context: StepContext<DesignDeps>,
): Promise<readonly Clarification[]> {
  if (open.length === 0) return [];
  const { onQuestion } = context.deps;
  if (onQuestion !== undefined) {
    const answers = await context.memo('questions', async () =>
      plainAnswers(await onQuestion(open, { signal: context.signal })),
    );
    return withAnswers(open, answers);
  }
  if (!stopOnContradiction || !open.some(({ kind }) => kind === 'contradiction')) return [];
  const request: ClarificationRequest = { questions: open, report };
  return withAnswers(open, plainAnswers(await context.suspend<unknown>(request)));
}

/** Clarifications in their order, those with an answer marked; those that the list lacks stand behind. */
export function keepAnswers(
  clarifications: readonly Clarification[],
  answered: readonly Clarification[],
): readonly Clarification[] {
  const byQuestion = new Map(answered.map((each) => [questionKey(each), each]));
  const kept = clarifications.map((each) => {
    const before = byQuestion.get(questionKey(each));
    byQuestion.delete(questionKey(each));
    return before === undefined ? each : { ...each, answer: before.answer };
  });
  return [...kept, ...byQuestion.values()];
}

/** By which a clarification is known again. */
export function questionKey({ question }: Clarification): string {
  return question
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Answers come from people's code, or from another process: nothing is taken for granted. */
function plainAnswers(given: unknown): readonly (string | null)[] {
  if (!Array.isArray(given)) return [];
  return given.map((answer) => (typeof answer === 'string' && answer.trim() !== '' ? answer.trim() : null));
}

function withAnswers(
  questions: readonly Clarification[],
  answers: readonly (string | null)[],
): readonly Clarification[] {
  return questions.flatMap((question, at) => {
    const answer = answers[at] ?? null;
    return answer === null ? [] : [{ ...question, answer }];
  });
}
