import { logicalType, type ResultColumn } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Session } from '../connection/session.ts';
import type { WireField } from '../connection/wire.ts';
import { type DecodeCell, decoderOf } from './decode-cell.ts';

/** The columns of a result, and how the cells of each are read. */
export interface DescribedColumns {
  readonly columns: readonly ResultColumn[];
  readonly decoders: readonly DecodeCell[];
}

/**
 * Names, types and origins of a prepared statement's columns: one look into the catalog, in the transaction that runs
 * the statement.
 */
export async function describeColumns(session: Session, fields: readonly WireField[]): Promise<DescribedColumns> {
  if (fields.length === 0) return { columns: [], decoders: [] };
  const values = fields.map(
    (field, index) =>
      `(${index}, ${field.dataTypeID}::oid, ${field.dataTypeModifier}, ${field.tableID}::oid, ${field.columnID})`,
  );
  const rows = await session.simple(`
    SELECT pg_catalog.format_type(f.type, CASE WHEN f.modifier < 0 THEN NULL ELSE f.modifier END),
      CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN coalesce(nullif(e.typbasetype, 0), e.oid)::text END,
      e.typdelim, c.relname, a.attname
    FROM (VALUES ${values.join(', ')}) AS f (position, type, modifier, relation, attribute)
    LEFT JOIN pg_catalog.pg_type AS t ON t.oid = f.type
    LEFT JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem
    LEFT JOIN pg_catalog.pg_class AS c ON c.oid = f.relation AND f.relation <> 0
    LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = f.attribute
    ORDER BY f.position`);
  return {
    columns: fields.map(({ name }, index) => toColumn(name, rows[index] ?? [])),
    decoders: fields.map(({ dataTypeID }, index) => {
      const [, element, delimiter] = rows[index] ?? [];
      return decoderOf({
        oid: dataTypeID,
        element:
          element === null || element === undefined ? undefined : { oid: Number(element), delimiter: delimiter ?? ',' },
      });
    }),
  };
}

function toColumn(name: string, row: readonly (string | null)[]): ResultColumn {
  const [type, , , relation, attribute] = row;
  const nativeType = type ?? '';
  const column = { name, nativeType, type: logicalType(nativeType, postgresDialect) };
  return typeof relation === 'string' && typeof attribute === 'string'
    ? { ...column, source: { relation, attribute } }
    : column;
}
