import { fromModel, isLanguageModel, type LanguageModel, type Solver } from '@askema/core';
import type { SolverOfRun } from '../solver-source.ts';
import type { Text2SqlOptions } from '../text2sql-options.ts';
import type { InspectSettings, InspectStage } from './inspect-options.ts';

/** Who answers each stage in one run: the stage's own model, else that of `createText2Sql`, under the same budget. */
export function inspectSolvers(
  { inspect, runtime }: Pick<Text2SqlOptions, 'inspect' | 'runtime'>,
  ofRun: SolverOfRun,
): Pick<InspectSettings, 'solverOf' | 'modelOf'> {
  const made = new Map<LanguageModel, { readonly model: LanguageModel; readonly solver: Solver }>();
  const own = (stage: InspectStage): { readonly model: LanguageModel | undefined; readonly solver: Solver } => {
    const chosen = inspect?.models?.[stage];
    if (chosen === undefined) return ofRun;
    if (!isLanguageModel(chosen)) return { model: undefined, solver: chosen };
    const before = made.get(chosen);
    if (before !== undefined) return before;
    const model = ofRun.limit(chosen);
    const one = { model, solver: fromModel(model, { runtime }) };
    made.set(chosen, one);
    return one;
  };
  return { solverOf: (stage) => own(stage).solver, modelOf: (stage) => own(stage).model };
}
