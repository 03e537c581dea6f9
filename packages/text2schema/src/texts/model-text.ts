import type { ConceptualModel, Participant } from '../model/index.ts';
import { listSection } from './list-section.ts';

/** An entity-relationship model, one line a set: `Borrows: Member (many), Book (many); facts: Borrow Date`. */
export function conceptualModelText({ entitySets, relationshipSets }: ConceptualModel): string {
  const entities = entitySets.map(({ name, attributes }) => `${name}(${attributes.join(', ')})`);
  const relationships = relationshipSets.map(({ name, participants, attributes }) => {
    const facts = attributes.length === 0 ? '' : `; facts: ${attributes.join(', ')}`;
    return `${name}: ${participants.map(participantText).join(', ')}${facts}`;
  });
  return [...listSection('Entity sets', entities), ...listSection('Relationship sets', relationships)].join('\n');
}

function participantText({ entity, role, cardinality }: Participant): string {
  return `${entity}${role === undefined ? '' : ` as ${role}`} (${cardinality})`;
}
