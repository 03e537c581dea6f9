import type { Dialect } from '@askema/core';

/** What Prisma and Drizzle make of one database. */
export interface OrmTraits {
  /** What both call it. */
  readonly name: NonNullable<Dialect['ormName']>;
  readonly dialect: Dialect;
  /** By native type of the DDL, where Prisma's own default is another type: the attribute that says so. */
  readonly prisma: Readonly<Record<string, string>>;
  readonly drizzle: DrizzleTraits;
}

/** What a Drizzle module of one database looks like. */
interface DrizzleTraits {
  readonly module: string;
  readonly table: string;
  /**
   * What the keys of a table are: written where tables refer to each other, because TypeScript cannot infer a circle.
   */
  readonly extraConfig: string;
  /** By native type of the DDL: the function, and its options. */
  readonly columns: Readonly<Record<string, readonly [builder: string, options?: string]>>;
  /** The type of bytes where Drizzle has no builder for it: a name, which the module declares. */
  readonly bytes?: string | undefined;
  /** Further names that no table's constant may have. */
  readonly imports: readonly string[];
}
