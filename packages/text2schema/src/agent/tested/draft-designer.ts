import { defineSpeaker, type JsonValue, type Said } from '@askema/core';
import { type DesignDeps, showPhase, withMeter } from '../../design-deps.ts';
import type { DesignState } from '../../design-state.ts';
import { editedDesign } from '../../mapping/check-design.ts';
import { designOfDraft } from '../../mapping/design-of-draft.ts';
import type { DesignArtefacts, LogicalDesign, SchemaRole } from '../../model/index.ts';
import { addSpent } from '../../spending.ts';
import { type DesignProblems, type DraftInput, type DraftOutput, draftTask } from '../../tasks/index.ts';
import { designText, findingsText } from '../../texts/index.ts';
import { roundsLeft } from '../role-turn-of.ts';
import { addPlaces, groundOf, openGapsOf, openTestsOf, testedProfile } from './tested-turn.ts';

interface DraftWork extends DraftInput {
  readonly artefacts: DesignArtefacts;
}

interface DraftDone {
  readonly output: DraftOutput;
  readonly design: LogicalDesign;
}

/** Drafts the schema, and mends it by what the tests have shown. */
export const draftDesigner = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: testedProfile('logical-designer', absent),
    prep: (state): DraftWork => ({
      ...groundOf(state),
      report: state.artefacts.report,
      problems: problemsOf(state),
      artefacts: state.artefacts,
    }),
    exec: ({ artefacts, ...input }, context) =>
      withMeter(context, context.deps.solvers.roles['logical-designer'], async (solver): Promise<DraftDone> => {
        const { value: output } = await solver.solve(draftTask, input, context);
        const design = designOfDraft(output.schema, output.rules);
        // A repair that gives nothing leaves what was there.
        if (design.schema.relations.length === 0) return { output, design };
        const shown = await showPhase(context, 'logical', { ...artefacts, design, assumptions: output.assumptions });
        const edited = shown.design ?? design;
        const isSame = JSON.stringify(edited) === JSON.stringify(design);
        const { assumptions = output.assumptions } = shown;
        return { output: { ...output, assumptions }, design: isSame ? design : editedDesign(edited) };
      }),
    post: (state, { problems }, { value, spent }): Said => {
      addSpent(state.spent, spent);
      const { output, design } = value;
      const isEmpty = design.schema.relations.length === 0;
      if (isEmpty && problems === undefined && output.refusal.trim() !== '') {
        state.refusal = output.refusal;
        return { text: output.refusal, end: true };
      }
      // A repair without a schema: the design before it stays.
      const isKept = isEmpty && problems !== undefined;
      if (!isKept) acceptDraft(state, output, design);
      const { tested } = state;
      if (problems !== undefined) {
        tested.repairs += 1;
        addPlaces(state, output.places);
      }
      const shownTests = new Set(openTestsOf(state).map(({ test }) => test.number));
      tested.disputed = output.disputes.filter(
        ({ test }) => shownTests.has(test) && !tested.settled.includes(test) && state.settings.tests,
      );
      tested.reportErrors = state.artefacts.report === undefined ? [] : [...output.reportErrors];
      const { thinking, assumptions, disputes } = output;
      const data = { thinking, assumptions, places: output.places, disputes } as unknown as JsonValue;
      const next = nextOf(state);
      const kind = next === 'product-manager' ? 'feedback' : 'forward';
      const text = isKept ? 'The repair gives no schema: the design before it stays.' : draftText(state, design);
      return { text, data, next, kind };
    },
  });

function problemsOf(state: Readonly<DesignState>): DesignProblems | undefined {
  const { design } = state.artefacts;
  if (design === undefined) return undefined;
  return {
    design,
    assumptions: state.artefacts.assumptions ?? [],
    // What has no place stands among the gaps.
    tests: openTestsOf(state).filter(({ result }) => result.status === 'failed'),
    gaps: openGapsOf(state),
    findings: design.findings.filter(({ severity }) => severity === 'error'),
  };
}

function acceptDraft(state: DesignState, output: DraftOutput, design: LogicalDesign): void {
  const conceptual = { entitySets: [], relationshipSets: [] };
  state.artefacts = { ...state.artefacts, design, assumptions: output.assumptions, testReport: undefined };
  state.candidates = [
    ...state.candidates,
    { conceptual, design, testReport: undefined, more: { assumptions: output.assumptions } },
  ];
}

function nextOf(state: Readonly<DesignState>): string | null {
  const { settings, artefacts, tested } = state;
  const hasRuns = settings.tests || settings.reviewer;
  // Whoever is asked, code has to run the tests behind it.
  const mayAsk = hasRuns && roundsLeft(state, false) >= 2;
  if (tested.reportErrors.length > 0 && settings.productManager && mayAsk) return 'product-manager';
  if (tested.disputed.length > 0 && mayAsk) return 'qa-engineer';
  if (settings.tests && artefacts.requirementTests === undefined) return 'qa-engineer';
  return hasRuns ? 'test-executor' : null;
}

function draftText({ artefacts, tested }: Readonly<DesignState>, design: LogicalDesign): string {
  const { assumptions = [] } = artefacts;
  const open = design.findings.filter(({ severity }) => severity === 'error');
  return [
    designText(design),
    ...(assumptions.length === 0 ? [] : ['Assumed:', ...assumptions.map((one) => `- ${one}`)]),
    ...(open.length === 0 ? [] : ['Open findings:', findingsText(open)]),
    ...(tested.reportErrors.length === 0
      ? []
      : ['The report says what the requirement contradicts:', ...tested.reportErrors.map((one) => `- ${one}`)]),
  ].join('\n');
}
