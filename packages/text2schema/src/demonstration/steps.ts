import type { SchemaRole } from '../model/index.ts';
import { reportText } from '../texts/report-text.ts';
import { conceptualModelText, namedSchemaText } from '../texts/schema-text.ts';
import {
  DEMONSTRATION_MODEL,
  DEMONSTRATION_PROPOSAL,
  DEMONSTRATION_REPORT,
  DEMONSTRATION_REQUIREMENT,
  DEMONSTRATION_SCHEMA,
} from './music-school.ts';
import { DEMONSTRATION_ACCEPTANCE, DEMONSTRATION_COMPLAINT, DEMONSTRATION_TESTS } from './music-school-tests.ts';

/** Of a first model, in which Student had no City, Borrow had an attribute Loan ID, and Teacher was `many` in Give. */
const DEMONSTRATION_REJECTION = {
  thinking:
    'Finding 1 is right: a loan has no number in the requirement. City is named for students and is missing. A course is given by one teacher, so Teacher is `one` in Give. Administrators are only permitted to manage courses, so no relationship is missing.',
  answers: [
    { finding: 1, stands: true, remedy: 'Remove Loan ID from Borrow; Borrow Time tells the loans of one pair apart.' },
  ],
  issues: [
    {
      kind: 'missing attribute',
      subject: 'Student.City',
      evidence: 'student number, name, phone number, postal code and city',
      problem: 'The city of a student cannot be kept.',
      remedy: 'Add City to Student.',
    },
    {
      kind: 'wrong cardinality',
      subject: 'Give',
      evidence: 'is given by one teacher',
      problem: 'Teacher is `many`, so a course could have several teachers.',
      remedy: 'Make Teacher `one` and leave Course `many` in Give.',
    },
  ],
  verdict: 'reject',
};

/** Of the mended one. */
const DEMONSTRATION_APPROVAL = {
  thinking:
    'Every fact stands at its set, the student of a payment is the relationship Make, loans are told apart by Borrow Time, and the cardinalities fit the scenarios. Administrators are not kept.',
  answers: [],
  issues: [],
  verdict: 'approve',
};

/**
 * What each role answers in the demonstration, as its task wants it written; several answers belong to several turns.
 */
export const DEMONSTRATION_ANSWERS = {
  'product-manager': [
    {
      thinking:
        'Students, teachers, courses, instruments and payments have numbers or codes of their own. Enrolments and loans have none: they connect. Can the same student borrow the same instrument again? Yes, it says so. Can a course have two teachers? No. Administrators are only permitted to do something.',
      outcome: 'report',
      reason: '',
      ...DEMONSTRATION_REPORT,
      clarifications: DEMONSTRATION_REPORT.clarifications.map(({ kind, question, quotes, assumption }) => ({
        kind,
        question,
        quotes,
        assumption,
      })),
      next: null,
    },
  ],
  'conceptual-designer': [
    {
      thinking:
        'Payment has a number of its own and is an entity set; the student number among its facts is the relationship Make. A loan has no number: Borrow is a relationship set, and Borrow Time tells repeated loans apart. Maker depends on Model, which the logical design will part. Administrators have no facts and nobody wants to know what they did.',
      model: {
        entitySets: DEMONSTRATION_MODEL.entitySets.map(({ name, attributes }) => ({
          name,
          attributes: [...attributes],
        })),
        relationshipSets: DEMONSTRATION_MODEL.relationshipSets.map(({ name, participants, attributes }) => ({
          name,
          participants: participants.map(({ entity, cardinality }) => ({ entity, role: null, cardinality })),
          attributes: [...attributes],
        })),
      },
      doubts: [],
      next: null,
    },
  ],
  'conceptual-reviewer': [DEMONSTRATION_REJECTION, DEMONSTRATION_APPROVAL],
  'logical-designer': [
    {
      thinking:
        'The same loan can come again later, so Borrow Time belongs to the left side. A model always has the same maker: Model -> Maker. Postal code and city stay together: nothing says that one fixes the other. Course codes have letters: TEXT.',
      decision: 'propose',
      sets: DEMONSTRATION_PROPOSAL.sets,
      complaints: [],
      next: null,
    },
    {
      thinking:
        'Model parted from Instrument is meant: the requirement makes it a rule. A repeated loan fits into Loan, a second enrolment of the same pair does not fit into Enrolment. Teacher Number stands in Course, Student Number in Payment.',
      decision: 'keep',
      sets: [],
      complaints: [],
      next: null,
    },
  ],
  'qa-engineer': [DEMONSTRATION_TESTS],
  'test-executor': [DEMONSTRATION_COMPLAINT, DEMONSTRATION_ACCEPTANCE],
} as const satisfies Readonly<Record<SchemaRole, readonly object[]>>;

/** The steps before the role's own one, as it reads them. */
const BEFORE: Readonly<Record<SchemaRole, readonly (() => string)[]>> = {
  'product-manager': [],
  'conceptual-designer': [reportStep],
  'conceptual-reviewer': [modelStep],
  'logical-designer': [modelStep],
  'qa-engineer': [reportStep],
  'test-executor': [reportStep, schemaStep],
};

/** How answers of a role are introduced, one for each of its answers. */
const INTRODUCED: Readonly<Record<SchemaRole, readonly string[]>> = {
  'product-manager': ['Your answer:'],
  'conceptual-designer': ['Your answer:'],
  'conceptual-reviewer': [
    'An earlier model had no City at Student, an attribute Loan ID in Borrow (finding 1 of code: an error, a relationship set has no id), and Teacher as `many` in Give. Your answer to it:',
    'Your answer to the model above, without findings:',
  ],
  'logical-designer': [
    'Your answer:',
    `What the tools made of it:\n${namedSchemaText(DEMONSTRATION_SCHEMA)}\nThey point out that Instrument was decomposed. Your answer:`,
  ],
  'qa-engineer': ['Your answer; only the first three of the ten sets are shown:'],
  'test-executor': [
    'With an earlier schema, in which Student Number and Inventory Number alone were the key of Loan, 2 of 42 cases failed: 2.1 insert ("The same student borrows the same instrument again", refused as a duplicate) and 9.2 insert ("A second student with the same phone number", expected refused by unique, was accepted). Your answer to it:',
    'With the schema above, case 9.2 alone failed, as before. Your answer:',
  ],
};

/**
 * The demonstration as a role is shown it: the requirement, what it reads, and its own answers as JSON (SchemaAgent,
 * section 4.1).
 */
export function demonstrationFor(role: SchemaRole): string {
  const answers = DEMONSTRATION_ANSWERS[role].map((answer, at) =>
    [INTRODUCED[role][at] ?? 'Your answer:', JSON.stringify(answer)].join('\n'),
  );
  return [`A requirement:\n${DEMONSTRATION_REQUIREMENT}`, ...BEFORE[role].map((step) => step()), ...answers].join(
    '\n\n',
  );
}

function reportStep(): string {
  return `The report:\n${reportText(DEMONSTRATION_REPORT)}`;
}

function modelStep(): string {
  return `The model:\n${conceptualModelText(DEMONSTRATION_MODEL)}`;
}

function schemaStep(): string {
  return `The schema:\n${namedSchemaText(DEMONSTRATION_SCHEMA)}`;
}
