import type { ConceptualModel } from '../model/index.ts';
import type { ConceptualReporter } from './conceptual-codes.ts';
import { foldedName, quoted, spokenForm, wordForm } from './name-lookup.ts';

/** Empty and repeated names of sets and attributes, entity sets without attributes. */
export function checkNames(model: ConceptualModel, add: ConceptualReporter): void {
  const { entitySets, relationshipSets } = model;
  if (entitySets.length === 0)
    add('model-empty', '', 'The model has no entity set.', 'Name the kinds of things that the requirement stores.');
  const entities = new Map<string, string>();
  for (const { name, attributes } of entitySets) {
    if (isEmpty(name)) reportEmpty(add, 'an entity set');
    else reportRepeated(entities, name, 'entity', add);
    checkAttributeNames(name, attributes, add);
    if (attributes.length === 0)
      add(
        'entity-without-attributes',
        name,
        `The entity set ${quoted(name)} has no attributes.`,
        'Give it what the requirement says of it, something that identifies it above all; or make it an attribute of the set that it describes.',
      );
  }
  const relationships = new Map<string, string>();
  for (const { name, attributes, participants } of relationshipSets) {
    if (isEmpty(name)) reportEmpty(add, 'a relationship set');
    else {
      reportRepeated(relationships, name, 'relationship', add);
      const entity = entitySets.find((one) => foldedName(one.name) === foldedName(name))?.name;
      if (entity !== undefined) {
        const toMany = participants.filter(({ cardinality }) => cardinality === 'many').length > 1;
        add(
          'relationship-named-as-entity',
          name,
          `The relationship set ${quoted(name)} has the name of the entity set ${quoted(entity)}${toMany ? ', and both would become relations' : ''}.`,
          'Name the relationship set by a verb; where both mean the same thing, keep one of them.',
        );
      }
    }
    checkAttributeNames(name, attributes, add);
  }
}

function checkAttributeNames(set: string, attributes: readonly string[], add: ConceptualReporter): void {
  const seen = new Map<string, string>();
  for (const attribute of attributes) {
    if (isEmpty(attribute)) {
      reportEmpty(add, `an attribute of ${quoted(set)}`, set);
      continue;
    }
    const other = seen.get(foldedName(attribute));
    if (other === undefined) seen.set(foldedName(attribute), attribute);
    else
      add(
        'attribute-name-duplicate',
        set,
        `${quoted(set)} has the attribute ${quoted(attribute)} twice${other === attribute ? '' : ` (${quoted(other)})`}.`,
        'Keep one of them, or give them names that tell them apart.',
      );
  }
}

function reportRepeated(
  seen: Map<string, string>,
  name: string,
  kind: 'entity' | 'relationship',
  add: ConceptualReporter,
): void {
  // A preposition tells verbs apart, and nouns hardly ever.
  const form = kind === 'entity' ? wordForm(name) : spokenForm(name);
  const other = seen.get(form);
  if (other === undefined) {
    seen.set(form, name);
    return;
  }
  add(
    `${kind}-name-duplicate`,
    name,
    `Two ${kind} sets are called ${quoted(name)}${other === name ? '' : ` (${quoted(other)})`}.`,
    kind === 'entity'
      ? 'Make one set of them where they mean the same thing; else give them names that tell them apart.'
      : 'Add the object to the verb, as in `belongs to department`, so that each relationship set has a name of its own.',
  );
}

function isEmpty(name: string): boolean {
  return name.trim() === '';
}

function reportEmpty(add: ConceptualReporter, what: string, subject = ''): void {
  add(
    'name-empty',
    subject,
    `There is ${what} without a name.`,
    'Name it in the words of the requirement, or leave it out.',
  );
}
