import type { ConceptualModel, LogicalProposal, NamedSchema, RequirementReport } from '../model/index.ts';

/**
 * The one static case that all prompts share (SchemaAgent, section 4.1, Listing 1): each step is the template of a
 * role. It is our own, from no data set. In it stand a connection of many with many that has facts, one of them
 * repeatable; connections of one with many; a payment that names a student's number among its facts; a rule by which a
 * fact depends on one that is no key, and facts that only look like it.
 */

export const DEMONSTRATION_REQUIREMENT = [
  'The music school gives courses and lends instruments. For each student the system keeps the student number, name, phone number, postal code and city. Teachers have a teacher number, a name and a hire date. A course has a course code such as PI-101, a title and a fee, and is given by one teacher. Students enrol in courses; the enrolment date and the final grade are recorded.',
  'Each instrument has an inventory number, a model, the maker of the model (a model always comes from the same maker) and a photo. Students borrow instruments: the borrow time and the return time are recorded, and a student may borrow the same instrument again later. A payment has a payment number, the student number, an amount, a payment date, and whether it was refunded. Administrators manage courses and instruments. Staff can list the open loans and what each student has paid in total.',
].join('\n');

export const DEMONSTRATION_REPORT: RequirementReport = {
  language: 'en',
  title: 'Music school: courses, loans and payments',
  summary:
    'A music school keeps its students, teachers and courses, lends instruments to students, and records what students pay.',
  functions: [
    'Administrators add and change courses and instruments.',
    'Students are enrolled in courses and graded.',
    'Instruments are lent and taken back; staff list the open loans.',
    'Staff record payments and refunds, and see what a student has paid in total.',
  ],
  subjects: [
    {
      name: 'Student',
      attributes: ['Student Number', 'Name', 'Phone Number', 'Postal Code', 'City'],
      description: 'identified by the student number',
    },
    {
      name: 'Teacher',
      attributes: ['Teacher Number', 'Name', 'Hire Date'],
      description: 'identified by the teacher number',
    },
    { name: 'Course', attributes: ['Course Code', 'Title', 'Fee'], description: 'identified by a code with letters' },
    {
      name: 'Instrument',
      attributes: ['Inventory Number', 'Model', 'Maker', 'Photo'],
      description: 'a single instrument, identified by the inventory number',
    },
    {
      name: 'Payment',
      attributes: ['Payment Number', 'Amount', 'Payment Date', 'Refunded'],
      description: 'has a number of its own; its student is a relationship',
    },
  ],
  relationships: [
    'Give: a teacher gives many courses; a course is given by exactly one teacher.',
    'Enrol: a student enrols in many courses, and a course has many students; each pair once, with Enrolment Date and Final Grade. It has no number of its own.',
    'Borrow: a student borrows many instruments, and over time an instrument is borrowed by many students, also by the same one again; each loan has Borrow Time and Return Time, and the borrow time tells the loans apart. It has no number of its own.',
    'Make: a student makes many payments; a payment is made by exactly one student.',
  ],
  rules: ['A model always comes from the same maker.', 'The return time of an open loan is not there yet.'],
  clarifications: [
    {
      kind: 'ambiguity',
      question: 'Is a payment for a certain course or loan, or for the student as a whole?',
      quotes: [
        'A payment has a payment number, the student number, an amount, a payment date, and whether it was refunded.',
      ],
      assumption: 'For the student as a whole; no course is named among its facts.',
    },
  ],
};

