import { logicalType, type ResultColumn } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { KnownTypes, Origin, TypeRow } from '../connection/database.ts';
import type { Session } from '../connection/session.ts';
import type { WireField, WireRow } from '../connection/wire.ts';
import { type DecodeCell, decoderOf } from './decode-cell.ts';

/** The columns of a result, and how the cells of each are read. */
export interface DescribedColumns {
  readonly columns: readonly ResultColumn[];
  readonly decoders: readonly DecodeCell[];
}

/** Below it stand the types of the engine itself, which never change (src/include/access/transam.h). */
const FIRST_UNFIXED_OID = 10_000;

const typeKey = ({ dataTypeID, dataTypeModifier }: WireField): string => `${dataTypeID} ${dataTypeModifier}`;
const attributeKey = (relation: number | string, column: number | string): string => `${relation} ${column}`;

/**
 * Names, types and origins of a prepared statement's columns: at most one look into the catalog, in the transaction
 * that runs the statement, and none where all is known. What is found is kept in `origins`.
 */
export async function describeColumns(
  session: Session,
  fields: readonly WireField[],
  { types: known, origins }: { readonly types: KnownTypes; readonly origins: Map<string, Origin> },
): Promise<DescribedColumns> {
  const unknown = fields.filter((field) => !known.has(typeKey(field)));
  const stored = fields.filter(
    ({ tableID, columnID }) => tableID !== 0 && !origins.has(attributeKey(tableID, columnID)),
  );
  const origin: Record<string, string> = stored.length > 0 ? { origins: originsQuery(stored) } : {};
  const named: Record<string, string> = unknown.length > 0 ? { types: typesQuery(unknown) } : {};
  const found: Readonly<Record<string, readonly WireRow[]>> =
    unknown.length + stored.length === 0 ? {} : await session.batch(origin, named);
  const types = new Map(known);
  for (const [index, field] of unknown.entries()) {
    const [name, element = null, delimiter = null] = found.types?.[index] ?? [];
    const row: TypeRow = [name ?? '', element, delimiter];
    types.set(typeKey(field), row);
    if (field.dataTypeID < FIRST_UNFIXED_OID) known.set(typeKey(field), row);
  }
  for (const [id, column, relation, attribute] of found.origins ?? [])
    if (typeof relation === 'string' && typeof attribute === 'string')
      origins.set(attributeKey(id ?? '', column ?? ''), { relation, attribute });
  return {
    columns: fields.map((field) =>
      toColumn(field.name, types.get(typeKey(field)), origins.get(attributeKey(field.tableID, field.columnID))),
    ),
    decoders: fields.map((field) => {
      const [, element, delimiter] = types.get(typeKey(field)) ?? [];
      return decoderOf({
        oid: field.dataTypeID,
        element:
          element === null || element === undefined ? undefined : { oid: Number(element), delimiter: delimiter ?? ',' },
      });
    }),
  };
}

function typesQuery(fields: readonly WireField[]): string {
  const values = fields.map(
    ({ dataTypeID, dataTypeModifier }, index) => `(${index}, ${dataTypeID}::oid, ${dataTypeModifier})`,
  );
  return `SELECT pg_catalog.format_type(f.type, CASE WHEN f.modifier < 0 THEN NULL ELSE f.modifier END),
      CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN coalesce(nullif(e.typbasetype, 0), e.oid)::text END,
      e.typdelim
    FROM (VALUES ${values.join(', ')}) AS f (position, type, modifier)
    LEFT JOIN pg_catalog.pg_type AS t ON t.oid = f.type
    LEFT JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem
    ORDER BY f.position`;
}

/** A join would take the server longer to plan. */
function originsQuery(fields: readonly WireField[]): string {
  const attributes = new Set(fields.map(({ tableID, columnID }) => `(${tableID}::oid, ${columnID}::int2)`));
  return `SELECT a.attrelid, a.attnum, (SELECT c.relname FROM pg_catalog.pg_class AS c WHERE c.oid = a.attrelid), a.attname
    FROM pg_catalog.pg_attribute AS a WHERE (a.attrelid, a.attnum) IN (${[...attributes].join(', ')})`;
}

function toColumn(
  name: string,
  [nativeType]: readonly [string, ...unknown[]] = [''],
  source: Origin | undefined,
): ResultColumn {
  const column = { name, nativeType, type: logicalType(nativeType, postgresDialect) };
  return source === undefined ? column : { ...column, source: { ...source } };
}
