import { DATA_TYPES, type FunctionalDependency, foldName, validateSchema, verifyCertificate } from '@askema/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
const participant = fc.record({
  entity: fc.constantFrom(...ENTITIES, 'nothing'),
  role: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
  cardinality: fc.constantFrom('one' as const, 'many' as const),
});
const relationshipSet = fc.record({
  name: fc.constantFrom(...RELATIONSHIPS),
  participants: fc.array(participant, { maxLength: 3 }),
  attributes: fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), { maxLength: 2 }),
});
const model: fc.Arbitrary<ConceptualModel> = fc.record({
  entitySets: fc.uniqueArray(entitySet, { maxLength: 6, selector: ({ name }) => name }),
  relationshipSets: fc.array(relationshipSet, { maxLength: 6 }),
});
/** Names that a proposal uses: those of the model mostly, in whatever set. */
const anyName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...ATTRIBUTES) },
  { weight: 3, arbitrary: fc.constantFrom(...ENTITIES) },
  { weight: 1, arbitrary: fc.constantFrom(...ROLES) },
);
const dependency: fc.Arbitrary<FunctionalDependency> = fc.record({
  left: fc.array(anyName, { maxLength: 3 }),
  right: fc.array(anyName, { maxLength: 3 }),
});
const proposal: fc.Arbitrary<LogicalProposal> = fc.record({
  sets: fc.array(
    fc.record({
      set: fc.constantFrom(...ENTITIES, ...RELATIONSHIPS),
      attributes: fc.array(
        fc.record({
          name: fc.constantFrom(...ATTRIBUTES),
          type: fc.constantFrom(...DATA_TYPES),
          constraints: fc.uniqueArray(fc.constantFrom('not null' as const, 'unique' as const)),
        }),
        { maxLength: 5 },
      ),
      dependencies: fc.array(dependency, { maxLength: 4 }),
      preferredKey: fc.array(anyName, { maxLength: 2 }),
    }),
    { maxLength: 10 },
  ),
});

const numRuns = Number(process.env.ASKEMA_PROPERTY_RUNS ?? 200);

describe('mapToRelations, on random models and proposals', () => {
  it('makes schemas that keep Definition 1, with certificates that hold', () => {
    fc.assert(
      fc.property(model, proposal, fc.boolean(), (conceptual, logical, explicitConstraints) => {
        const design = mapToRelations(conceptual, logical, { explicitConstraints });
        expect(validateSchema(design.schema)).toEqual([]);
        for (const decomposition of design.decompositions)
          expect(verifyCertificate(decomposition)).toEqual({ valid: true, problems: [] });
        expect(checkDesign(design)).toEqual([]);
        expect(design.relations.map(({ relation }) => relation)).toEqual(design.schema.relations.map(({ id }) => id));
      }),
      { numRuns },
    );
  });

  it('loses no attribute of the model', () => {
    fc.assert(
      fc.property(model, proposal, (conceptual, logical) => {
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
  });

  it('makes the same design of the same input, and the same relations in whatever order dependencies stand', () => {
    fc.assert(
      fc.property(model, proposal, (conceptual, logical) => {
        const design = mapToRelations(conceptual, logical);
        expect(mapToRelations(structuredClone(conceptual), structuredClone(logical))).toEqual(design);
        const turned = {
          sets: logical.sets.map((set) => ({ ...set, dependencies: set.dependencies.toReversed() })),
        };
        // Sets that come twice are put together in their order.
        if (new Set(logical.sets.map(({ set }) => set.toLowerCase())).size < logical.sets.length) return;
        const other = mapToRelations(conceptual, turned);
        expect(other.schema.relations).toEqual(design.schema.relations);
        expect(other.schema.primaryKeys).toEqual(design.schema.primaryKeys);
      }),
      { numRuns },
    );
  });
});
