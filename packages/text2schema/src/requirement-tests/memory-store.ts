import {
  type AttributeId,
  type DataType,
  type ForeignKey,
  indexSchema,
  oneLine,
  type RelationId,
  type Schema,
  type SchemaIndex,
} from '@askema/core';
import { quoted } from '../conceptual/name-lookup.ts';
import type { TestValue } from '../model/test-plan.ts';
import { bindValue, comparedText, shownValue } from '../test-plan/case-value.ts';
import { keyOf, named } from './keys-and-names.ts';
import type { RowStore } from './row-store.ts';

type Values = ReadonlyMap<AttributeId, TestValue>;

/** Longer values are cut in messages. */
const MAX_SHOWN = 60;

/**
 * Rows in memory, under the constraints of a schema as a database with enforced keys holds them: primary keys, foreign
 * keys (one with a null in any part is not checked, as MATCH SIMPLE of SQL), `not null`, `unique` (nulls are distinct)
 * and types. Values compare by what they mean: `1.50` is 1.5, a date is its midnight. What is refused changes nothing.
 */
export function memoryStore(schema: Schema): RowStore {
  return new MemoryStore(indexSchema(schema));
}

class MemoryStore implements RowStore {
  private readonly index: SchemaIndex;
  private readonly rows = new Map<RelationId, readonly Values[]>();

  constructor(index: SchemaIndex) {
    this.index = index;
  }

  async reset(): Promise<void> {
    this.rows.clear();
  }

  async insert(relation: RelationId, values: Values): Promise<string | undefined> {
    const row = new Map(values);
    return this.unknown(relation, values) ?? this.put(relation, row, [...this.rowsOf(relation), row]);
  }

  async update(relation: RelationId, key: Values, values: Values): Promise<string | undefined> {
    const unknown = this.unknown(relation, key) ?? this.unknown(relation, values);
    if (unknown !== undefined) return unknown;
    const rows = this.rowsOf(relation);
    const ids = [...key.keys()];
    const at = ids.length === 0 ? -1 : rows.findIndex((row) => this.agree(ids, row, ids, key));
    if (at < 0) return `${this.name(relation)} has no row with ${this.shown(ids, key) || 'no key'} to change.`;
    const row = new Map([...(rows[at] ?? []), ...values]);
    return this.put(relation, row, rows.with(at, row));
  }

  /** Takes over the rows of a relation, where the new one among them keeps all constraints. */
  private put(relation: RelationId, row: Values, rows: readonly Values[]): string | undefined {
    const others = rows.filter((one) => one !== row);
    const wrong = this.wrongType(relation, row) ?? this.missing(relation, row) ?? this.repeated(relation, row, others);
    if (wrong !== undefined) return wrong;
    const before = this.rowsOf(relation);
    // Rows may refer to themselves, so that references are checked when it stands.
    this.rows.set(relation, rows);
    const broken = this.dangling(relation, row) ?? this.abandoned(relation, row);
    if (broken !== undefined) this.rows.set(relation, before);
    return broken;
  }

  private unknown(relation: RelationId, values: Values): string | undefined {
    if (this.index.relation(relation) === undefined) return `There is no relation ${quoted(relation)}.`;
    const stray = [...values.keys()].find((id) => this.index.attribute(id)?.relation !== relation);
    return stray === undefined ? undefined : `${this.name(relation)} has no attribute ${this.name(stray)}.`;
  }

  private wrongType(relation: RelationId, row: Values): string | undefined {
    for (const { id, type } of this.index.attributesOf(relation)) {
      const value = row.get(id) ?? null;
      if (!fits(value, type))
        return `${this.name(relation)} cannot hold ${shown(value)} as ${this.name(id)}, whose type is ${type}.`;
    }
    return undefined;
  }

