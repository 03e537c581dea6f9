import { AskemaError, addUsage } from '@askema/core';
import type { ClarificationRequest } from '../agent/clarify.ts';
import { OUTER_CHAT } from '../agent/role-turn-of.ts';
import type { DesignCandidate, DesignState } from '../design-state.ts';
import type { DesignArtefacts, DesignOutcome, DesignOutcomeBase, TestReport } from '../model/index.ts';
import { addSpent, createSpent, type Spent } from '../spending.ts';
import { bestDesign, isClean } from './best-design.ts';

/** How a run ended, as {@link outcomeOf} reads it. */
export interface EndedDesign {
  readonly runId: string;
  readonly state: DesignState;
  /** What it ended with; undefined where it broke off or waits. */
  readonly action: string | undefined;
  /** What broke it off. */
  readonly error: AskemaError | undefined;
  /** What it waits for. */
  readonly request: { readonly value: unknown } | undefined;
  /** Spent by steps that were not finished. */
  readonly unrecorded: readonly Spent[];
  readonly elapsedMs: number;
}

/** The typed outcome of a run. */
export function outcomeOf(run: EndedDesign): DesignOutcome {
  const { state, error, request } = run;
  if (error !== undefined) return brokenOff(run, error);
  if (request !== undefined) {
    const { report, questions } = request.value as ClarificationRequest;
    return { ...baseOf(run, { ...state.artefacts, report }), type: 'needsClarification', questions };
  }
  if (state.refusal !== null) return { ...baseOf(run, state.artefacts), type: 'refused', reason: state.refusal };
  return finished(run);
}

/** The type of the outcome of a run that finished. */
export function outcomeTypeOf(state: DesignState): DesignOutcome['type'] {
  if (state.refusal !== null) return 'refused';
  return bestDesign(state) === undefined ? 'failed' : 'designed';
}

/** The best design there is; accepted only where the last role said so and no error of the tools stands. */
function finished(run: EndedDesign): DesignOutcome {
  const { state, action } = run;
  const best = bestDesign(state);
  if (best === undefined) return brokenOff(run, withoutDesign(state));
  const { conceptual, design, testReport, more } = best;
  const { preset, tests, reviewer } = state.settings;
  const isBaseline = state.strategy !== 'schema-agent';
  const artefacts = isBaseline
    ? { design }
    : { ...state.artefacts, ...(preset === 'paper' ? { conceptual } : more), design, testReport };
  const isTested = !isBaseline && (tests || (preset === 'tested' && reviewer));
  const isLast = isTested ? testReport?.accepted === true : action !== 'exhausted';
  const accepted = isLast && isClean(best);
  const base = baseOf(run, artefacts);
  const warnings = [...base.warnings, ...(accepted ? [] : [whyNotAccepted(run, isLast, best)])];
  return { ...base, warnings, type: 'designed', schema: design.schema, accepted };
}

function whyNotAccepted(
  { state, action }: EndedDesign,
  isLast: boolean,
  { design: { schema }, testReport }: DesignCandidate,
): string {
  if (schema.relations.length === 0) return 'The schema has no relations.';
  if (isLast) return 'The schema has findings of severity error that nobody mended.';
  if (state.settings.preset === 'tested' && state.strategy === 'schema-agent') return testsNotPassed(testReport);
  const rounds = `${state.chat.rounds[OUTER_CHAT] ?? 0} rounds`;
  return action === 'exhausted'
    ? `The ${rounds} were used up before the test executor accepted a design; this is the best one so far.`
    : 'The test executor did not accept the design; this is the best one so far.';
}

function testsNotPassed(report: TestReport | undefined): string {
  if (report?.run === undefined) return 'The rounds were used up before the tests ran; this is the best design so far.';
  const { counts, results } = report.run;
  const open = results.length - counts.passed;
  return `${open} of ${results.length} tests did not pass; this is the best design so far.`;
}

function withoutDesign({ chat }: DesignState): AskemaError {
  return new AskemaError(
    'FLOW_STEP_LIMIT',
    `The ${chat.rounds[OUTER_CHAT] ?? 0} rounds were used up before there was a schema. Raise \`maxRounds\`.`,
  );
}

function brokenOff(run: EndedDesign, error: AskemaError): DesignOutcome {
  const base = baseOf(run, run.state.artefacts);
  const schema = bestDesign(run.state)?.design.schema;
  const json = error.toJSON();
  switch (error.code) {
    case 'ABORTED':
      return { ...base, type: 'cancelled', schema, error: json };
    case 'BUDGET_EXCEEDED':
      return { ...base, type: 'budgetExceeded', schema, error: json };
    case 'MODEL_CONTENT_FILTERED':
      return { ...base, type: 'refused', reason: error.message };
    default:
      return { ...base, type: 'failed', schema, error: json };
  }
}

function baseOf({ runId, state, unrecorded, elapsedMs }: EndedDesign, artefacts: DesignArtefacts): DesignOutcomeBase {
  const spent = createSpent();
  for (const part of [state.spent, ...unrecorded]) addSpent(spent, part);
  const { calls = 0, usage = {} } = state.chat.administration ?? {};
  return {
    requirement: state.requirement,
    runId,
    strategy: state.strategy,
    ...(state.strategy === 'schema-agent' && { preset: state.settings.preset }),
    language: state.language,
    artefacts,
    assumptions: assumptionsOf(artefacts),
    transcript: state.chat.messages,
    rounds: state.chat.rounds[OUTER_CHAT] ?? 0,
    usage: addUsage(spent.usage, usage),
    calls: spent.calls + calls,
    elapsedMs,
    solvedBy: spent.solvedBy,
    warnings: [...new Set([...state.warnings, ...spent.warnings])],
  };
}

/** Of the draft; of a report, those that nobody answered. */
function assumptionsOf({ assumptions = [], report }: DesignArtefacts): readonly string[] {
  const open = (report?.clarifications ?? []).filter(({ answer }) => answer === undefined);
  return [...new Set([...assumptions, ...open.map(({ assumption }) => assumption)])];
}
