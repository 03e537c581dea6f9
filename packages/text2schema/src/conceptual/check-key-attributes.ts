import type { ConceptualModel, EntitySet, RelationshipSet } from '../model/index.ts';
import type { ConceptualReporter } from './conceptual-codes.ts';
import { isBareName, KEY_ENDINGS, keyRank, keyStem } from './key-name.ts';
import { foldedName, NameLookup, quoted, wordForm } from './name-lookup.ts';

/** Ids that identify people and things outside of the database: facts, not references. */
const OUTSIDE_IDS: ReadonlySet<string> = new Set([
  ...[
    'national',
    'nationalidentity',
    'identity',
    'identitycard',
    'idcard',
    'citizen',
    'personal',
    'tax',
    'taxpayer',
    'passport',
    'vat',
  ],
  ...[
    'wechat',
    'open',
    'union',
    'apple',
    'google',
    'social',
    'transaction',
    'session',
    'tracking',
    'external',
    'license',
  ],
  ...['身份', '身份证', '统一社会信用', '纳税人', '护照', '微信', '证件', '流水', '订单流水'],
]);

/**
 * Keys that stand as attributes: in relationship sets, whose key is made of their participants, and in entity sets
 * (foreign keys).
 */
export function checkKeyAttributes(model: ConceptualModel, add: ConceptualReporter): void {
  const entities = new NameLookup(model.entitySets.map((entity) => ({ name: entity.name, value: entity })));
  const owners = new KeyOwners(model.entitySets);
  const connected = connections(model, entities);
  for (const entity of model.entitySets) {
    for (const attribute of entity.attributes) checkEntityAttribute(entity, attribute, owners, connected, add);
  }
  for (const relationship of model.relationshipSets) {
    const members = new KeyOwners(relationship.participants.flatMap(({ entity }) => entities.find(entity) ?? []));
    for (const attribute of relationship.attributes)
      checkRelationshipAttribute(relationship, attribute, members, owners, add);
  }
}

function checkEntityAttribute(
  entity: EntitySet,
  attribute: string,
  owners: KeyOwners,
  connected: ReadonlyMap<EntitySet, ReadonlySet<EntitySet>>,
  add: ConceptualReporter,
): void {
  const owner = owners.find(attribute, entity);
  if (owner !== undefined && wordForm(owner.name) !== wordForm(entity.name)) {
    if (connected.get(entity)?.has(owner))
      add(
        'entity-has-foreign-key',
        entity.name,
        `${quoted(attribute)} in ${quoted(entity.name)} is the key of ${quoted(owner.name)}, with which it is connected already.`,
        `Leave ${quoted(attribute)} out of ${quoted(entity.name)}: the relationship set becomes the foreign key.`,
      );
    else
      add(
        'entity-has-unrelated-key',
        entity.name,
        `${quoted(attribute)} in ${quoted(entity.name)} is the key of ${quoted(owner.name)}, but no relationship set connects the two.`,
        `Leave ${quoted(attribute)} out of ${quoted(entity.name)}, and add a relationship set between ${quoted(entity.name)} and ${quoted(owner.name)} with its cardinalities.`,
      );
    return;
  }
  if (isDoubtfulId(entity, attribute)) {
    add(
      'entity-has-doubtful-id',
      entity.name,
      `${quoted(attribute)} in ${quoted(entity.name)} reads like the key of something else, and no entity set has it.`,
      'If it refers to one of the entity sets, replace it by a relationship set, with a role where it refers to its own set; if it is a fact of this set, keep it.',
    );
    return;
  }
  const other = sameFact(entity, attribute, owners);
  if (other !== undefined)
    add(
      'attribute-of-other-entity',
      entity.name,
      `${quoted(attribute)} in ${quoted(entity.name)} is a fact of ${quoted(other.name)}, which has it too.`,
      `Leave it out of ${quoted(entity.name)}, and connect the two by a relationship set where they are not.`,
    );
}

/**
 * The other entity set that an attribute names and that has the rest of it: `Teacher Name` in `Course` beside `Teacher`
 * with `Name`.
 */
function sameFact(entity: EntitySet, attribute: string, { entities }: KeyOwners): EntitySet | undefined {
  const folded = foldedName(attribute);
  if (folded.startsWith(foldedName(entity.name))) return undefined;
  const other = entities.find(({ entity: one, name, attributes }) => {
    if (one === entity || name === '' || !folded.startsWith(name) || folded === name) return false;
    return attributes.has(folded) || attributes.has(folded.slice(name.length));
  });
  return other?.entity;
}

function isDoubtfulId(entity: EntitySet, attribute: string): boolean {
  const stem = keyStem(attribute);
  if (
    stem === undefined ||
    stem === '' ||
    OUTSIDE_IDS.has(stem) ||
    !/(?:id|编号|标识符?)$/u.test(foldedName(attribute))
  )
    return false;
  const [first] = entity.attributes;
  if (first !== undefined && foldedName(first) === foldedName(attribute)) return false;
  const name = foldedName(entity.name);
  return !name.includes(stem) && !stem.startsWith(name);
}

