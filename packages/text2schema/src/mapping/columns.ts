import { type DataType, type DomainConstraint, foldName } from '@askema/core';
import { isKeyName } from '../conceptual/key-name.ts';
import { foldedName } from '../conceptual/name-lookup.ts';
import type { SetAttribute } from './read-model.ts';
import { type NameStyle, prefixed, type ReferenceNaming, referenceNames } from './reference-name.ts';

/** An attribute of a relation to be. */
export interface Column {
  readonly name: string;
  readonly type: DataType;
  readonly constraints: readonly DomainConstraint['constraint'][];
  /** The key attribute that it references; the first one where there are several. */
  target: Column | undefined;
}

/** A foreign key to be: columns of one relation, and the key columns of the entity set that they reference. */
export interface ColumnReference {
  readonly columns: readonly Column[];
  readonly targets: readonly Column[];
  /** The entity set, by its index. */
  readonly entity: number;
  /** True for one-to-one relationship sets: no two rows reference the same one. */
  readonly unique: boolean;
}

/** The columns of one set, under names that tell them apart. */
export class Columns {
  readonly #style: NameStyle;
  readonly #byName = new Map<string, Column>();
  readonly own: readonly Column[];
  /** Columns that foreign keys brought, in their order. */
  readonly added: Column[] = [];

  constructor(attributes: readonly SetAttribute[], style: NameStyle) {
    this.#style = style;
    this.own = attributes.map(({ name, type, constraints }) => ({ name, type, constraints, target: undefined }));
    for (const column of this.own) this.#take(column);
  }

  /**
   * A column for a referenced key attribute. An attribute of the set that is written where the foreign key belongs
   * (`Customer ID` in `Order`) is that column; a name that means something else here gives way to the next one.
   */
  reference(naming: ReferenceNaming, target: Column, options: { readonly reuse: boolean }): Column {
    const names = referenceNames(naming, this.#style);
    for (const [at, name] of names.entries()) {
      const other = this.#byName.get(foldedName(name));
      if (other === undefined) return this.#add({ name, type: target.type, constraints: [], target });
      const meant = isKeyName(name) || foldedName(name).startsWith(foldedName(naming.role ?? naming.entity));
      const free = this.own.includes(other) && other.target === undefined;
      if (at === 0 && options.reuse && meant && free) {
        other.target = target;
        return other;
      }
    }
    return this.#add({ name: this.#numbered(names.at(-1) ?? naming.key), type: target.type, constraints: [], target });
  }

  /** A column for an attribute of a relationship set whose facts stand in this set. */
  fact(attribute: SetAttribute, relationship: string): Column {
    const { name, type, constraints } = attribute;
    const names = [name, prefixed(relationship, name, this.#style)];
    const free = names.find((one) => !this.#byName.has(foldedName(one)));
    return this.#add({ name: free ?? this.#numbered(names[1] ?? name), type, constraints, target: undefined });
  }

  #numbered(name: string): string {
    for (let number = 2; ; number += 1) {
      const candidate = `${name} ${number}`;
      if (!this.#byName.has(foldedName(candidate))) return candidate;
    }
  }

  #add(column: Column): Column {
    this.#take(column);
    this.added.push(column);
    return column;
  }

  /**
   * Names are apart both as databases compare them and as people read them; attributes of one set only need the former.
   */
  #take(column: Column): void {
    for (const key of [foldedName(column.name), foldName(column.name, 'insensitive')])
      if (!this.#byName.has(key)) this.#byName.set(key, column);
  }
}

/**
 * The type of a column: that of the attribute which it references in the end. Columns that reference each other in a
 * circle have one type too.
 */
export function columnType(column: Column): DataType {
  const seen = new Set<Column>([column]);
  let at = column;
  while (at.target !== undefined && !seen.has(at.target)) {
    at = at.target;
    seen.add(at);
  }
  if (at.target === undefined) return at.type;
  // A circle: every column in it and before it takes the type of the circle's first name.
  const circle: Column[] = [at];
  for (let next = at.target; next !== at && next !== undefined; ) {
    circle.push(next);
    next = next.target as Column;
  }
  circle.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
  return circle[0]?.type ?? column.type;
}
