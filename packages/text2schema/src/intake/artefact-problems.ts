import { DATA_TYPES } from '@askema/core';
import * as z from 'zod';
import { type DesignArtefacts, ROLE_IDS } from '../model/index.ts';

/** What the later phases rely on in the parts of {@link DesignArtefacts}; further fields are left alone. */

const text = z.string();
const names = z.array(z.string().min(1));
const named = z.string().min(1);
const role = z.enum(ROLE_IDS);
const dependency = z.looseObject({ left: z.array(text), right: z.array(text) });

const report = z.looseObject({
  language: text,
  title: text,
  summary: text,
  functions: z.array(text),
  subjects: z.array(z.looseObject({ name: named, attributes: names, description: text })),
  relationships: z.array(text),
  rules: z.array(text),
  clarifications: z.array(
    z.looseObject({
      kind: z.enum(['ambiguity', 'contradiction']),
      question: text,
      quotes: z.array(text),
      assumption: text,
      answer: text.optional(),
    }),
  ),
});

const conceptual = z.looseObject({
  entitySets: z.array(z.looseObject({ name: text, attributes: z.array(text) })),
  relationshipSets: z.array(
    z.looseObject({
      name: text,
      participants: z.array(
        z.looseObject({ entity: text, role: text.optional(), cardinality: z.enum(['one', 'many']) }),
      ),
      attributes: z.array(text),
    }),
  ),
});

const keys = z.array(z.array(text));
const scheme = z.looseObject({ name: text, attributes: z.array(text), dependencies: z.array(dependency) });
const chaseStep = z.looseObject({ dependency, from: text });

const design = z.looseObject({
  schema: z.looseObject({
    relations: z.array(z.looseObject({ id: named, name: named })),
    attributes: z.array(
      z.looseObject({
        id: named,
        relation: named,
        name: named,
        type: z.enum(DATA_TYPES as unknown as [string, ...string[]]),
      }),
    ),
    primaryKeys: z.array(z.looseObject({ relation: named, attributes: names })),
    foreignKeys: z.array(
      z.looseObject({
        id: named,
        relation: named,
        target: named,
        pairs: z.array(z.looseObject({ from: named, to: named })),
      }),
    ),
    domainConstraints: z.array(z.looseObject({ attribute: named, constraint: z.enum(['not null', 'unique']) })),
  }),
  relations: z.array(
    z.looseObject({
      relation: named,
      name: named,
      source: z.looseObject({ set: text, kind: z.enum(['entity', 'relationship']) }),
      absorbed: z.array(text),
      dependencies: z.array(dependency),
      candidateKeys: keys,
    }),
  ),
  decompositions: z.array(
    z.looseObject({
      original: scheme,
      relations: z.array(scheme.extend({ key: z.array(text), alternateKeys: keys })),
      foreignKeys: z.array(z.looseObject({ from: text, to: text, attributes: z.array(text) })),
      certificate: z.looseObject({
        keys: z.array(z.looseObject({ relation: text, key: z.array(text) })),
        lossless: z.looseObject({ row: text, steps: z.array(chaseStep) }),
        preserved: z.array(z.looseObject({ dependency, relation: text })),
      }),
    }),
  ),
  findings: z.array(
    z.looseObject({
      code: text,
      severity: z.enum(['error', 'warning']),
      subject: text,
      message: text,
      remedy: text,
      role,
    }),
  ),
});

const cells = z.array(z.looseObject({ attribute: text, value: z.union([text, z.number(), z.boolean(), z.null()]) }));
const operation = z.enum(['insert', 'delete', 'update', 'query']);

const testPlan = z.looseObject({
  sets: z.array(
    z.looseObject({
      title: text,
      given: z.array(z.looseObject({ target: text, values: cells })),
      cases: z.array(
        z.looseObject({
          operation,
          purpose: text,
          target: text,
          values: cells,
          where: cells,
          expected: z.discriminatedUnion('outcome', [
            z.looseObject({ outcome: z.literal('accepted') }),
            z.looseObject({
              outcome: z.literal('rejected'),
              by: z.enum(['entity integrity', 'referential integrity', 'not null', 'unique']),
            }),
            z.looseObject({ outcome: z.literal('rows'), rows: z.array(cells) }),
          ]),
        }),
      ),
    }),
  ),
});

const testReport = z.looseObject({
  accepted: z.boolean(),
  errors: z.array(z.looseObject({ role, problem: text, remedy: text })),
  text,
  run: z
    .looseObject({ dialect: text, results: z.array(z.looseObject({ status: text })), counts: z.looseObject({}) })
    .optional(),
});

const statedRows = z.array(
  z.looseObject({
    thing: named,
    label: named,
    facts: z.array(
      z.looseObject({
        fact: named,
        value: z.union([text, z.number(), z.boolean(), z.null(), z.looseObject({ row: named })]),
      }),
    ),
  }),
);

const requirementTests = z.array(
  z.looseObject({
    number: z.number().int(),
    kind: z.enum(['fact', 'event', 'refusal']),
    says: text,
    by: role,
    given: statedRows.optional(),
    rows: statedRows,
    isSample: z.boolean().optional(),
  }),
);

const testPlaces = z.array(
  z.looseObject({ thing: named, fact: text.nullable(), relation: named, attribute: text.nullable() }),
);

const assumptions = z.array(text);

const mutationCheck = z.looseObject({ planted: z.number(), noticed: z.number(), unnoticed: z.array(text) });

const SHAPES: Readonly<Record<keyof DesignArtefacts, z.ZodType>> = {
  report,
  conceptual,
  design,
  assumptions,
  testPlan,
  requirementTests,
  testPlaces,
  testReport,
  mutationCheck,
};

/** At most so many problems of one part are named. */
const MAX_PROBLEMS = 5;

/**
 * What is wrong with the form of a part that somebody brought along, each with its place:
 * `entitySets[1].attributes: Invalid input: expected array, received undefined`. Empty where later phases can read it.
 */
export function artefactProblems(part: keyof DesignArtefacts, value: unknown): readonly string[] {
  const { error } = SHAPES[part].safeParse(value);
  return (error?.issues ?? []).slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
    return place === '' ? message : `${place.replace(/^\./, '')}: ${message}`;
  });
}
