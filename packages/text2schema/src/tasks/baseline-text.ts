import { FENCE_NOTE } from '@askema/core';
import type { SchemaCase } from '../demonstration/index.ts';
import { DEPENDENCY_CONVENTIONS } from '../profiles/logical-conventions.ts';
import {
  ATTRIBUTE_CONVENTIONS,
  ENTITY_CONVENTIONS,
  NAME_CONVENTIONS,
  RELATIONSHIP_CONVENTIONS,
} from '../profiles/model-conventions.ts';
import { TYPE_CONVENTIONS } from '../profiles/type-conventions.ts';

/**
 * What the baselines are told. Those of the paper (section 5.4) have the job, the types and worked cases; `guided` and the single agent also
 * have the conventions of the roles, word for word, so that a comparison with them measures the roles and not what one side knows.
 */

const MAPPING_CONVENTIONS: readonly string[] = [
  'Each entity set becomes a relation with the identifying fact as primary key. A relationship set whose participants are all `many` becomes a relation: the keys of its participants as foreign keys, its facts, and as primary key the foreign keys together with the fact that tells repetitions apart. One with a `one` participant becomes a foreign key on the `many` side, with its facts. A weak entity set becomes a relation whose primary key is the key of its owner with the fact that tells its rows apart.',
  'A foreign key attribute has the name of the key it refers to and its type; with the role in place of the name of the relation where there is one (Seller ID), or with the name of the relation before it where that is needed to tell it apart.',
  'Every relation is in third normal form, and its foreign keys refer to primary keys, whole ones.',
];

export interface BaselineTextOptions {
  /** Worked cases show their six steps. */
  readonly withSteps: boolean;
  /** With the conventions of the roles. */
  readonly conventions: boolean;
}

/** The system prompt of a baseline, around its job and its way of work. */
export function baselineSystemText(
  job: string,
  cases: readonly SchemaCase[],
  { withSteps, conventions }: BaselineTextOptions,
): string {
  return [
    `${job}\n\nThe relations of the schema, with typed attributes, primary keys and foreign keys, hold every fact that the requirement wants kept, once, and nothing else, in third normal form.`,
    ...(conventions
      ? [
          section('Entities', [...ENTITY_CONVENTIONS, ...ATTRIBUTE_CONVENTIONS]),
          section('Relationships', RELATIONSHIP_CONVENTIONS),
          section('Names', NAME_CONVENTIONS),
          section('Dependencies', DEPENDENCY_CONVENTIONS),
          section('Relations', MAPPING_CONVENTIONS),
        ]
      : []),
    section('Data types', TYPE_CONVENTIONS),
    ...cases.map((example, at) => caseText(example, cases.length > 1 ? ` ${at + 1}` : '', withSteps)),
    `# Data\n${FENCE_NOTE}`,
  ].join('\n\n');
}

function section(title: string, points: readonly string[]): string {
  return [`# ${title}`, ...points.map((point) => `- ${point}`)].join('\n');
}

function caseText({ requirement, steps, schema }: SchemaCase, number: string, withSteps: boolean): string {
  const answer = withSteps ? { thinking: (steps ?? []).join('\n'), schema } : schema;
  return `# Example${number}\nA requirement:\n${requirement}\n\nYour answer:\n${JSON.stringify(answer)}`;
}
