import { readDigits, shortFloat } from '@askema/adapter-kit';
import { type Dialect, logicalType, parseExactJson, type ResultColumn, type Value } from '@askema/core';
import { mysqlServer } from '@askema/dialects';
import type { FieldPacket } from 'mysql2';

/** A column of a result, with the number of its type. */
type Field = FieldPacket & { readonly columnType: number };

const { columnFlags, bytesCharacterSet, wireTypes } = mysqlServer;

/** The columns of a result, and how the cells of each are read. */
export function describeColumns(
  packets: readonly FieldPacket[],
  dialect: Dialect,
): { readonly columns: readonly ResultColumn[]; readonly decoders: readonly Decode[] } {
  const fields = packets as readonly Field[];
  const columns = fields.map((field): ResultColumn => {
    const nativeType = nativeTypeOf(field);
    const { orgTable: relation, orgName: attribute } = field;
    const source = relation === '' || attribute === '' ? {} : { source: { relation, attribute } };
    return { name: field.name, nativeType, type: logicalType(nativeType, dialect), ...source };
  });
  return { columns, decoders: columns.map(({ nativeType }) => decoderOf(nativeType)) };
}

function nativeTypeOf(field: Field): string {
  const { columnType, characterSet, columnLength = 0, decimals = 0 } = field;
  // What MariaDB adds of types that travel as text.
  const { extendedTypeName, extendedFormat } = field;
  const flags = Number(field.flags);
  if (extendedFormat === 'json') return 'json';
  if (extendedTypeName !== undefined) return extendedTypeName;
  if ((flags & columnFlags.enum) !== 0) return 'enum';
  if ((flags & columnFlags.set) !== 0) return 'set';
  const ofText = wireTypes[columnType] ?? 'text';
  const name = characterSet === bytesCharacterSet ? ofText.replace(/text$/, 'blob').replace(/char$/, 'binary') : ofText;
  const unsigned = (flags & columnFlags.unsigned) !== 0;
  const sign = unsigned && /int$|^decimal|^float|^double/.test(name) ? ' unsigned' : '';
  if (ofText === 'bit') return `bit(${columnLength})`;
  // The length counts the sign and the point.
  if (ofText === 'decimal') {
    const digits = columnLength - (unsigned ? 0 : 1) - (decimals > 0 ? 1 : 0);
    return `decimal(${digits},${decimals})${sign}`;
  }
  return name === 'tinyint' && columnLength === 1 ? 'tinyint(1)' : `${name}${sign}`;
}

type Decode = (cell: Value) => Value;

const asText =
  (read: (text: string) => Value): Decode =>
  (cell) =>
    typeof cell === 'string' ? read(cell) : cell;

/** Bytes of their own: those of the driver are a part of what came over the wire. */
const readBytes: Decode = (cell) => (cell instanceof Uint8Array ? new Uint8Array(cell) : cell);

function decoderOf(nativeType: string): Decode {
  if (nativeType === 'json') return asText(parseExactJson);
  if (/^bigint|^decimal/.test(nativeType)) return asText(readDigits);
  if (nativeType === 'datetime' || nativeType === 'timestamp') return asText((text) => text.replace(' ', 'T'));
  if (nativeType === 'bit(1)') return (cell) => (cell instanceof Uint8Array ? cell[0] === 1 : cell);
  return nativeType.startsWith('float') ? (cell) => (typeof cell === 'number' ? shortFloat(cell) : cell) : readBytes;
}
