import { fromModel, isLanguageModel, type LanguageModel, type Solver } from '@askema/core';
import type { SolverOfRun } from '../solver-source.ts';
import type { Text2SqlOptions } from '../text2sql-options.ts';
import type { RefineSettings } from './refine-options.ts';

/**
 * Who answers the tasks of each stage and thread in one run: the stage's own model, else that of `createText2Sql`, under the same budget. A
 * thread is a sample of its own, so that caches and recordings keep equal requests of two threads apart. A solver that is no language
 * model is the same in all threads.
 */
export function stageSolvers(
  { model, refine, runtime }: Pick<Text2SqlOptions, 'model' | 'refine' | 'runtime'>,
  { limit }: Pick<SolverOfRun, 'limit'>,
): RefineSettings['solverOf'] {
  const made = new Map<LanguageModel, Map<number, Solver>>();
  return (stage, thread) => {
    const chosen = refine?.models?.[stage] ?? model;
    if (!isLanguageModel(chosen)) return chosen;
    const ofModel = made.get(chosen) ?? new Map<number, Solver>();
    made.set(chosen, ofModel);
    const solver = ofModel.get(thread) ?? fromModel(limit(chosen), { runtime, sample: thread });
    ofModel.set(thread, solver);
    return solver;
  };
}