  private missing(relation: RelationId, row: Values): string | undefined {
    const key = keyOf(this.index, relation);
    for (const { id } of this.index.attributesOf(relation)) {
      if ((row.get(id) ?? null) !== null) continue;
      if (key.includes(id)) return `${this.name(relation)} needs ${this.name(id)}, a part of its primary key.`;
      if (this.index.isNotNull(id)) return `${this.name(relation)} needs ${this.name(id)}, which is not null.`;
    }
    return undefined;
  }

  private repeated(relation: RelationId, row: Values, others: readonly Values[]): string | undefined {
    const there = (ids: readonly AttributeId[]): boolean => others.some((other) => this.agree(ids, row, ids, other));
    const key = keyOf(this.index, relation);
    if (key.length > 0 && there(key))
      return `${this.name(relation)} has a row with the primary key ${this.shown(key, row)} already.`;
    const unique = this.index.attributesOf(relation).find(({ id }) => this.index.isUnique(id) && there([id]));
    if (unique === undefined) return undefined;
    const { id } = unique;
    return `${this.name(relation)} has a row with ${this.shown([id], row)} already, and ${this.name(id)} is unique.`;
  }

  private dangling(relation: RelationId, row: Values): string | undefined {
    for (const key of this.index.foreignKeysFrom(relation)) {
      if (this.leads(key, row)) continue;
      const from = key.pairs.map((pair) => pair.from);
      const target = this.name(key.target);
      return `${this.name(relation)} refers to ${target} with ${this.shown(from, row)}, but ${target} has no such row.`;
    }
    return undefined;
  }

  /** Rows that refer to what the changed row was before. */
  private abandoned(relation: RelationId, changed: Values): string | undefined {
    for (const key of this.index.foreignKeysTo(relation))
      for (const row of this.rowsOf(key.relation)) {
        if (row === changed || this.leads(key, row)) continue;
        const from = key.pairs.map((pair) => pair.from);
        return `The key of ${this.name(relation)} cannot change: ${this.name(key.relation)} refers to it with ${this.shown(from, row)}.`;
      }
    return undefined;
  }

  /** True where the row that a foreign key names is there, and where the key is not checked. */
  private leads({ target, pairs }: ForeignKey, row: Values): boolean {
    const from = pairs.map((pair) => pair.from);
    const to = pairs.map((pair) => pair.to);
    if (from.some((id) => (row.get(id) ?? null) === null)) return true;
    return this.rowsOf(target).some((other) => this.agree(from, row, to, other));
  }

  /** True where the values are equal, pair by pair, and none is null. */
  private agree(ids: readonly AttributeId[], row: Values, otherIds: readonly AttributeId[], other: Values): boolean {
    return ids.every((id, at) => {
      const otherId = otherIds[at] ?? id;
      // A reference is read as its target is.
      const type = this.index.attribute(otherId)?.type ?? 'TEXT';
      const text = compared(row.get(id) ?? null, type);
      return text !== undefined && text === compared(other.get(otherId) ?? null, type);
    });
  }

  private rowsOf(relation: RelationId): readonly Values[] {
    return this.rows.get(relation) ?? [];
  }

  private name(id: string): string {
    return named(this.index, id);
  }

  private shown(ids: readonly AttributeId[], row: Values): string {
    return ids.map((id) => `${this.name(id)} = ${shown(row.get(id) ?? null)}`).join(', ');
  }
}

function shown(value: TestValue): string {
  return oneLine(shownValue(value), MAX_SHOWN);
}

function fits(value: TestValue, type: DataType): boolean {
  if (type === 'BINARY') return value === null || typeof value === 'string';
  return bindValue(value, type).warning === undefined;
}

/** A text that two values share exactly when they are equal; undefined for null, which equals nothing. */
function compared(value: TestValue, type: DataType): string | undefined {
  if (value === null) return undefined;
  const { parameter } = bindValue(value, type);
  // Every digit of a number counts in a key; results of queries are compared with fewer.
  return type === 'NUMERIC' && typeof parameter === 'number' ? `number ${parameter}` : comparedText(parameter, type);
}
