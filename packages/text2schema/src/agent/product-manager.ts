import { defineSpeaker, type JsonValue, type StepContext } from '@askema/core';
import { type DesignDeps, showPhase, withMeter } from '../design-deps.ts';
import { addWarnings, type DesignState } from '../design-state.ts';
import { languageOf } from '../intake/language-of.ts';
import type { DesignArtefacts, RequirementReport, SchemaRole } from '../model/index.ts';
import { addSpent } from '../spending.ts';
import { reportText } from '../texts/index.ts';
import { askAbout, keepAnswers, questionKey } from './clarify.ts';
import { absentRoles, openFeedback, profileOf } from './role-turn-of.ts';
import { type ReportWork, readParts, reviseReport, type WrittenReport } from './write-report.ts';

interface ProductManagerInput extends ReportWork {
  readonly asked: readonly string[];
  readonly stopOnContradiction: boolean;
  readonly artefacts: DesignArtefacts;
}

interface ProductManagerOutput extends WrittenReport {
  readonly asked: readonly string[];
}

/** Reads the requirement, clarifies it and reports on it; on doubts of other roles, reports anew. */
export const productManager = (absent: readonly SchemaRole[]) =>
  defineSpeaker<DesignState, DesignDeps>()({
    profile: profileOf('product-manager', absent),
    prep: (state, visible): ProductManagerInput => ({
      requirement: state.requirement,
      parts: state.parts,
      language: state.language,
      absentRoles: absentRoles(state.settings),
      before: state.artefacts.report,
      messages: openFeedback(visible, 'product-manager'),
      asked: state.asked,
      stopOnContradiction: state.settings.stopOnContradiction,
      artefacts: state.artefacts,
    }),
    exec: (input, context) =>
      withMeter(context, context.deps.solvers.roles['product-manager'], (solver) => report(input, solver, context)),
    post: (state, { before }, { value, spent }) => {
      addSpent(state.spent, spent);
      addWarnings(state, value.warnings);
      state.asked = [...state.asked, ...value.asked];
      if (value.report === undefined) {
        state.refusal = value.refusal ?? 'The text is not about data to be stored.';
        return { text: state.refusal, end: true };
      }
      acceptReport(state, value.report);
      state.tested.reportErrors = [];
      // Without a conceptual model there is nothing that the logical designer of the paper could work on.
      const isEarly = state.settings.preset === 'paper' && state.artefacts.conceptual === undefined;
      const next = isEarly ? 'conceptual-designer' : nextIn(state, value.next);
      const kind = before === undefined ? 'forward' : undefined;
      return { text: reportText(value.report), data: value.report as unknown as JsonValue, to: 'all', next, kind };
    },
  });

/** In the preset `tested`, a report that was mended by the designer's word needs no further draft. */
function nextIn({ settings, artefacts, tested }: DesignState, named: string | null): string | null {
  if (settings.preset !== 'tested' || artefacts.design === undefined) return named;
  const isAsked = tested.disputed.length > 0 || artefacts.requirementTests === undefined;
  return settings.tests && isAsked ? 'qa-engineer' : 'test-executor';
}

/** Writes a report to the state, and the language that it tells. */
function acceptReport(state: DesignState, report: RequirementReport): void {
  state.artefacts = { ...state.artefacts, report };
  const said = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/i.test(report.language.trim()) ? report.language.trim() : 'und';
  if (state.language === 'und') state.language = said;
  const written = languageOf(reportText(report));
  if (written !== 'und' && !sameLanguage(written, state.language) && state.language !== 'und')
    addWarnings(state, [`The report is in another language (${written}) than the requirement (${state.language}).`]);
}

async function report(
  input: ProductManagerInput,
  solver: Parameters<typeof readParts>[1],
  context: StepContext<DesignDeps>,
): Promise<ProductManagerOutput> {
  const { before } = input;
  const first =
    before === undefined
      ? await readParts(input, solver, context)
      : await reviseReport(input, before, [], solver, context);
  if (first.report === undefined) return { ...first, asked: [] };

  const known = (before?.clarifications ?? []).filter(({ answer }) => answer !== undefined);
  const own = { ...first.report, clarifications: keepAnswers(first.report.clarifications, known) };
  const open = own.clarifications.filter(
    (each) => each.answer === undefined && !input.asked.includes(questionKey(each)),
  );
  const answered = await askAbout(open, own, input.stopOnContradiction, context);
  const last =
    answered.length === 0 ? { ...first, report: own } : await reviseReport(input, own, answered, solver, context);
  const revised = last.report ?? own;
  const complete = { ...revised, clarifications: keepAnswers(revised.clarifications, [...known, ...answered]) };
  const shown = await showPhase(context, 'report', { ...input.artefacts, report: complete });
  return {
    ...last,
    report: shown.report ?? complete,
    warnings: [...new Set([...first.warnings, ...last.warnings])],
    asked: open.map(questionKey),
  };
}

function sameLanguage(one: string, other: string): boolean {
  return one.split('-')[0]?.toLowerCase() === other.split('-')[0]?.toLowerCase();
}
