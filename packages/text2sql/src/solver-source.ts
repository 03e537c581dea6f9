import {
  AskemaError,
  createBudget,
  fromModel,
  isBudget,
  isLanguageModel,
  type LanguageModel,
  type Solver,
  withBudget,
} from '@askema/core';
import { GENERATE_ACTIONS_TASK_ID } from './tasks/generate-actions.ts';
import { REFINE_SQL_TASK_ID } from './tasks/refine-sql.ts';
import type { Text2SqlOptions } from './text2sql-options.ts';

/** Who answers the tasks of one run. */
export interface SolverOfRun {
  readonly solver: Solver;
  /** Undefined for a solver that is no language model. */
  readonly model: LanguageModel | undefined;
  /** Puts a further model under the budget of the run. */
  readonly limit: (model: LanguageModel) => LanguageModel;
}

const UNLIMITED = (model: LanguageModel): LanguageModel => model;

/**
 * Makes a solver of what was passed as `model`. A budget given as limits is a new one for each run; a `Budget` is shared by all.
 *
 * @throws AskemaError `CONFIG_INVALID` for a budget or a flow that needs a language model where there is none.
 */
export function solverSource(options: Text2SqlOptions): () => SolverOfRun {
  const { model, budget } = options;
  if (!isLanguageModel(model)) {
    checkSolver(model, options);
    return () => ({ solver: model, model: undefined, limit: UNLIMITED });
  }
  const solve = (limit: SolverOfRun['limit']): SolverOfRun => {
    const limited = limit(model);
    return { solver: fromModel(limited, { runtime: options.runtime }), model: limited, limit };
  };
  if (budget !== undefined && !isBudget(budget)) {
    // Checked now, so that a wrong limit does not wait for the first question.
    const first = createBudget(budget);
    for (const each of [model, ...stageModels(options)]) first.throwUnlessPriced(each);
    return () => {
      const ofRun = createBudget({ runtime: options.runtime, ...budget });
      return solve((each) => withBudget(each, ofRun));
    };
  }
  const shared = solve(budget === undefined ? UNLIMITED : (each) => withBudget(each, budget));
  return () => shared;
}

function checkSolver(solver: Solver, { flow, budget }: Text2SqlOptions): void {
  if (flow === 'refine' && !solver.supports(REFINE_SQL_TASK_ID)) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `The flow \`refine\` asks for what ${solver.name} cannot do (${REFINE_SQL_TASK_ID}). Pass a language model, or use \`plain\`.`,
    );
  }
  if (flow === 'inspect' && !solver.supports(GENERATE_ACTIONS_TASK_ID)) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `The flow \`inspect\` asks for what ${solver.name} cannot do (${GENERATE_ACTIONS_TASK_ID}). Pass a language model, or use \`plain\`.`,
    );
  }
  if (flow === 'react' || flow === 'direct') {
    throw new AskemaError(
      'CONFIG_INVALID',
      `The flow \`${flow}\` talks to a language model, but ${solver.name} is a solver. Pass a language model, or use \`plain\`.`,
    );
  }
  if (budget !== undefined) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `A budget needs a language model, but ${solver.name} is a solver. Wrap its model: fromModel(withBudget(model, budget)).`,
    );
  }
}

function stageModels({ refine, inspect }: Text2SqlOptions): readonly LanguageModel[] {
  const models = [...Object.values(refine?.models ?? {}), ...Object.values(inspect?.models ?? {})];
  return models.filter((model) => model !== undefined && isLanguageModel(model));
}
