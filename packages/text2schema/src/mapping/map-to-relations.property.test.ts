import { DATA_TYPES, foldName, validateSchema } from '@askema/core';
import { type FunctionalDependency, verifyCertificate } from '@askema/normal-form';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import type { ConceptualModel, LogicalProposal } from '../model/index.ts';
import { checkDesign } from './check-design.ts';
import { mapToRelations } from './map-to-relations.ts';

/** Names that collide, that read like keys of each other, and that are hostile. */
const ENTITIES = ['Student', 'Course', 'Dept', 'student', 'Order Item', 'Order', '课程', '__proto__', 'a.b'];
const ATTRIBUTES = [
  ...[
    'ID',
    'Name',
    'Student ID',
    'Course ID',
    'Dept ID',
    'Order ID',
    'Order No',
    'Item No',
    'title',
    'Title',
    'A, B',
    'x->y',
  ],
  ...['课程编号', '课程 编号', 'constructor', 'a_b', 'a b', '#', 'Date', 'Code', 'Manager ID', 'id'],
];
const ROLES = ['manager', 'report', 'first', '', 'Student'];
const RELATIONSHIPS = ['takes', 'Takes', 'has', 'Order', 'belongs to', 'works in'];

const entitySet = fc.record({
  name: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...ENTITIES) }, { weight: 1, arbitrary: fc.string() }),
  attributes: fc.oneof(
    { weight: 6, arbitrary: fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.array(fc.string({ maxLength: 3 }), { maxLength: 4 }) },
  ),
});
const entitySets = fc.uniqueArray(entitySet, { maxLength: 6, selector: ({ name }) => name });
const model: fc.Arbitrary<ConceptualModel> = entitySets.chain((sets) => {
  const known = sets.length === 0 ? fc.constant('nothing') : fc.constantFrom(...sets.map(({ name }) => name));
  const participant = fc.record({
    entity: fc.oneof(
      { weight: 15, arbitrary: known },
      { weight: 1, arbitrary: fc.constantFrom('nothing', ...ENTITIES) },
    ),
    role: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
    cardinality: fc.constantFrom('one' as const, 'many' as const),
  });
  const relationshipSet = fc.record({
    name: fc.constantFrom(...RELATIONSHIPS),
    participants: fc.oneof(
      { weight: 3, arbitrary: fc.array(participant, { minLength: 2, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.array(participant, { maxLength: 4 }) },
    ),
    attributes: fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), { maxLength: 2 }),
  });
  return fc.record({ entitySets: fc.constant(sets), relationshipSets: fc.array(relationshipSet, { maxLength: 6 }) });
});
const noise = fc.constantFrom('nothing', '', '__proto__', ...ENTITIES, ...ROLES, ...ATTRIBUTES);

/**
 * A proposal whose dependencies mostly name what they may: attributes of the set, entity sets and roles of the model.
 */
function proposalOf(of: ConceptualModel): fc.Arbitrary<LogicalProposal> {
  const connectedWith = (name: string): string[] =>
    of.relationshipSets
      .filter((one) => one.name === name || one.participants.some(({ entity }) => entity === name))
      .flatMap(({ participants }) => participants.flatMap(({ entity, role }) => role ?? entity));
  const sets = [...of.entitySets, ...of.relationshipSets].map(({ name, attributes }) => {
    const own = attributes.length > 0 ? fc.constantFrom(...attributes) : noise;
    const connected = connectedWith(name);
    const other = connected.length > 0 ? fc.constantFrom(...connected) : noise;
    const anyName = fc.oneof(
      { weight: 12, arbitrary: own },
      { weight: 4, arbitrary: other },
      { weight: 1, arbitrary: noise },
    );
    const side = (minLength: number) => fc.array(anyName, { minLength, maxLength: 3 });
    const dependency: fc.Arbitrary<FunctionalDependency> = fc.record({ left: side(0), right: side(1) });
    const typed = fc.record({
      name: fc.oneof({ weight: 9, arbitrary: own }, { weight: 1, arbitrary: noise }),
      type: fc.constantFrom(...DATA_TYPES),
      constraints: fc.uniqueArray(fc.constantFrom('not null' as const, 'unique' as const)),
    });
    return fc.record({
      set: fc.oneof({ weight: 15, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: noise }),
      attributes: fc.array(typed, { maxLength: 5 }),
      dependencies: fc.array(dependency, { maxLength: 4 }),
      preferredKey: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: side(0) }),
    });
  });
  return fc.tuple(...sets).map((all) => ({ sets: all }));
}

const design = model.chain((of) => fc.tuple(fc.constant(of), proposalOf(of)));

const numRuns = propertyRuns(60);

describe('mapToRelations, on random models and proposals', () => {
  it('makes schemas that keep Definition 1, with certificates that hold', () => {
    fc.assert(
      fc.property(design, fc.boolean(), ([conceptual, logical], explicitConstraints) => {
        const made = mapToRelations(conceptual, logical, { explicitConstraints });
        expect(validateSchema(made.schema)).toEqual([]);
        for (const decomposition of made.decompositions)
          expect(verifyCertificate(decomposition)).toEqual({ valid: true, problems: [] });
        expect(checkDesign(made)).toEqual([]);
        expect(made.relations.map(({ relation }) => relation)).toEqual(made.schema.relations.map(({ id }) => id));
      }),
      { numRuns },
    );
  }, 60_000);

  it('loses no attribute of the model', () => {
    fc.assert(
      fc.property(design, ([conceptual, logical]) => {
        const { schema, relations } = mapToRelations(conceptual, logical);
        for (const { name, attributes } of conceptual.entitySets) {
          if (name.trim() === '' || ENTITIES.filter((one) => one.toLowerCase() === name.toLowerCase()).length > 1)
            continue;
          const own = relations.filter(({ source }) => source.kind === 'entity' && source.set === name.trim());
          const there = new Set(
            own.flatMap(({ relation }) =>
              schema.attributes
                .filter((one) => one.relation === relation)
                .map((one) => foldName(one.name, 'insensitive')),
            ),
          );
          for (const attribute of attributes)
            if (attribute.trim() !== '') expect(there).toContain(foldName(attribute.trim(), 'insensitive'));
        }
      }),
      { numRuns },
    );
  }, 60_000);

  it('makes the same design of the same input, and the same relations in whatever order dependencies stand', () => {
    fc.assert(
      fc.property(design, ([conceptual, logical]) => {
        const made = mapToRelations(conceptual, logical);
        expect(mapToRelations(structuredClone(conceptual), structuredClone(logical))).toEqual(made);
        const turned = {
          sets: logical.sets.map((set) => ({ ...set, dependencies: set.dependencies.toReversed() })),
        };
        // Sets that come twice are put together in their order.
        if (new Set(logical.sets.map(({ set }) => set.toLowerCase())).size < logical.sets.length) return;
        const other = mapToRelations(conceptual, turned);
        expect(other.schema.relations).toEqual(made.schema.relations);
        expect(other.schema.primaryKeys).toEqual(made.schema.primaryKeys);
      }),
      { numRuns },
    );
  }, 60_000);
});
