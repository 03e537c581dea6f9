import { foreignKeysOf, groupRows, keysOf } from '@askema/adapter-kit';
import {
  type CatalogGap,
  type Dialect,
  type DraftAttribute,
  type DraftRelation,
  logicalType,
  quoteString,
  type Row,
} from '@askema/core';
import { mysqlServer } from '@askema/dialects';
import type { Transaction } from '../connection/call.ts';
import type { ResolvedOptions } from '../options.ts';
import { type UserRoutines, unopened } from '../reading/user-routines.ts';
import { catalogQueries } from './catalog-queries.ts';

/** A check that MariaDB makes for a column of the type JSON, which is a LONGTEXT there. */
const JSON_CHECK = /^json_valid\(`((?:[^`]|``)+)`\)$/i;

/** Reads the catalog within one transaction of the session, ready for `buildCatalog`. */
export async function readCatalog({ session, limits }: Transaction, options: ResolvedOptions, routines: UserRoutines) {
  const { databases, dialect } = options;
  const { isMariadb } = session.server;
  const queries = catalogQueries(options, isMariadb, unopened(routines, dialect));
  const read = (sql: string) => limits.race(session.query(sql));
  const readGroups = async (sql: string) => groupRows(await read(sql), ([schema, relation]) => [schema, relation]);
  const relations = await read(queries.relations);
  const attributesOf = await readGroups(queries.attributes);
  const uniqueKeysOf = await readGroups(queries.keys);
  const referencesOf = await readGroups(queries.foreignKeys);
  const checksOf = await readGroups(queries.checks);
  const viewsOf = await readGroups(queries.views);
  // Databases without one named are all but those of the server.
  const gaps: CatalogGap[] = routines.refusedViews
    .filter(({ schema }) => databases?.includes(schema) ?? true)
    .map(({ schema, view, reason }) => ({ subject: `${schema}.${view}`, reason: `the view ${reason}` }));
  const drafts = relations.flatMap((row): DraftRelation[] => {
    const [schema, relation, type, count, bytes, comment, engine] = row;
    const listed = mysqlServer.relationKinds[String(type)];
    if (listed === undefined) return [];
    const hasOwnRows = mysqlServer.ownRowsEngines.includes(String(engine).toLowerCase());
    const kind = listed === 'table' && !hasOwnRows ? 'virtual table' : listed;
    const columns = attributesOf(schema, relation);
    // A view on what is not there any more has no columns, and its comment is the complaint.
    if (columns.length === 0) {
      const reason = `its columns cannot be read: ${comment || 'no privilege'}`;
      gaps.push({ subject: `${schema}.${relation}`, reason });
      return [];
    }
    const conditions = checksOf(schema, relation).map(([, , clause]) => String(clause));
    const documents = isMariadb
      ? conditions.flatMap((clause) => JSON_CHECK.exec(clause)?.[1]?.replaceAll('``', '`') ?? [])
      : [];
    const unique = keysOf(uniqueKeysOf(schema, relation), ([, , id, column, part]) => ({
      id,
      column: column === null || part !== null ? null : String(column),
    }));
    const definition = viewsOf(schema, relation)[0]?.[2];
    return [
      {
        nameParts: { schema: String(schema), relation: String(relation) },
        kind,
        attributes: columns.map((column) => attributeOf(column, documents, dialect, isMariadb)),
        primaryKey: unique.get('PRIMARY'),
        uniqueKeys: [...unique].flatMap(([name, key]) => (name === 'PRIMARY' ? [] : [key])),
        foreignKeys: foreignKeysOf(referencesOf(schema, relation), foreignKeyColumn),
        checks: conditions.filter((clause) => !JSON_CHECK.test(clause)),
        ...(kind === 'view' || !comment ? {} : { comment: String(comment) }),
        ...(definition ? { definition: String(definition) } : {}),
        ...(kind === 'view' || count === null ? {} : { rowCount: Number(count), rowCountExact: false }),
        ...(kind === 'view' || bytes === null ? {} : { byteCount: Number(bytes) }),
      },
    ];
  });
  return { relations: drafts, gaps };
}

function foreignKeyColumn([, , id, column, schema, relation, target]: Row) {
  return {
    id,
    column: String(column),
    target: { schema: String(schema), relation: String(relation) },
    targetColumn: String(target),
  };
}

function attributeOf(row: Row, documents: readonly string[], dialect: Dialect, isMariadb: boolean): DraftAttribute {
  const [, , column, columnType, nullable, , , comment, collation] = row;
  const name = String(column);
  const extra = String(row[6]);
  const type = documents.includes(name) ? 'json' : withoutWidth(String(columnType));
  // MariaDB gives an expression, MySQL the text of a literal unless it says DEFAULT_GENERATED.
  const isText =
    !isMariadb && !/DEFAULT_GENERATED/i.test(extra) && !/^(NUMERIC|BOOL)$/.test(logicalType(type, dialect));
  const given = row[5] === null || row[5] === 'NULL' ? undefined : String(row[5]);
  const expression = given !== undefined && isText ? quoteString(given, dialect) : given;
  return {
    name,
    nativeType: type,
    notNull: nullable === 'NO',
    ...(comment ? { comment: String(comment) } : {}),
    ...(expression === undefined ? {} : { defaultExpression: expression }),
    ...(typeof collation === 'string' ? { collation } : {}),
    ...(/auto_increment/i.test(extra) ? { generated: 'identity' } : {}),
    ...(/STORED GENERATED|PERSISTENT/i.test(extra) ? { generated: 'stored' } : {}),
    ...(/VIRTUAL GENERATED/i.test(extra) ? { generated: 'virtual' } : {}),
  };
}

/** `int(11)` is how MariaDB shows an `int`; the width says something of `tinyint(1)` alone, which is a boolean. */
function withoutWidth(type: string): string {
  return /^tinyint\(1\)/.test(type) ? type : type.replace(/^((?:tiny|small|medium|big)?int|year)\(\d+\)/, '$1');
}
