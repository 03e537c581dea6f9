import { AskemaError, type Catalog, type Schema } from '@askema/core';

/** Databases that Prisma's schema can be written for. */
export type PrismaProvider = 'sqlite' | 'postgresql' | 'mysql';

export interface WritePrismaOptions {
  readonly provider: PrismaProvider;
}

/** A schema or catalog as a Prisma schema (`schema.prisma`). */
export function writePrisma(_source: Schema | Catalog, _options: WritePrismaOptions): string {
  throw new AskemaError('INPUT_INVALID', 'writePrisma is not there yet.');
}
