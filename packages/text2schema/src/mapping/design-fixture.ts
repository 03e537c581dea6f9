import type { DataType, Schema } from '@askema/core';
import type { FunctionalDependency } from '@askema/normal-form';
import type { ConceptualModel, LogicalProposal, Participant, ProposedSet } from '../model/index.ts';
import { namedSchemaOf } from './named-schema.ts';

/** A set of a fixture. */
export interface SetFixture {
  /** `Name TYPE`; TEXT where the type is left out. `not null` and `unique` may follow. */
  readonly attributes?: readonly string[] | undefined;
  /** `A, B -> C`. */
  readonly dependencies?: readonly string[] | undefined;
  readonly preferredKey?: readonly string[] | undefined;
  /** Only for relationship sets: `Entity many`, `Entity as role one`. */
  readonly between?: readonly string[] | undefined;
}

/** A model and a proposal in a short form, for tests: sets with `between` are relationship sets. */
export function designFixture(sets: Readonly<Record<string, SetFixture>>): {
  readonly model: ConceptualModel;
  readonly proposal: LogicalProposal;
} {
  const all = Object.entries(sets);
  const namesOf = ({ attributes = [] }: SetFixture): string[] => attributes.map((text) => attributeOf(text).name);
  return {
    model: {
      entitySets: all
        .filter(([, { between }]) => between === undefined)
        .map(([name, set]) => ({ name, attributes: namesOf(set) })),
      relationshipSets: all.flatMap(([name, set]) =>
        set.between === undefined
          ? []
          : [{ name, participants: set.between.map(participantOf), attributes: namesOf(set) }],
      ),
    },
    proposal: {
      sets: all.map(
        ([name, { attributes = [], dependencies = [], preferredKey = [] }]): ProposedSet => ({
          set: name,
          attributes: attributes.map(attributeOf),
          dependencies: dependencies.map(dependencyOf),
          preferredKey,
        }),
      ),
    },
  };
}

/**
 * One line for each relation: `Copy(*ISBN, *Copy No, Condition) > Book(ISBN)`; a star marks the attributes of the
 * primary key.
 */
export function relationLines(schema: Schema): string[] {
  return namedSchemaOf(schema).relations.map(({ name, attributes, primaryKey, foreignKeys }) => {
    const columns = attributes.map((one) => (primaryKey.includes(one.name) ? `*${one.name}` : one.name));
    const references = foreignKeys.map((key) => {
      const same = key.attributes.join(', ') === key.targetAttributes.join(', ');
      const from = same ? '' : `${key.attributes.join(', ')} = `;
      return ` > ${key.target}(${from}${key.targetAttributes.join(', ')})`;
    });
    return `${name}(${columns.join(', ')})${references.join('')}`;
  });
}

function attributeOf(text: string): ProposedSet['attributes'][number] {
  const [, name = text, type = 'TEXT', rest = ''] =
    /^(.+?)(?: (NUMERIC|TEXT|DATETIME|BINARY|BOOL)((?: not null| unique)*))?$/.exec(text) ?? [];
  return {
    name,
    type: type as DataType,
    constraints: (['not null', 'unique'] as const).filter((one) => rest.includes(one)),
  };
}

function dependencyOf(text: string): FunctionalDependency {
  const [left = '', right = ''] = text.split('->');
  const names = (side: string): string[] =>
    side
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  return { left: names(left), right: names(right) };
}

function participantOf(text: string): Participant {
  const [, entity = text, role, cardinality] = /^(.+?)(?: as (.+))? (one|many)$/.exec(text) ?? [];
  return { entity, role, cardinality: cardinality === 'one' ? 'one' : 'many' };
}
