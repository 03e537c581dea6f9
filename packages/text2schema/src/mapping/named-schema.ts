import type { Schema } from '@askema/core';
import { AskemaError } from '@askema/core';
import type { DesignFinding, LogicalDesign, NamedSchema } from '../model/index.ts';

/** A schema with names, made into the 5-tuple. Lenient: what does not fit is a finding and left out, never an exception. */
export function schemaOfNamed(_named: NamedSchema): { readonly schema: Schema; readonly findings: DesignFinding[] } {
  throw new AskemaError('INTERNAL', 'schemaOfNamed is not there yet.');
}

/** The 5-tuple with names in place of ids. */
export function namedSchemaOf(_schema: Schema): NamedSchema {
  throw new AskemaError('INTERNAL', 'namedSchemaOf is not there yet.');
}

/** A design for a schema that came without dependencies (baselines): each key determines the rest of its relation. */
export function designOfNamed(_named: NamedSchema): LogicalDesign {
  throw new AskemaError('INTERNAL', 'designOfNamed is not there yet.');
}
