import { NameLookup, quoted } from '../conceptual/name-lookup.ts';
import { type EntityKey, keyOfEntity } from './entity-key.ts';
import type { MappingReporter } from './mapping-codes.ts';
import type { DesignEntity, DesignModel, DesignRelationship } from './read-model.ts';
import { addEntityNames, type ReadDependencies, readDependencies } from './set-names.ts';

/** One entity set seen from another one along a relationship set. */
export interface EntityReference {
  /** `r2.1`: the relationship set, and the participant that is referenced. */
  readonly id: string;
  readonly relationship: DesignRelationship;
  /** The participant that is referenced. */
  readonly to: number;
  readonly entity: DesignEntity;
  readonly role: string | undefined;
}

/** An entity set with its key and what its dependencies mean. */
export interface KeyedEntity {
  readonly entity: DesignEntity;
  readonly references: readonly EntityReference[];
  readonly keyed: EntityKey;
  /** Dependencies with attributes of relationship sets (`f2.0`), for where these stand in this set. */
  readonly factDependencies: ReadDependencies['dependencies'];
}

/** The id under which a relationship set's reference to one of its participants is known. */
export function referenceId(relationship: DesignRelationship, to: number): string {
  return `r${relationship.index}.${to}`;
}

/** The id of an attribute of a relationship set. */
export function factId(relationship: DesignRelationship, at: number): string {
  return `f${relationship.index}.${at}`;
}

/**
 * Finds the keys of all entity sets, those that identify others first, so that each can be written in attributes when
 * it is needed. Circles of entity sets that identify each other are reported and cut; it always ends.
 */
export function orderEntities(model: DesignModel, add: MappingReporter): readonly KeyedEntity[] {
  const open = model.entities.map((entity): OpenEntity => {
    const { references, many } = referencesOf(entity, model.relationships);
    const { read, factDependencies } = readEntity(entity, references, many, add);
    const cut = new Set<string>();
    const connected = references.map(({ id }) => id);
    const find = (): EntityKey => keyOfEntity(entity, read, connected, cut);
    return { entity, references, cut, find, keyed: find(), factDependencies };
  });
  for (;;) {
    const ordered = inOrder(open, add);
    // What has no key identifies nothing, and nothing can be determined by it.
    const keyless = new Set<DesignEntity>();
    for (const one of ordered) if (isKeyless(one, keyless)) keyless.add(one.entity);
    const wrong = ordered.flatMap((one) =>
      one.references
        .filter(({ id, entity }) => keyless.has(entity) && one.keyed.attributes.includes(id))
        .map(({ id }) => ({ one, id })),
    );
    if (wrong.length === 0) return ordered;
    for (const { one, id } of wrong) one.cut.add(id);
    for (const one of new Set(wrong.map((each) => each.one))) one.keyed = one.find();
  }
}

/** An entity set whose key may still change. */
interface OpenEntity extends KeyedEntity {
  keyed: EntityKey;
  /** References that may not stand in it. */
  readonly cut: Set<string>;
  readonly find: () => EntityKey;
}

function isKeyless({ keyed, references }: KeyedEntity, keyless: ReadonlySet<DesignEntity>): boolean {
  return keyed.key.every((id) => references.some((one) => one.id === id && keyless.has(one.entity)));
}

/** Those first whose keys stand in others; cuts circles. */
function inOrder(open: readonly OpenEntity[], add: MappingReporter): readonly OpenEntity[] {
  const byEntity = new Map(open.map((one) => [one.entity, one]));
  const done = new Set<DesignEntity>();
  const ordered: OpenEntity[] = [];
  const waitsFor = (one: OpenEntity): EntityReference | undefined =>
    one.references.find(({ id, entity }) => one.keyed.key.includes(id) && !done.has(entity));
  for (let waiting = open; waiting.length > 0; ) {
    const ready = waiting.filter((one) => waitsFor(one) === undefined);
    for (const one of ready) {
      done.add(one.entity);
      ordered.push(one);
    }
    waiting = waiting.filter((one) => !done.has(one.entity));
    if (ready.length > 0 || waiting.length === 0) continue;
    cutCircle(
      waiting,
      (one) => {
        const reference = waitsFor(one);
        return reference === undefined ? undefined : { reference, next: byEntity.get(reference.entity) };
      },
      add,
    );
  }
  return ordered;
}

/** Follows what identifies what until it comes back, and cuts there, at the entity set that the model names first. */
function cutCircle(
  waiting: readonly OpenEntity[],
  step: (one: OpenEntity) => { readonly reference: EntityReference; readonly next: OpenEntity | undefined } | undefined,
  add: MappingReporter,
): void {
  const path: OpenEntity[] = [];
  let at = waiting[0];
  while (at !== undefined && !path.includes(at)) {
    path.push(at);
    at = step(at)?.next;
  }
  const circle = at === undefined ? path : path.slice(path.indexOf(at));
  const [first] = [...circle].sort((a, b) => a.entity.index - b.entity.index);
  const reference = first === undefined ? undefined : step(first)?.reference;
  if (first === undefined || reference === undefined) return;
  const names = circle.map(({ entity }) => quoted(entity.name));
  add(
    'key-cycle',
    first.entity.name,
    names.length === 1
      ? `${names[0]} is identified by another row of itself, which is identified by another one again.`
      : `${names.join(', ')} are identified by each other in a circle.`,
    'Give one of them an attribute that identifies it, or leave the other one out of the left sides of its dependencies.',
  );
  first.cut.add(reference.id);
  first.keyed = first.find();
}

function referencesOf(entity: DesignEntity, relationships: readonly DesignRelationship[]) {
  const references: EntityReference[] = [];
  const many: EntityReference[] = [];
  for (const relationship of relationships) {
    const { participants } = relationship;
    for (const [to, participant] of participants.entries()) {
      const takesPart = participants.some((other, at) => at !== to && other.entity === entity);
      if (!takesPart) continue;
      const reference = {
        id: referenceId(relationship, to),
        relationship,
        to,
        entity: participant.entity,
        role: participant.role,
      };
      const single = participants.length === 2 && participant.cardinality === 'one';
      (single ? references : many).push(reference);
    }
  }
  return { references, many };
}

function readEntity(
  entity: DesignEntity,
  references: readonly EntityReference[],
  many: readonly EntityReference[],
  add: MappingReporter,
): { read: ReadDependencies; factDependencies: ReadDependencies['dependencies'] } {
  const known = new NameLookup<string>(entity.attributes.map(({ name }, index) => ({ name, value: `a${index}` })));
  const facts = new Set<string>();
  for (const { relationship } of references)
    for (const [at, { name }] of relationship.attributes.entries()) {
      facts.add(factId(relationship, at));
      known.add(name, factId(relationship, at));
    }
  const manyNames = new NameLookup<string>([]);
  // Its own name cannot stand for another row of itself; a role can.
  for (const [lookup, all] of [[known, references] as const, [manyNames, many] as const])
    for (const { id, entity: other, role } of all)
      addEntityNames(lookup, id, other, role, { roleOnly: other === entity });
  const all = readDependencies(entity, { known, many: manyNames }, add);
  const isFact = (id: string): boolean => facts.has(id);
  const plain = all.dependencies
    .filter(({ left }) => !left.some(isFact))
    .map(({ left, right }) => ({ left, right: right.filter((id) => !isFact(id)) }));
  return {
    read: { dependencies: plain, preferredKey: all.preferredKey.some(isFact) ? [] : all.preferredKey },
    factDependencies: all.dependencies.filter(({ left, right }) => [...left, ...right].some(isFact)),
  };
}
