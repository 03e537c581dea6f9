import { AskemaError, fromModel, isLanguageModel, type Solver } from '@askema/core';
import type { LoadedConfig } from '../config/load-config.ts';
import type { CommandContext } from '../process/command-context.ts';
import { resolveModel } from './resolve-model.ts';

/**
 * The language model of `--model`, for another task than a question.
 *
 * @param cannot What another kind of model does: `describes nothing`.
 * @throws AskemaError as `resolveModel` does, and `INPUT_INVALID` for what is no language model.
 */
export async function solverNamed(
  name: string,
  cannot: string,
  loaded: LoadedConfig,
  { host, signal }: Pick<CommandContext, 'host' | 'signal'>,
): Promise<Solver> {
  const { model, label } = await resolveModel({ flag: name, loaded, env: host.env, signal });
  if (isLanguageModel(model)) return fromModel(model);
  throw new AskemaError('INPUT_INVALID', `${label} is no language model, so it ${cannot}. Leave out --model.`);
}
