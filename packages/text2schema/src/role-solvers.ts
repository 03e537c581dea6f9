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
import { ROLE_IDS, type SchemaRole } from './model/index.ts';
import type { Text2SchemaOptions } from './text2schema-options.ts';

/** Who answers in one run. Where all roles share a model, they share the solver. */
export interface RoleSolvers {
  readonly roles: Readonly<Record<SchemaRole, Solver>>;
  /** Of the baselines. */
  readonly main: Solver;
  /** Undefined where the forward order decides. */
  readonly administrator: Solver | undefined;
}

/** Of section 5.2 of SchemaAgent. */
const PRESET = { temperature: 1, topP: 1, maxAttempts: 3 } as const;

/**
 * Makes solvers of the models that were passed. A budget given as limits is a new one for each run; a `Budget` is
 * shared by all.
 *
 * @throws AskemaError `CONFIG_INVALID` for a budget where one of them is no language model, or has no price.
 */
export function roleSolvers(options: Text2SchemaOptions): () => RoleSolvers {
  const { budget } = options;
  const models = modelsOf(options);
  if (budget === undefined) return shared(solversOf(options, (model) => model));
  const solver = models.find((model) => !isLanguageModel(model));
  if (solver !== undefined)
    throw new AskemaError(
      'CONFIG_INVALID',
      `A budget needs language models, but ${(solver as Solver).name} is a solver. Wrap its model: fromModel(withBudget(model, budget)).`,
    );
  if (isBudget(budget)) return shared(solversOf(options, (model) => withBudget(model, budget)));
  // Checked now, so that a wrong limit does not wait for the first requirement.
  const first = createBudget(budget);
  for (const model of models) if (isLanguageModel(model)) first.throwUnlessPriced(model);
  return () => {
    const ofRun = createBudget({ runtime: options.runtime, ...budget });
    return solversOf(options, (model) => withBudget(model, ofRun));
  };
}

function solversOf(options: Text2SchemaOptions, limit: (model: LanguageModel) => LanguageModel): RoleSolvers {
  const { temperature = PRESET.temperature, topP = PRESET.topP, maxAttempts = PRESET.maxAttempts, runtime } = options;
  const known = new Map<LanguageModel | Solver, Solver>();
  const solverOf = (model: LanguageModel | Solver): Solver => {
    const before = known.get(model);
    if (before !== undefined) return before;
    const made = isLanguageModel(model) ? fromModel(limit(model), { temperature, topP, maxAttempts, runtime }) : model;
    known.set(model, made);
    return made;
  };
  const main = solverOf(options.model);
  const { administrator } = options;
  return {
    main,
    roles: Object.fromEntries(
      ROLE_IDS.map((role) => [role, solverOf(options.models?.[role] ?? options.model)]),
    ) as Record<SchemaRole, Solver>,
    administrator: administrator === undefined || administrator === 'forward' ? undefined : solverOf(administrator),
  };
}

function modelsOf({ model, models, administrator }: Text2SchemaOptions): readonly (LanguageModel | Solver)[] {
  const further = administrator === 'forward' ? undefined : administrator;
  return [model, ...Object.values(models ?? {}), further].filter((each) => each !== undefined);
}

function shared(solvers: RoleSolvers): () => RoleSolvers {
  return () => solvers;
}