export const DEMONSTRATION_MODEL: ConceptualModel = {
  entitySets: [
    { name: 'Student', attributes: ['Student Number', 'Name', 'Phone Number', 'Postal Code', 'City'] },
    { name: 'Teacher', attributes: ['Teacher Number', 'Name', 'Hire Date'] },
    { name: 'Course', attributes: ['Course Code', 'Title', 'Fee'] },
    { name: 'Instrument', attributes: ['Inventory Number', 'Model', 'Maker', 'Photo'] },
    { name: 'Payment', attributes: ['Payment Number', 'Amount', 'Payment Date', 'Refunded'] },
  ],
  relationshipSets: [
    {
      name: 'Give',
      participants: [
        { entity: 'Teacher', cardinality: 'one' },
        { entity: 'Course', cardinality: 'many' },
      ],
      attributes: [],
    },
    {
      name: 'Enrol',
      participants: [
        { entity: 'Student', cardinality: 'many' },
        { entity: 'Course', cardinality: 'many' },
      ],
      attributes: ['Enrolment Date', 'Final Grade'],
    },
    {
      name: 'Borrow',
      participants: [
        { entity: 'Student', cardinality: 'many' },
        { entity: 'Instrument', cardinality: 'many' },
      ],
      attributes: ['Borrow Time', 'Return Time'],
    },
    {
      name: 'Make',
      participants: [
        { entity: 'Student', cardinality: 'one' },
        { entity: 'Payment', cardinality: 'many' },
      ],
      attributes: [],
    },
  ],
};

export const DEMONSTRATION_PROPOSAL: LogicalProposal = {
  sets: [
    {
      set: 'Student',
      attributes: [
        { name: 'Student Number', type: 'NUMERIC', constraints: [] },
        { name: 'Name', type: 'TEXT', constraints: [] },
        { name: 'Phone Number', type: 'TEXT', constraints: [] },
        { name: 'Postal Code', type: 'TEXT', constraints: [] },
        { name: 'City', type: 'TEXT', constraints: [] },
      ],
      dependencies: [{ left: ['Student Number'], right: ['Name', 'Phone Number', 'Postal Code', 'City'] }],
      preferredKey: [],
      relation: 'Student',
    },
    {
      set: 'Teacher',
      attributes: [
        { name: 'Teacher Number', type: 'NUMERIC', constraints: [] },
        { name: 'Name', type: 'TEXT', constraints: [] },
        { name: 'Hire Date', type: 'DATETIME', constraints: [] },
      ],
      dependencies: [{ left: ['Teacher Number'], right: ['Name', 'Hire Date'] }],
      preferredKey: [],
      relation: 'Teacher',
    },
    {
      set: 'Course',
      attributes: [
        { name: 'Course Code', type: 'TEXT', constraints: [] },
        { name: 'Title', type: 'TEXT', constraints: [] },
        { name: 'Fee', type: 'NUMERIC', constraints: [] },
      ],
      dependencies: [{ left: ['Course Code'], right: ['Title', 'Fee'] }],
      preferredKey: [],
      relation: 'Course',
    },
    {
      set: 'Instrument',
      attributes: [
        { name: 'Inventory Number', type: 'NUMERIC', constraints: [] },
        { name: 'Model', type: 'TEXT', constraints: [] },
        { name: 'Maker', type: 'TEXT', constraints: [] },
        { name: 'Photo', type: 'BINARY', constraints: [] },
      ],
      dependencies: [
        { left: ['Inventory Number'], right: ['Model', 'Photo'] },
        { left: ['Model'], right: ['Maker'] },
      ],
      preferredKey: [],
      relation: 'Instrument',
    },
    {
      set: 'Payment',
      attributes: [
        { name: 'Payment Number', type: 'NUMERIC', constraints: [] },
        { name: 'Amount', type: 'NUMERIC', constraints: [] },
        { name: 'Payment Date', type: 'DATETIME', constraints: [] },
        { name: 'Refunded', type: 'BOOL', constraints: [] },
      ],
      dependencies: [{ left: ['Payment Number'], right: ['Amount', 'Payment Date', 'Refunded'] }],
      preferredKey: [],
      relation: 'Payment',
    },
    {
      set: 'Give',
      attributes: [],
      dependencies: [{ left: ['Course'], right: ['Teacher'] }],
      preferredKey: [],
      relation: '',
    },
    {
      set: 'Enrol',
      attributes: [
        { name: 'Enrolment Date', type: 'DATETIME', constraints: [] },
        { name: 'Final Grade', type: 'NUMERIC', constraints: [] },
      ],
      dependencies: [{ left: ['Student', 'Course'], right: ['Enrolment Date', 'Final Grade'] }],
      preferredKey: [],
      relation: 'Enrolment',
    },
    {
      set: 'Borrow',
      attributes: [
        { name: 'Borrow Time', type: 'DATETIME', constraints: [] },
        { name: 'Return Time', type: 'DATETIME', constraints: [] },
      ],
      dependencies: [{ left: ['Student', 'Instrument', 'Borrow Time'], right: ['Return Time'] }],
      preferredKey: [],
      relation: 'Loan',
    },
    {
      set: 'Make',
      attributes: [],
      dependencies: [{ left: ['Payment'], right: ['Student'] }],
      preferredKey: [],
      relation: '',
    },
  ],
};

