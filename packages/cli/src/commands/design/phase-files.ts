import type { DesignArtefacts, DesignPhase, PresetName } from '@askema/text2schema';

/** A file that holds what a phase made. */
export interface PhaseFile {
  readonly part: keyof DesignArtefacts;
  readonly phase: DesignPhase;
  /** Within the folder of the design. */
  readonly name: string;
  /** Undefined: of both. */
  readonly preset?: PresetName | undefined;
}

/** In the order of the phases. */
export const PHASE_FILES: readonly PhaseFile[] = [
  { part: 'report', phase: 'report', name: 'phases/1-report.json' },
  { part: 'conceptual', phase: 'conceptual', name: 'phases/2-conceptual-model.json', preset: 'paper' },
  { part: 'design', phase: 'logical', name: 'phases/3-logical-design.json' },
  { part: 'assumptions', phase: 'logical', name: 'phases/3-assumptions.json', preset: 'tested' },
  {
    part: 'requirementTests',
    phase: 'requirement-tests',
    name: 'phases/4-requirement-tests.json',
    preset: 'tested',
  },
  { part: 'testPlaces', phase: 'requirement-tests', name: 'phases/4-test-places.json', preset: 'tested' },
  { part: 'testPlan', phase: 'tests', name: 'phases/4-test-plan.json', preset: 'paper' },
  { part: 'testReport', phase: 'tests', name: 'phases/5-test-report.json' },
  { part: 'mutationCheck', phase: 'tests', name: 'phases/5-mutation-check.json', preset: 'tested' },
];

const PHASES: readonly DesignPhase[] = [...new Set(PHASE_FILES.map(({ phase }) => phase))];

/** The phases of a preset, in their order. */
export function phasesOf(preset: PresetName): readonly DesignPhase[] {
  return PHASES.filter((phase) => filesOf(preset).some((file) => file.phase === phase));
}

/** The files of a preset, in the order of its phases. */
export function filesOf(preset: PresetName): readonly PhaseFile[] {
  return PHASE_FILES.filter((file) => file.preset === undefined || file.preset === preset);
}

/** Whether a phase stands before another one. */
export function isBefore(phase: DesignPhase, other: DesignPhase): boolean {
  return PHASES.indexOf(phase) < PHASES.indexOf(other);
}

/**
 * Whether a design may lack a part before a phase: the product manager speaks in `tested` only where somebody can be
 * asked or the text is long, a person who edits a design may drop its assumptions, and places are said only of what code
 * did not find.
 */
export function mayLack(part: keyof DesignArtefacts, preset: PresetName, without: readonly string[]): boolean {
  if (part === 'report') return preset === 'tested' || without.includes('product-manager');
  if (part === 'assumptions' || part === 'testPlaces') return true;
  return part === 'requirementTests' && without.includes('tests');
}
