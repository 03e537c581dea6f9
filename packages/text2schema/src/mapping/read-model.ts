import { type DataType, type DomainConstraint, foldName } from '@askema/core';
import { hint, NameLookup, quoted } from '../conceptual/name-lookup.ts';
import type { Cardinality, ConceptualModel, LogicalProposal, ProposedAttribute, ProposedSet } from '../model/index.ts';
import type { MappingReporter } from './mapping-codes.ts';

/** An attribute of a set with what the proposal says of it. */
export interface SetAttribute {
  readonly name: string;
  readonly type: DataType;
  readonly constraints: readonly DomainConstraint['constraint'][];
}

/** A set of the model beside its part of the proposal. */
export interface DesignSet {
  readonly kind: 'entity' | 'relationship';
  /** In the model, from 0. */
  readonly index: number;
  readonly name: string;
  readonly attributes: readonly SetAttribute[];
  /** Undefined where the proposal left the set out. */
  readonly proposed: ProposedSet | undefined;
}

export interface DesignEntity extends DesignSet {
  readonly kind: 'entity';
}

interface DesignParticipant {
  readonly entity: DesignEntity;
  /** Undefined where it only repeats the name of the entity set. */
  readonly role: string | undefined;
  readonly cardinality: Cardinality;
}

export interface DesignRelationship extends DesignSet {
  readonly kind: 'relationship';
  readonly participants: readonly DesignParticipant[];
}

/** The model with its proposal: what repeats, has no name or does not exist is out, and reported. */
export interface DesignModel {
  readonly entities: readonly DesignEntity[];
  readonly relationships: readonly DesignRelationship[];
}

/** Puts model and proposal together. */
export function readModel(model: ConceptualModel, proposal: LogicalProposal, add: MappingReporter): DesignModel {
  const proposed = proposedSets(model, proposal, add);
  const entities = model.entitySets.map(({ name, attributes }, index): DesignEntity => {
    const set = proposed('entity', index);
    return {
      kind: 'entity',
      index,
      name: nameOf(name),
      attributes: readAttributes(name, attributes, set, add),
      proposed: set,
    };
  });
  const byName = new NameLookup(model.entitySets.map(({ name }, index) => ({ name, value: index })));
  const relationships = model.relationshipSets.map(({ name, attributes, participants }, index): DesignRelationship => {
    const set = proposed('relationship', index);
    const present = participants.flatMap(({ entity: entityName, role, cardinality }): DesignParticipant[] => {
      const at = byName.find(entityName);
      const entity = at === undefined ? undefined : entities[at];
      if (entity !== undefined)
        return [{ entity, role: roleOf(role, entity.name), cardinality: cardinality === 'one' ? 'one' : 'many' }];
      const nearest = byName.nearest(entityName);
      add(
        'participant-unknown',
        name,
        `${quoted(entityName)} takes part in ${quoted(name)}, but there is no such entity set.${hint(nearest)}`,
        'Correct the name, or add the entity set.',
      );
      return [];
    });
    return {
      kind: 'relationship',
      index,
      name: nameOf(name),
      attributes: readAttributes(name, attributes, set, add),
      proposed: set,
      participants: present,
    };
  });
  return { entities, relationships };
}

function nameOf(name: string): string {
  return name.trim() === '' ? 'Unnamed' : name.trim();
}

function roleOf(role: string | undefined, entity: string): string | undefined {
  const text = role?.trim() ?? '';
  return text === '' || foldName(text, 'insensitive') === foldName(entity, 'insensitive') ? undefined : text;
}

/** Finds the part of the proposal for a set; reports unknown, repeated and missing ones. */
function proposedSets(
  model: ConceptualModel,
  proposal: LogicalProposal,
  add: MappingReporter,
): (kind: DesignSet['kind'], index: number) => ProposedSet | undefined {
  const keys = [
    ...model.entitySets.map(({ name }, index) => ({ name, value: `entity ${index}` })),
    ...model.relationshipSets.map(({ name }, index) => ({ name, value: `relationship ${index}` })),
  ];
  const byName = new NameLookup(keys);
  const found = new Map<string, ProposedSet>();
  for (const set of proposal.sets) {
    const key = byName.find(set.set);
    if (key === undefined) {
      add(
        'set-unknown',
        set.set,
        `The model has no set ${quoted(set.set)}.${hint(byName.nearest(set.set))}`,
        'Use the names of the model. If a set is missing in it, tell the conceptual designer.',
      );
      continue;
    }
    const other = found.get(key);
    if (other === undefined) {
      found.set(key, set);
      continue;
    }
    add('set-repeated', set.set, `The proposal speaks of ${quoted(set.set)} twice.`, 'Put both parts into one.');
    found.set(key, {
      set: other.set,
      attributes: [...other.attributes, ...set.attributes],
      dependencies: [...other.dependencies, ...set.dependencies],
      preferredKey: other.preferredKey.length > 0 ? other.preferredKey : set.preferredKey,
    });
  }
  for (const { name, value } of keys) {
    // A relationship set without attributes needs no types, and its key follows from its cardinalities.
    const [kind, index] = value.split(' ');
    const empty = kind === 'relationship' && model.relationshipSets[Number(index)]?.attributes.length === 0;
    if (!found.has(value) && !empty)
      add(
        'set-left-out',
        name,
        `The proposal says nothing of ${quoted(name)}.`,
        'Give the types of its attributes and its functional dependencies.',
      );
  }
  return (kind, index) => found.get(`${kind} ${index}`);
}

function readAttributes(
  set: string,
  names: readonly string[],
  proposed: ProposedSet | undefined,
  add: MappingReporter,
): SetAttribute[] {
  const types = new NameLookup<ProposedAttribute>(
    (proposed?.attributes ?? []).map((attribute) => ({ name: attribute.name, value: attribute })),
  );
  const seen = new Set<string>();
  const attributes: SetAttribute[] = [];
  for (const written of names) {
    const name = written.trim();
    const folded = foldName(name, 'insensitive');
    if (name === '' || seen.has(folded)) {
      const what = name === '' ? 'an attribute without a name' : `${quoted(name)} twice`;
      add('attribute-repeated', set, `${quoted(set)} has ${what}.`, 'Keep one of them, with a name.');
      continue;
    }
    seen.add(folded);
    const attribute = types.find(written);
    if (attribute === undefined && proposed !== undefined)
      add(
        'attribute-left-out',
        set,
        `The proposal gives ${quoted(name)} of ${quoted(set)} no type.`,
        'Give it the type NUMERIC, TEXT, DATETIME, BINARY or BOOL.',
      );
    attributes.push({ name, type: attribute?.type ?? 'TEXT', constraints: attribute?.constraints ?? [] });
  }
  return attributes;
}
