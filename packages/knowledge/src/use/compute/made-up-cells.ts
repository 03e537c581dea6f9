import type { AttributeId, DataType } from '@askema/core';

/** A cell or what is computed of cells. Truth values are 1 and 0, dates texts. */
export type Value = number | string | null;

/** What cells are made of. */
export interface CellRules {
  readonly typeOf: (attribute: AttributeId) => DataType | undefined;
  /** Constants that statement or definition compare with a column: rows on both sides of a condition are needed. */
  readonly constants: ReadonlyMap<AttributeId, ReadonlySet<Value>>;
  /** One value for each row. */
  readonly unique: ReadonlySet<AttributeId>;
  /** Of these some cells are empty. */
  readonly nullable: ReadonlySet<AttributeId>;
  /** Columns that joins make equal, by the one that stands for them. */
  readonly same: ReadonlyMap<AttributeId, AttributeId>;
}

/** Values that several rows share. */
const SHARED: Readonly<Record<DataType, readonly Value[]>> = {
  NUMERIC: [2003, 2011, 3001, 5003],
  BINARY: ['x', 'y'],
  BOOL: [0, 1],
  DATETIME: ['2023-02-11', '2023-11-30', '2024-02-29'],
  TEXT: ['lime', 'moss', 'rust'],
};

/** The cell of a made-up row: the same row and column always give the same. */
export function madeUpCell(seed: number, row: number, attribute: AttributeId, rules: CellRules): Value {
  const id = rules.same.get(attribute) ?? attribute;
  if (rules.unique.has(id)) return row + 1;
  const random = hashOf(`${seed} ${row} ${id}`);
  if (rules.nullable.has(id) && random % 4 === 0) return null;
  const constants = [...(rules.constants.get(id) ?? [])];
  const type = rules.typeOf(id) ?? 'NUMERIC';
  const pick = random >>> 9;
  if (constants.length > 0 && (random >>> 3) % 10 < 7) return constants[pick % constants.length] ?? null;
  // Others are there once, so that another row is the least or the most, and fewer rows have fewer of them.
  return (random >>> 8) % 2 === 0 ? ownValue(type, pick) : (SHARED[type][pick % SHARED[type].length] ?? null);
}

function ownValue(type: DataType, random: number): Value {
  if (type === 'NUMERIC') return random % 9_973;
  if (type === 'BOOL') return random % 2;
  if (type !== 'DATETIME') return `t${random % 997}`;
  return new Date(Date.UTC(2018, 0, 1 + (random % 3_000))).toISOString().slice(0, 10);
}

/** FNV-1a, with its bits mixed: below 2 to the power of 32. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
