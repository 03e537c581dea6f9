import { AskemaError, type Catalog, type Schema } from '@askema/core';

/** A schema or catalog as DBML (https://dbml.dbdiagram.io/docs). */
export function writeDbml(_source: Schema | Catalog): string {
  throw new AskemaError('INPUT_INVALID', 'writeDbml is not there yet.');
}
