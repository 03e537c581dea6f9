import type { Dialect, Schema } from '@askema/core';
import { nameLength } from './name-length.ts';
import { sortSchema } from './sqlite-fixture.ts';

/**
 * For tests: what an engine that sets NOT NULL on primary keys by itself reads back of a schema; parts sorted by id.
 */
export function expectedSchema(schema: Schema): Schema {
  const primary = new Set(schema.primaryKeys.flatMap(({ attributes }) => attributes));
  return sortSchema({
    ...schema,
    domainConstraints: schema.domainConstraints.filter(
      ({ attribute, constraint }) => constraint === 'unique' || !primary.has(attribute),
    ),
  });
}

/** For tests: the foreign keys that stand in a remark of the DDL. */
export function undeclaredForeignKeys(ddl: string): string[] {
  return ddl.split('\n').filter((line) => /^ *(?:--|#) not declared in .*: FOREIGN KEY/.test(line));
}

/** For tests: no name is longer than the dialect takes. */
export function fitsDialect(schema: Schema, dialect: Dialect): boolean {
  const { maxLength = Number.POSITIVE_INFINITY } = dialect.identifiers;
  return [...schema.relations, ...schema.attributes].every(({ name }) => nameLength(name, dialect) <= maxLength);
}
