import { attributeClosure, type FunctionalDependency } from '@askema/normal-form';
import { isKeyName, keyRank } from '../conceptual/key-name.ts';
import { NameLookup, quoted } from '../conceptual/name-lookup.ts';
import { chooseKey } from './choose-key.ts';
import { type KeyedEntity, referenceId } from './entity-order.ts';
import type { MappingReporter } from './mapping-codes.ts';
import type { DesignEntity, DesignRelationship } from './read-model.ts';
import { addEntityNames, readDependencies } from './set-names.ts';

/** Where the facts of a relationship set stand. Ids: `p0` for the key of a participant, `f0` for an attribute. */
export interface PlacedRelationship {
  readonly relationship: DesignRelationship;
  /** The participant whose relation holds them; undefined for a relation of its own. */
  readonly holder: number | undefined;
  readonly dependencies: readonly FunctionalDependency[];
  readonly key: readonly string[];
}

/** What is known of the participants when a relationship set is placed. */
export interface ParticipantKnowledge {
  /** Names of the key attributes of an entity set, those of its owners included; empty where it became no relation. */
  keyNames(entity: DesignEntity): readonly string[];
  keyed(entity: DesignEntity): KeyedEntity | undefined;
}

/**
 * Decides where a relationship set goes (Elmasri and Navathe, Fundamentals of Database Systems, 7th edition, section
 * 9.1.1, steps 3 to 5 and 7): many-to-one and one-to-one ones stand in a participant's relation, where each of its rows
 * has one of them; many-to-many and n-ary ones become relations. Its key follows from cardinalities and dependencies;
 * attributes in no dependency depend on the key.
 */
export function placeRelationship(
  relationship: DesignRelationship,
  knowledge: ParticipantKnowledge,
  add: MappingReporter,
): PlacedRelationship {
  const { participants, attributes, name } = relationship;
  const tokens = participants.map((_, at) => `p${at}`);
  const facts = attributes.map((_, at) => `f${at}`);
  const known = new NameLookup<string>(attributes.map((attribute, at) => ({ name: attribute.name, value: `f${at}` })));
  for (const [at, { role }] of participants.entries()) if (role !== undefined) known.add(role, `p${at}`);
  for (const [at, { entity, role }] of participants.entries())
    addEntityNames(known, `p${at}`, entity, role, { keyNames: knowledge.keyNames(entity) });
  const stated = readDependencies(relationship, { known, many: new NameLookup<string>([]) }, add);
  const dependencies = [...cardinalityDependencies(relationship, stated.dependencies), ...stated.dependencies];
  const named = new Set([
    ...stated.preferredKey,
    ...stated.dependencies.flatMap(({ left, right }) => [...left, ...right]),
  ]);
  const unnamed = facts.filter((id) => !named.has(id));
  if (unnamed.length > 0) {
    const others = [...tokens, ...facts.filter((id) => named.has(id))];
    const scheme = { name, attributes: others, dependencies };
    const key = others.length === 0 ? [] : chooseKey(scheme, stated.preferredKey, () => false).key;
    if (key.length > 0) dependencies.push({ left: key, right: unnamed });
    if (stated.dependencies.length > 0) reportUndetermined(relationship, unnamed, add);
  }
  const scheme = { name, attributes: [...tokens, ...facts], dependencies };
  const factOf = (id: string): string => attributes[facts.indexOf(id)]?.name ?? '';
  const chosen = chooseKey(scheme, stated.preferredKey, (id) => id.startsWith('p') || isKeyName(factOf(id)));
  if (!chosen.honoured)
    add(
      'preferred-key-no-key',
      name,
      `The preferred key of ${quoted(name)} is no candidate key by its cardinalities and dependencies.`,
      'Leave it empty, or correct the dependencies; if the cardinalities are wrong, tell the conceptual designer.',
    );
  reportContradiction(relationship, stated.dependencies, add);
  const holder = holderOf(relationship, dependencies, [...tokens, ...facts], knowledge);
  const timeless = facts.some((id, at) => chosen.key.includes(id) && attributes[at]?.type !== 'DATETIME');
  if (holder === undefined && timeless && chosen.key.length === scheme.attributes.length)
    add(
      'all-key-needless',
      name,
      `All attributes of ${quoted(name)} together are its key.`,
      'If the participants alone identify a row, write a dependency from them to the attributes.',
    );
  return { relationship, holder, dependencies, key: chosen.key };
}

