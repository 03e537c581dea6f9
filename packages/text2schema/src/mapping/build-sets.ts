import type { FunctionalDependency } from '@askema/normal-form';
import { quoted } from '../conceptual/name-lookup.ts';
import { isCandidateKey } from './choose-key.ts';
import { type Column, type ColumnReference, Columns } from './columns.ts';
import { type EntityReference, factId, type KeyedEntity, referenceId } from './entity-order.ts';
import type { MappingReporter } from './mapping-codes.ts';
import type { PlacedRelationship } from './place-relationship.ts';
import type { DesignEntity, DesignSet } from './read-model.ts';
import type { NameStyle } from './reference-name.ts';
import { unique } from './set-names.ts';

/** A set as one relation that is not decomposed yet. */
export interface BuiltSet {
  readonly set: DesignSet;
  readonly columns: readonly Column[];
  /** Over the names of the columns. */
  readonly dependencies: readonly FunctionalDependency[];
  readonly key: readonly string[];
  readonly references: readonly ColumnReference[];
  /** Names of the relationship sets whose facts it holds. */
  readonly absorbed: readonly string[];
}

/** An entity set whose key is written in columns. */
export interface EntityColumns {
  readonly keyed: KeyedEntity;
  readonly columns: Columns;
  readonly key: readonly Column[];
  /** Columns by id: own attributes, and references as they are needed. */
  readonly byId: Map<string, readonly Column[]>;
}

/** Writes the keys of entity sets in columns, in an order in which the keys that stand in others come first. */
export function writeKeys(ordered: readonly KeyedEntity[], style: NameStyle): ReadonlyMap<DesignEntity, EntityColumns> {
  const written = new Map<DesignEntity, EntityColumns>();
  for (const keyed of ordered) {
    const columns = new Columns(keyed.entity.attributes, style);
    const byId = new Map<string, readonly Column[]>(columns.own.map((column, at) => [`a${at}`, [column]]));
    const entity: EntityColumns = { keyed, columns, byId, key: [] };
    for (const reference of keyed.references)
      if (keyed.keyed.key.includes(reference.id)) refer(entity, reference, written);
    const key = [...new Set(keyed.keyed.key.flatMap((id) => byId.get(id) ?? []))];
    written.set(keyed.entity, { ...entity, key });
  }
  return written;
}

/** Brings the key of a connected entity set into this one, once. */
function refer(
  { keyed, columns, byId }: EntityColumns,
  { id, entity, role, relationship }: EntityReference,
  written: ReadonlyMap<DesignEntity, EntityColumns>,
): void {
  if (byId.has(id)) return;
  const targets = written.get(entity)?.key ?? [];
  const reuse = entity !== keyed.entity;
  byId.set(
    id,
    targets.map((target) =>
      columns.reference(
        { key: target.name, keySize: targets.length, entity: entity.name, role, relationship: relationship.name },
        target,
        { reuse },
      ),
    ),
  );
}

/** An entity set with everything that each of its rows has one of. */
export function buildEntity(
  entity: EntityColumns,
  held: readonly PlacedRelationship[],
  written: ReadonlyMap<DesignEntity, EntityColumns>,
  add: MappingReporter,
): BuiltSet {
  const { keyed, columns, byId, key } = entity;
  const keyNames = key.map(({ name }) => name);
  const identifying = [...columns.added];
  const heldIds = new Set(held.map((placed) => referenceId(placed.relationship, 1 - (placed.holder ?? 0))));
  for (const reference of keyed.references)
    if (heldIds.has(reference.id) || keyed.keyed.references.includes(reference.id)) refer(entity, reference, written);
  for (const { relationship } of held)
    for (const [at, attribute] of relationship.attributes.entries())
      byId.set(factId(relationship, at), [columns.fact(attribute, relationship.name)]);
  const all = [...new Set([...identifying, ...columns.own, ...columns.added])];
  const names = all.map(({ name }) => name);
  const write = writer((id) => byId.get(id));
  const base = [...write(keyed.keyed.dependencies), { left: keyNames, right: without(names, keyNames) }];
  const more = [
    ...write(keyed.factDependencies),
    ...held.flatMap((placed) => heldDependencies(placed, keyNames, byId)),
  ];
  const chosen = soundDependencies(names, keyNames, base, more);
  if (chosen.ignored)
    add(
      'dependencies-ignored',
      keyed.entity.name,
      `Dependencies of ${quoted(keyed.entity.name)} contradict its key ${keyNames.map(quoted).join(', ')}.`,
      'Correct the dependencies that make a part of the key, or something beside it, identify a row.',
    );
  return {
    set: keyed.entity,
    columns: all,
    dependencies: chosen.dependencies,
    key: keyNames,
    references: keyed.references.flatMap(({ id, entity: target, relationship, to }): ColumnReference[] => {
      const own = byId.get(id) ?? [];
      const unique = relationship.participants[1 - to]?.cardinality === 'one';
      return own.length === 0
        ? []
        : [{ columns: own, targets: written.get(target)?.key ?? [], entity: target.index, unique }];
    }),
    absorbed: held.map(({ relationship }) => relationship.name),
  };
}

