import { defineSpeaker, type JsonValue, type Solver, type StepContext } from '@askema/core';
import { type DesignDeps, withMeter } from '../design-deps.ts';
import { addWarnings, type DesignState } from '../design-state.ts';
import { namedSchemaOf } from '../mapping/index.ts';
import type { DesignFinding, SchemaRole, TestPlan, TestVerdictError } from '../model/index.ts';
import { addSpent } from '../spending.ts';
import { type TestPlanInput, testPlanTask } from '../tasks/index.ts';
import { planFindings } from '../test-plan/plan-findings.ts';
import { testPlanText } from '../texts/index.ts';
import { lineOf } from './logical-designer.ts';
import { hasCurrentPlan, openFeedback, profileOf, roleTurnOf } from './role-turn-of.ts';

interface QaInput extends TestPlanInput {
  /** The plan that stays as it is: it was made from the same report, and nobody complained of it. */
  readonly kept: TestPlan | undefined;
  /** False where neither the report nor the design connects anything. */
  readonly hasReferences: boolean;
}

interface QaOutput {
  readonly plan: TestPlan;
  readonly findings: readonly DesignFinding[];
}

/** Writes the tests from the report. They stay when only the design changes: then no model is asked. */
export const qaEngineer = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: profileOf('qa-engineer', absent),
    prep: (state, visible): QaInput => {
      const { testPlan, testReport, design } = state.artefacts;
      const isBlamed = openFeedback(visible, 'qa-engineer').length > 0;
      const blame = (testReport?.errors ?? []).filter(({ role }) => role === 'qa-engineer');
      return {
        ...roleTurnOf(state, visible, 'qa-engineer'),
        explicitConstraints: state.settings.explicitConstraints,
        relations: design === undefined ? undefined : namesOf(namedSchemaOf(design.schema)),
        previous: isBlamed && testPlan !== undefined ? { plan: testPlan, findings: blame.map(findingOf) } : undefined,
        kept: !isBlamed && hasCurrentPlan(state) ? testPlan : undefined,
        hasReferences:
          (design?.schema.foreignKeys.length ?? 0) > 0 || (state.artefacts.report?.relationships.length ?? 1) > 0,
      };
    },
    exec: (input, context) =>
      withMeter(context, context.deps.solvers.roles['qa-engineer'], (solver) => writePlan(input, solver, context)),
    post: (state, _input, { value, spent }) => {
      addSpent(state.spent, spent);
      addWarnings(
        state,
        value.findings.map((finding) => `The tests are not complete. ${lineOf(finding)}`),
      );
      state.artefacts = { ...state.artefacts, testPlan: value.plan };
      state.plannedFor = JSON.stringify(state.artefacts.report ?? null);
      return { text: testPlanText(value.plan), data: value.plan as unknown as JsonValue };
    },
  });

async function writePlan(
  { kept, hasReferences, ...input }: QaInput,
  solver: Solver,
  context: StepContext<DesignDeps>,
): Promise<QaOutput> {
  if (kept !== undefined) return { plan: kept, findings: [] };
  const first = (await solver.solve(testPlanTask, input, context)).value.plan;
  const findings = planFindings(first, { hasReferences });
  if (findings.length === 0) return { plan: first, findings };
  const again = { ...input, previous: { plan: first, findings } };
  const second = (await solver.solve(testPlanTask, again, context)).value.plan;
  const left = planFindings(second, { hasReferences });
  return left.length <= findings.length ? { plan: second, findings: left } : { plan: first, findings };
}

function namesOf({ relations }: ReturnType<typeof namedSchemaOf>): TestPlanInput['relations'] {
  return relations.map(({ name, attributes }) => ({
    name,
    attributes: attributes.map((one) => ({ name: one.name, type: one.type })),
  }));
}

function findingOf({ problem, remedy, role }: TestVerdictError): DesignFinding {
  return { code: 'test-verdict', severity: 'error', subject: '', message: problem, remedy, role };
}
