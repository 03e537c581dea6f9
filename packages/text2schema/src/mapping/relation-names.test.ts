import { describe, expect, it } from 'vitest';
import type { ConceptualModel } from '../model/index.ts';
import { mapToRelations } from './map-to-relations.ts';

describe('names of relations', () => {
  const model: ConceptualModel = {
    entitySets: [
      { name: 'Student', attributes: ['Student ID'] },
      { name: 'Course', attributes: ['Course ID'] },
    ],
    relationshipSets: [
      {
        name: 'Enrol',
        participants: [
          { entity: 'Student', cardinality: 'many' },
          { entity: 'Course', cardinality: 'many' },
        ],
        attributes: [],
      },
    ],
  };
  const namesWith = (relation: string | undefined) =>
    mapToRelations(model, {
      sets: [{ set: 'Enrol', attributes: [], dependencies: [], preferredKey: [], relation }],
    }).schema.relations.map(({ name }) => name);

  it('are those of the proposal, where it has some that are free', () => {
    expect(namesWith('Enrolment')).toEqual(['Student', 'Course', 'Enrolment']);
    expect(namesWith(' ')).toEqual(['Student', 'Course', 'Enrol']);
    expect(namesWith(undefined)).toEqual(['Student', 'Course', 'Enrol']);
    expect(namesWith('course')).toEqual(['Student', 'Course', 'Enrol']);
  });
});
