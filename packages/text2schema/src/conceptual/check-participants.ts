import type { ConceptualModel, RelationshipSet } from '../model/index.ts';
import type { ConceptualReporter } from './conceptual-codes.ts';
import { foldedName, hint, NameLookup, quoted, wordForm } from './name-lookup.ts';

/**
 * Who takes part in relationship sets: enough, existing, told apart, with a cardinality; and sets that say the same
 * thing twice.
 */
export function checkParticipants(model: ConceptualModel, add: ConceptualReporter): void {
  const entities = new NameLookup(model.entitySets.map((entity) => ({ name: entity.name, value: entity })));
  const seen = new Map<string, RelationshipSet>();
  for (const relationship of model.relationshipSets) {
    const { name, participants } = relationship;
    if (participants.length < 2)
      add(
        'relationship-too-few-participants',
        name,
        `The relationship set ${quoted(name)} connects ${participants.length === 1 ? `only ${quoted(participants[0]?.entity ?? '')}` : 'nothing'}.`,
        'Name at least two participants; facts of one entity set alone are attributes of that entity set.',
      );
    for (const { entity, cardinality } of participants) {
      if (entity.trim() === '')
        add(
          'name-empty',
          name,
          `A participant of ${quoted(name)} has no name.`,
          'Name the entity set that takes part.',
        );
      else if (entities.find(entity) === undefined) reportUnknown(name, entity, entities.nearest(entity), add);
      if (cardinality !== 'one' && cardinality !== 'many')
        add(
          'cardinality-invalid',
          name,
          `${quoted(entity)} has the cardinality ${quoted(String(cardinality))} in ${quoted(name)}.`,
          'Write `one` or `many`: how many of it belong to one combination of the others.',
        );
    }
    reportMissingRoles(relationship, entities, add);
    reportSeparateFacts(relationship, add);
    const form = participantForm(relationship, entities);
    const other = participants.length < 2 ? undefined : seen.get(form);
    if (other !== undefined && mayBeOneFact(relationship, other))
      add(
        'relationship-duplicate',
        name,
        `${quoted(name)} connects the same entity sets as ${quoted(other.name)}.`,
        'Keep one of them, unless they state two different facts; then say so by roles.',
      );
    else seen.set(form, relationship);
  }
}

/**
 * Fourth normal form (Fagin 1977): independent facts with many values, in one relation, have to be stored in every
 * combination.
 */
function reportSeparateFacts({ name, participants, attributes }: RelationshipSet, add: ConceptualReporter): void {
  if (participants.length < 3 || attributes.length > 0) return;
  if (participants.some(({ cardinality }) => cardinality !== 'many')) return;
  const [first, second, third] = participants.map(({ entity, role }) => quoted(role ?? entity));
  add(
    'relationship-of-separate-facts',
    name,
    `${quoted(name)} connects ${participants.length} participants and has no fact of its own.`,
    `If ${second} and ${third} have nothing to do with each other, connect ${first} with each of them by a set of its own; if each row says something of all at once, keep it.`,
  );
}

function reportUnknown(name: string, entity: string, nearest: readonly string[], add: ConceptualReporter): void {
  add(
    'participant-unknown',
    name,
    `${quoted(entity)} takes part in ${quoted(name)}, but there is no such entity set.${hint(nearest)}`,
    `Correct the name, or add ${quoted(entity)} to the entity sets.`,
  );
}

function reportMissingRoles(
  { name, participants }: RelationshipSet,
  entities: NameLookup<{ readonly name: string }>,
  add: ConceptualReporter,
): void {
  const roles = new Map<string, string[]>();
  for (const { entity, role } of participants) {
    const key = entities.find(entity)?.name ?? entity;
    roles.set(key, [...(roles.get(key) ?? []), foldedName(role ?? '')]);
  }
  for (const [entity, own] of roles) {
    if (own.length < 2 || (new Set(own).size === own.length && !own.includes(''))) continue;
    add(
      'participant-without-role',
      name,
      `${quoted(entity)} takes part ${own.length === 2 ? 'twice' : `${own.length} times`} in ${quoted(name)}, without roles that tell which is which.`,
      'Give each of these participants a role of its own, as `manager` and `report`.',
    );
  }
}

/**
 * Sets that differ in their cardinalities, each have attributes of their own, or are each named by something else than
 * their participants (`Captain` and `First Officer` of a flight) state two facts. That two verbs mean the same is
 * nothing that code can tell.
 */
function mayBeOneFact(one: RelationshipSet, other: RelationshipSet): boolean {
  const names = ({ attributes }: RelationshipSet): string[] => attributes.map((name) => foldedName(name));
  const within = (some: string[], all: string[]): boolean => some.every((name) => all.includes(name));
  const cardinalities = ({ participants }: RelationshipSet): string =>
    participants
      .map(({ entity, cardinality }) => `${foldedName(entity)} ${cardinality}`)
      .sort()
      .join();
  const [mine, theirs] = [names(one), names(other)];
  const [said, alsoSaid] = [saidByName(one), saidByName(other)];
  return (
    cardinalities(one) === cardinalities(other) &&
    (within(mine, theirs) || within(theirs, mine)) &&
    (said === '' || alsoSaid === '' || said === alsoSaid)
  );
}

/** Words of names that say only that there is a connection. */
const CONNECTING_WORDS: ReadonlySet<string> = new Set(
  'has have belong belongs contain contains include includes consist consists is are be 有 属于 包含 拥有'.split(' '),
);

/** What a name says beside its participants and that they are connected: nothing in `Order of Customer`. */
function saidByName({ name, participants }: RelationshipSet): string {
  const known = new Set(participants.flatMap(({ entity }) => wordForm(entity).split(' ')));
  return wordForm(name)
    .split(' ')
    .filter((word) => !known.has(word) && !CONNECTING_WORDS.has(word))
    .join(' ');
}

/** Equal for relationship sets between the same participants in the same roles, in any order. */
function participantForm({ participants }: RelationshipSet, entities: NameLookup<{ readonly name: string }>): string {
  const parts = participants.map(({ entity, role }) => [
    entities.find(entity)?.name ?? foldedName(entity),
    foldedName(role ?? ''),
  ]);
  return JSON.stringify(parts.map((part) => JSON.stringify(part)).sort());
}
