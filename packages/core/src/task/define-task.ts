import type { StandardSchemaV1 } from '@standard-schema/spec';
import { AskemaError } from '../errors/askema-error.ts';
import type { Task } from './task.ts';

/**
 * A task whose input type comes from `render` and whose output type comes from `output`, so that neither is written
 * twice.
 *
 * @throws AskemaError `CONFIG_INVALID` for an id that is not dotted lower case (`shop.name-product`) or a version below
 * 1: solvers and journals go by both.
 */
export function defineTask<In, Out>(task: {
  readonly id: string;
  readonly version: number;
  readonly description?: string | undefined;
  readonly render: Task<In, Out>['render'];
  readonly output: StandardSchemaV1<unknown, Out>;
}): Task<In, Out> {
  if (!/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/.test(task.id))
    throw new AskemaError(
      'CONFIG_INVALID',
      `The task id \`${task.id}\` is not dotted lower case. Write it like \`shop.name-product\`.`,
    );
  if (!Number.isInteger(task.version) || task.version < 1)
    throw new AskemaError(
      'CONFIG_INVALID',
      `Task \`${task.id}\` has version ${task.version}; give it a whole number from 1.`,
    );
  return task;
}
