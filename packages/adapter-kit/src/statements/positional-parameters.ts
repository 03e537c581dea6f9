import { AskemaError, type ExecuteOptions, type Parameter } from '@askema/core';

/**
 * The parameters for an engine that has them by position alone; none where none are given.
 *
 * @param product the engine, as people call it.
 * @param written how they are written: `? for each`.
 * @param expected how many the statement has, where the driver tells.
 * @throws AskemaError `INPUT_INVALID` for parameters by name, and for another number of values than `expected`.
 */
export function positionalParameters(
  parameters: ExecuteOptions['parameters'],
  product: string,
  written: string,
  expected?: number,
): readonly Parameter[] {
  if (parameters !== undefined && !Array.isArray(parameters))
    throw new AskemaError(
      'INPUT_INVALID',
      `${product} has no parameters by name: write ${written} and give \`parameters\` as a list in that order.`,
    );
  const list: readonly Parameter[] = parameters ?? [];
  if (expected !== undefined && list.length !== expected)
    throw new AskemaError(
      'INPUT_INVALID',
      `The statement has ${expected} placeholders, and \`parameters\` has ${list.length} values; give one for each.`,
    );
  for (const [at, value] of list.entries())
    if (!isParameter(value))
      throw new AskemaError(
        'INPUT_INVALID',
        `Value ${at + 1} of \`parameters\` is ${value === undefined ? 'undefined' : `of type ${typeof value}`}; give null, a text, a number, a bigint, a boolean or a Uint8Array.`,
      );
  return list;
}

function isParameter(value: unknown): boolean {
  return (
    value === null || value instanceof Uint8Array || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
  );
}
