import { AskemaError } from '@askema/core';
import { mysqlOrm } from '../mysql/orm.ts';
import type { OrmTraits } from '../orm-traits.ts';
import { postgresOrm } from '../postgres/orm.ts';
import { sqliteOrm } from '../sqlite/orm.ts';

const ORMS: readonly OrmTraits[] = [sqliteOrm, postgresOrm, mysqlOrm];

/** The database that Prisma and Drizzle call by this name. */
export function ormOf(name: OrmTraits['name']): OrmTraits {
  const found = ORMS.find((traits) => traits.name === name);
  if (found !== undefined) return found;
  throw new AskemaError(
    'INPUT_INVALID',
    `No models are written for ${name}: name ${ORMS.map((traits) => traits.name).join(', ')}.`,
  );
}
