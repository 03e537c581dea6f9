import { AskemaError } from '@askema/core';
import type { Text2Sql, Text2SqlOptions } from './text2sql-options.ts';

/** Puts an adapter, a model and a flow together. */
export function createText2Sql(options: Text2SqlOptions): Text2Sql {
  throw new AskemaError('INTERNAL', `createText2Sql for ${options.adapter.name} is not there yet.`);
}
