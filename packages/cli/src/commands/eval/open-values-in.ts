import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Adapter, AskemaError, type ValueIndex } from '@askema/core';
import { linkOutOf } from '@askema/core/node';
import { databasePathProblem } from '@askema/eval';
import { openValues, VALUES_ENDING, type ValuesPlace } from '../../database/open-values.ts';

/**
 * The index of one of several databases, `ID.values.sqlite` in a folder; undefined where there is none.
 *
 * @throws AskemaError `DATASET_INVALID` for an id that leads out of the folder, `INPUT_INVALID` for a link that does, and as {@link openValues} does.
 */
export async function openValuesIn(
  folder: string,
  id: string,
  adapter: Adapter,
  place: ValuesPlace,
): Promise<ValueIndex | undefined> {
  const problem = databasePathProblem(id);
  if (problem !== undefined) throw new AskemaError('DATASET_INVALID', `There is no index of that database: ${problem}`);
  const file = join(folder, `${id}${VALUES_ENDING}`);
  const link = linkOutOf(resolve(place.cwd, folder), resolve(place.cwd, file));
  if (link !== undefined) throw new AskemaError('INPUT_INVALID', link);
  return existsSync(resolve(place.cwd, file)) ? openValues(file, adapter, place) : undefined;
}