/**
 * The dependencies of a relationship set where it stands in a participant's relation: that participant is the
 * relation's own key.
 */
function heldDependencies(
  { relationship, dependencies, holder = 0 }: PlacedRelationship,
  key: readonly string[],
  byId: ReadonlyMap<string, readonly Column[]>,
): FunctionalDependency[] {
  const other = byId.get(referenceId(relationship, 1 - holder)) ?? [];
  return dependencies.flatMap(({ left, right }) => {
    const columnsOf = (id: string): readonly string[] => {
      if (id === `p${holder}`) return key;
      if (id === `p${1 - holder}`) return other.map(({ name }) => name);
      return (byId.get(factId(relationship, Number(id.slice(1)))) ?? []).map(({ name }) => name);
    };
    const from = unique(left.flatMap(columnsOf));
    return from.length === 0 ? [] : [{ left: from, right: unique(right.flatMap(columnsOf)) }];
  });
}

/** A relationship set as a relation of its own. */
export function buildRelationship(
  { relationship, dependencies, key }: PlacedRelationship,
  written: ReadonlyMap<DesignEntity, EntityColumns>,
  style: NameStyle,
): BuiltSet {
  const columns = new Columns(relationship.attributes, style);
  const byId = new Map<string, readonly Column[]>(columns.own.map((column, at) => [`f${at}`, [column]]));
  const references: ColumnReference[] = [];
  for (const [at, { entity, role }] of relationship.participants.entries()) {
    const targets = written.get(entity)?.key ?? [];
    if (targets.length === 0) continue;
    const own = targets.map((target) =>
      columns.reference(
        { key: target.name, keySize: targets.length, entity: entity.name, role, relationship: relationship.name },
        target,
        { reuse: true },
      ),
    );
    byId.set(`p${at}`, own);
    references.push({ columns: own, targets, entity: entity.index, unique: false });
  }
  const participants = relationship.participants.flatMap((_, at) => byId.get(`p${at}`) ?? []);
  const all = [...new Set([...participants, ...columns.own])];
  const write = writer((id) => byId.get(id));
  const keyNames = unique(key.flatMap((id) => (byId.get(id) ?? []).map(({ name }) => name)));
  return {
    set: relationship,
    columns: all,
    dependencies: write(dependencies),
    key: keyNames,
    references,
    absorbed: [],
  };
}

/** Writes dependencies over ids as dependencies over names; what has no column on the left is out. */
function writer(columnsOf: (id: string) => readonly Column[] | undefined) {
  const names = (ids: readonly string[]): string[] =>
    unique(ids.flatMap((id) => (columnsOf(id) ?? []).map(({ name }) => name)));
  return (dependencies: readonly FunctionalDependency[]): FunctionalDependency[] =>
    dependencies.flatMap(({ left, right }) => {
      const from = left.every((id) => columnsOf(id) !== undefined) ? names(left) : [];
      return from.length === 0 ? [] : [{ left: from, right: names(right) }];
    });
}

/**
 * Other relations reference the key that was found; dependencies which make it none are left out: first those that came
 * with relationship sets, then all but the key itself.
 */
function soundDependencies(
  attributes: readonly string[],
  key: readonly string[],
  base: readonly FunctionalDependency[],
  more: readonly FunctionalDependency[],
): { readonly dependencies: readonly FunctionalDependency[]; readonly ignored: boolean } {
  if (attributes.length === 0) return { dependencies: [], ignored: false };
  const sound = (dependencies: readonly FunctionalDependency[]): boolean =>
    isCandidateKey({ name: '', attributes, dependencies }, key);
  if (sound([...base, ...more])) return { dependencies: [...base, ...more], ignored: false };
  const kept = [...base];
  let ignored = false;
  if (sound(kept)) {
    for (const dependency of more) {
      if (sound([...kept, dependency])) kept.push(dependency);
      else ignored = true;
    }
    return { dependencies: kept, ignored };
  }
  return { dependencies: [{ left: key, right: without(attributes, key) }], ignored: true };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}