export const DEMONSTRATION_SCHEMA: NamedSchema = {
  relations: [
    {
      name: 'Student',
      attributes: [
        { name: 'Student Number', type: 'NUMERIC' },
        { name: 'Name', type: 'TEXT' },
        { name: 'Phone Number', type: 'TEXT' },
        { name: 'Postal Code', type: 'TEXT' },
        { name: 'City', type: 'TEXT' },
      ],
      primaryKey: ['Student Number'],
      foreignKeys: [],
    },
    {
      name: 'Teacher',
      attributes: [
        { name: 'Teacher Number', type: 'NUMERIC' },
        { name: 'Name', type: 'TEXT' },
        { name: 'Hire Date', type: 'DATETIME' },
      ],
      primaryKey: ['Teacher Number'],
      foreignKeys: [],
    },
    {
      name: 'Course',
      attributes: [
        { name: 'Course Code', type: 'TEXT' },
        { name: 'Title', type: 'TEXT' },
        { name: 'Fee', type: 'NUMERIC' },
        { name: 'Teacher Number', type: 'NUMERIC' },
      ],
      primaryKey: ['Course Code'],
      foreignKeys: [{ attributes: ['Teacher Number'], target: 'Teacher', targetAttributes: ['Teacher Number'] }],
    },
    {
      name: 'Instrument',
      attributes: [
        { name: 'Inventory Number', type: 'NUMERIC' },
        { name: 'Model', type: 'TEXT' },
        { name: 'Photo', type: 'BINARY' },
      ],
      primaryKey: ['Inventory Number'],
      foreignKeys: [{ attributes: ['Model'], target: 'Model', targetAttributes: ['Model'] }],
    },
    {
      name: 'Model',
      attributes: [
        { name: 'Model', type: 'TEXT' },
        { name: 'Maker', type: 'TEXT' },
      ],
      primaryKey: ['Model'],
      foreignKeys: [],
    },
    {
      name: 'Payment',
      attributes: [
        { name: 'Payment Number', type: 'NUMERIC' },
        { name: 'Amount', type: 'NUMERIC' },
        { name: 'Payment Date', type: 'DATETIME' },
        { name: 'Refunded', type: 'BOOL' },
        { name: 'Student Number', type: 'NUMERIC' },
      ],
      primaryKey: ['Payment Number'],
      foreignKeys: [{ attributes: ['Student Number'], target: 'Student', targetAttributes: ['Student Number'] }],
    },
    {
      name: 'Enrolment',
      attributes: [
        { name: 'Student Number', type: 'NUMERIC' },
        { name: 'Course Code', type: 'TEXT' },
        { name: 'Enrolment Date', type: 'DATETIME' },
        { name: 'Final Grade', type: 'NUMERIC' },
      ],
      primaryKey: ['Student Number', 'Course Code'],
      foreignKeys: [
        { attributes: ['Student Number'], target: 'Student', targetAttributes: ['Student Number'] },
        { attributes: ['Course Code'], target: 'Course', targetAttributes: ['Course Code'] },
      ],
    },
    {
      name: 'Loan',
      attributes: [
        { name: 'Student Number', type: 'NUMERIC' },
        { name: 'Inventory Number', type: 'NUMERIC' },
        { name: 'Borrow Time', type: 'DATETIME' },
        { name: 'Return Time', type: 'DATETIME' },
      ],
      primaryKey: ['Student Number', 'Inventory Number', 'Borrow Time'],
      foreignKeys: [
        { attributes: ['Student Number'], target: 'Student', targetAttributes: ['Student Number'] },
        { attributes: ['Inventory Number'], target: 'Instrument', targetAttributes: ['Inventory Number'] },
      ],
    },
  ],
};