function checkRelationshipAttribute(
  { name, participants }: RelationshipSet,
  attribute: string,
  members: KeyOwners,
  owners: KeyOwners,
  add: ConceptualReporter,
): void {
  const stem = keyStem(attribute);
  const role = participants.find(({ role }) => role !== undefined && stem !== '' && stem === foldedName(role));
  const member = members.find(attribute) ?? (role === undefined ? undefined : { name: role.entity });
  if (member !== undefined) {
    add(
      'relationship-has-participant-key',
      name,
      `${quoted(attribute)} in ${quoted(name)} is the key of its participant ${quoted(member.name)}.`,
      `Leave ${quoted(attribute)} out: the keys of the participants identify a relationship set already.`,
    );
    return;
  }
  const owner = owners.find(attribute);
  if (owner !== undefined)
    add(
      'relationship-has-entity-key',
      name,
      `${quoted(attribute)} in ${quoted(name)} is the key of ${quoted(owner.name)}, which does not take part.`,
      `Leave ${quoted(attribute)} out; if ${quoted(owner.name)} belongs to the connection, make it a participant.`,
    );
  else if (stem !== undefined && (stem === '' || sameWords(stem, name)))
    add(
      'relationship-has-id',
      name,
      `${quoted(attribute)} is an id of the relationship set ${quoted(name)}.`,
      'Leave it out: the keys of the participants identify a relationship set. If the same participants can be connected several times, add the attribute that tells the times apart; if the requirement itself speaks of this id, make an entity set of the connection.',
    );
  else if (isIdOf(stem, attribute) && !isBareName(attribute))
    add(
      'relationship-has-doubtful-id',
      name,
      `${quoted(attribute)} in ${quoted(name)} reads like an id.`,
      'Leave it out where it identifies the connection or another entity set; keep it where the requirement asks for it as a fact.',
    );
}

function isIdOf(stem: string | undefined, attribute: string): boolean {
  return stem !== undefined && !OUTSIDE_IDS.has(stem) && /(?:id|编号|标识符?)$/u.test(foldedName(attribute));
}

function sameWords(stem: string, name: string): boolean {
  return stem === foldedName(name) || foldedName(wordForm(stem)) === foldedName(wordForm(name));
}

function connections(
  model: ConceptualModel,
  entities: NameLookup<EntitySet>,
): ReadonlyMap<EntitySet, ReadonlySet<EntitySet>> {
  const connected = new Map<EntitySet, Set<EntitySet>>(model.entitySets.map((entity) => [entity, new Set()]));
  for (const { participants } of model.relationshipSets) {
    const members = participants.flatMap(({ entity }) => entities.find(entity) ?? []);
    for (const [index, member] of members.entries())
      for (const [at, other] of members.entries()) if (at !== index) connected.get(member)?.add(other);
  }
  return connected;
}

/** An entity set with its names in their folded form. */
interface FoldedEntity {
  readonly entity: EntitySet;
  /** In the model, from 0. */
  readonly index: number;
  readonly name: string;
  readonly attributes: ReadonlySet<string>;
}

/** Tells whose key an attribute is by its name; in time that does not grow with the model. */
class KeyOwners {
  readonly entities: readonly FoldedEntity[];
  readonly #places: ReadonlyMap<EntitySet, number>;
  readonly #byName = new Map<string, FoldedEntity[]>();
  /** Only where the attribute reads like the key of the set that has it. */
  readonly #byAttribute = new Map<string, FoldedEntity[]>();

  constructor(entities: readonly EntitySet[]) {
    this.entities = entities.map((entity, index) => ({
      entity,
      index,
      name: foldedName(entity.name),
      attributes: new Set(entity.attributes.map(foldedName)),
    }));
    this.#places = new Map(entities.map((entity, index) => [entity, index]));
    for (const one of this.entities) {
      put(this.#byName, one.name, one);
      if (one.name.endsWith('s')) put(this.#byName, one.name.slice(0, -1), one);
      for (const attribute of one.entity.attributes)
        if (!isBareName(attribute) && keyRank(one.entity, attribute) > 0)
          put(this.#byAttribute, foldedName(attribute), one);
    }
  }

  /**
   * The entity set whose key an attribute is by its name. With an `owner`, another one that has a better claim to it,
   * or as good a one by standing before it in the model.
   */
  find(attribute: string, owner?: EntitySet | undefined): EntitySet | undefined {
    if (isBareName(attribute)) return undefined;
    const folded = foldedName(attribute);
    const candidates = new Set(this.#byAttribute.get(folded));
    for (const ending of KEY_ENDINGS)
      if (folded.endsWith(ending))
        for (const one of this.#byName.get(folded.slice(0, -ending.length)) ?? []) candidates.add(one);
    let best: FoldedEntity | undefined;
    let bestRank = owner === undefined ? 0 : keyRank(owner, attribute);
    const ownerAt = owner === undefined ? -1 : (this.#places.get(owner) ?? -1);
    for (const one of [...candidates].sort((a, b) => a.index - b.index)) {
      const rank = keyRank(one.entity, attribute);
      const earlier = best === undefined && rank === 1 && bestRank === 1 && one.index < ownerAt;
      if (rank > bestRank || earlier) {
        best = one;
        bestRank = rank;
      }
    }
    return best?.entity;
  }
}

function put(map: Map<string, FoldedEntity[]>, key: string, entity: FoldedEntity): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [entity]);
  else if (!all.includes(entity)) all.push(entity);
}