/**
 * `one` says that the others determine it. Among three and more, what the proposal says of it counts instead: a time
 * may be needed too, where the same ones are connected again (who was whose superior, from when on).
 */
function cardinalityDependencies(
  { participants }: DesignRelationship,
  stated: readonly FunctionalDependency[],
): FunctionalDependency[] {
  if (participants.length < 2) return [];
  return participants.flatMap(({ cardinality }, at) => {
    if (cardinality !== 'one') return [];
    if (participants.length > 2 && stated.some(({ right }) => right.includes(`p${at}`))) return [];
    const others = participants.flatMap((_, other) => (other === at ? [] : [`p${other}`]));
    return [{ left: others, right: [`p${at}`] }];
  });
}

function reportUndetermined(
  { name, attributes }: DesignRelationship,
  ids: readonly string[],
  add: MappingReporter,
): void {
  const names = ids.map((id) => quoted(attributes[Number(id.slice(1))]?.name ?? ''));
  add(
    'attribute-undetermined',
    name,
    `No dependency of ${quoted(name)} names ${names.join(', ')}.`,
    'Write it on the right side of the dependency that determines it; else it is taken to depend on the key.',
  );
}

/** In binary relationship sets, the dependencies between the participants are the cardinalities, and nothing else. */
function reportContradiction(
  { name, participants }: DesignRelationship,
  stated: readonly FunctionalDependency[],
  add: MappingReporter,
): void {
  if (participants.length !== 2) return;
  for (const [at, { entity, role, cardinality }] of participants.entries()) {
    const other = participants[1 - at];
    if (cardinality === 'one' || other === undefined) continue;
    if (!attributeClosure([`p${1 - at}`], stated).includes(`p${at}`)) continue;
    const [from, to] = [quoted(other.role ?? other.entity.name), quoted(role ?? entity.name)];
    add(
      'dependency-against-cardinality',
      name,
      `The dependencies of ${quoted(name)} say that ${from} determines ${to}; its cardinalities say that one ${from} has many ${to}.`,
      `If there is one ${to} to each ${from}, make its cardinality \`one\`; else leave the dependency out.`,
    );
  }
}

/**
 * The participant whose key determines everything else of a binary relationship set. Where both do (one-to-one), the
 * one that needs the other to be identified; else the one whose dependencies name the other; else the one that has the
 * other's key as an attribute; else the one beside a participant with a role (`manager`: the department holds it); else
 * the second one.
 */
function holderOf(
  relationship: DesignRelationship,
  dependencies: readonly FunctionalDependency[],
  all: readonly string[],
  knowledge: ParticipantKnowledge,
): number | undefined {
  const { participants } = relationship;
  if (participants.length !== 2 || participants.some(({ entity }) => knowledge.keyNames(entity).length === 0))
    return undefined;
  const able = [0, 1].filter((at) => {
    const closure = new Set(attributeClosure([`p${at}`], dependencies));
    return participants[1 - at]?.cardinality === 'one' && all.every((id) => closure.has(id));
  });
  if (able.length < 2) return able[0];
  const weight = (at: number): number => {
    const [holder, other] = [participants[at], participants[1 - at]];
    if (holder === undefined || other === undefined) return 0;
    const id = referenceId(relationship, 1 - at);
    const keyed = knowledge.keyed(holder.entity)?.keyed;
    const entity = { name: other.entity.name, attributes: other.entity.attributes.map(({ name }) => name) };
    if (keyed?.key.includes(id)) return 4;
    if (keyed?.references.includes(id)) return 3;
    if (holder.entity !== other.entity && holder.entity.attributes.some(({ name }) => keyRank(entity, name) === 3))
      return 2;
    return other.role !== undefined && holder.role === undefined ? 1 : 0;
  };
  return weight(0) > weight(1) ? 0 : 1;
}
