import type { Dialect } from '@askema/core';

/** What Prisma and Drizzle call the databases that they know, by the names of our dialects. */
export const ORM_NAMES = { sqlite: 'sqlite', postgres: 'postgresql', mysql: 'mysql' } as const;

export type OrmName = (typeof ORM_NAMES)[keyof typeof ORM_NAMES];

/** What the ORMs call the database of a dialect; undefined for one that they do not know. */
export function ormNameOf({ name }: Dialect): OrmName | undefined {
  return ORM_NAMES[name as keyof typeof ORM_NAMES];
}
