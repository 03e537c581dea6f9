import { AskemaError, type Catalog, type Schema } from '@askema/core';

/** Databases that Drizzle's tables can be written for. */
export type DrizzleDialect = 'sqlite' | 'postgresql' | 'mysql';

export interface WriteDrizzleOptions {
  readonly dialect: DrizzleDialect;
}

/** A schema or catalog as a TypeScript module of Drizzle tables. */
export function writeDrizzle(_source: Schema | Catalog, _options: WriteDrizzleOptions): string {
  throw new AskemaError('INPUT_INVALID', 'writeDrizzle is not there yet.');
}
