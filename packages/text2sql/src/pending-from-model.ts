import type { LanguageModel, Runtime, Solver } from '@askema/core';
import * as core from '@askema/core';

type FromModel = (model: LanguageModel, options?: { readonly runtime?: Partial<Runtime> | undefined }) => Solver;

/** Until `fromModel` is in core. */
export const fromModel: FromModel = (model, options) => {
  const landed = (core as unknown as { readonly fromModel?: FromModel }).fromModel;
  if (landed === undefined) throw new core.AskemaError('INTERNAL', 'fromModel is not there yet.');
  return landed(model, options);
};
