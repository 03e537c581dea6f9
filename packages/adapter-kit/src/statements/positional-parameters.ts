import { AskemaError, type ExecuteOptions, type Parameter } from '@askema/core';

/**
 * The parameters for an engine that has them by position alone; none where none are given.
 *
 * @param product the engine, as people call it.
 * @param written how they are written: `? for each`.
 * @throws AskemaError `INPUT_INVALID` for parameters by name.
 */
export function positionalParameters(
  parameters: ExecuteOptions['parameters'],
  product: string,
  written: string,
): readonly Parameter[] {
  if (parameters === undefined) return [];
  if (Array.isArray(parameters)) return parameters as readonly Parameter[];
  throw new AskemaError(
    'INPUT_INVALID',
    `${product} has no parameters by name: write ${written} and give \`parameters\` as a list in that order.`,
  );
}
