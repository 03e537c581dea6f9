import type { DataType } from '@askema/core';
import type { NamedRelation, NamedSchema } from '../model/index.ts';
import { DEMONSTRATION_REQUIREMENT, DEMONSTRATION_SCHEMA } from './music-school.ts';

/** A requirement with its schema, for the baselines. Our own, from no data set. */
export interface SchemaCase {
  readonly requirement: string;
  /** What is thought in each of the six steps of the chain of thought; only the first case has it. */
  readonly steps?: readonly string[] | undefined;
  readonly schema: NamedSchema;
}

/** The case of the demonstration: what the roles of SchemaAgent are shown, too. */
export const WORKED_CASE: SchemaCase = {
  requirement: DEMONSTRATION_REQUIREMENT,
  steps: [
    '1. Entities: Student(Student Number, Name, Phone Number, Postal Code, City), Teacher(Teacher Number, Name, Hire Date), Course(Course Code, Title, Fee), Instrument(Inventory Number, Model, Maker, Photo), Payment(Payment Number, Amount, Payment Date, Refunded). Administrators are only permitted to do something; loans and totals that staff can list are no things.',
    '2. Relationships: Give, a teacher many courses, a course one teacher. Enrol, many students and many courses, with Enrolment Date and Final Grade. Borrow, many students and many instruments, with Borrow Time and Return Time, repeatable. Make, a student many payments, a payment one student: that is its student number.',
    '3. Mapping: each entity a relation with its number or code as key; Teacher Number into Course, Student Number into Payment; Enrolment with the key Student Number, Course Code; Loan with the key Student Number, Inventory Number, Borrow Time, because a loan can come again.',
    '4. Domains: numbers NUMERIC, the course code has letters: TEXT; phone number and postal code TEXT; dates and times DATETIME; the photo BINARY; Refunded BOOL. Foreign keys refer to the keys of Student, Teacher, Course, Instrument.',
    '5. Normal form: a model always comes from the same maker, so Model determines Maker in Instrument: a relation Model(Model, Maker) of its own. Postal code and city stay: no rule is stated.',
    '6. Other elements: every fact of the requirement has its place, nothing was added.',
  ],
  schema: DEMONSTRATION_SCHEMA,
};

/** Two relations: one-to-many, an id that has to be added, states and texts. */
const TWO_RELATIONS: SchemaCase = {
  requirement:
    'A housing cooperative handles reports of damage. Flats have a flat number, a floor and an area. Tenants report damages in their flat; a report has a description, the time of the report, whether it is urgent, and a state.',
  schema: {
    relations: [
      relation('Flat', { 'Flat Number': 'NUMERIC', Floor: 'NUMERIC', Area: 'NUMERIC' }, ['Flat Number']),
      relation(
        'Damage Report',
        {
          'Damage Report ID': 'NUMERIC',
          Description: 'TEXT',
          'Report Time': 'DATETIME',
          Urgent: 'BOOL',
          State: 'TEXT',
          'Flat Number': 'NUMERIC',
        },
        ['Damage Report ID'],
        [['Flat Number', 'Flat', 'Flat Number']],
      ),
    ],
  },
};

/** Four relations: many-to-many that can happen again, a category that is managed, a reference to itself. */
const FOUR_RELATIONS: SchemaCase = {
  requirement:
    'A fitness app keeps exercises in categories; categories have an ID, a name and possibly a parent category, and are maintained by the editors. Each exercise has an ID, a name, instructions, the path of a video, and belongs to one category. Users register with a username, which nobody else may have, an email and a birthday. Users do exercises as often as they like; for each time the app records when it was, the repetitions and the weight.',
  schema: {
    relations: [
      relation(
        'Category',
        { 'Category ID': 'NUMERIC', Name: 'TEXT', 'Parent Category ID': 'NUMERIC' },
        ['Category ID'],
        [['Parent Category ID', 'Category', 'Category ID']],
      ),
      relation(
        'Exercise',
        {
          'Exercise ID': 'NUMERIC',
          Name: 'TEXT',
          Instructions: 'TEXT',
          'Video Path': 'TEXT',
          'Category ID': 'NUMERIC',
        },
        ['Exercise ID'],
        [['Category ID', 'Category', 'Category ID']],
      ),
      relation('User', { Username: 'TEXT', Email: 'TEXT', Birthday: 'DATETIME' }, ['Username']),
      relation(
        'Do Exercise',
        {
          Username: 'TEXT',
          'Exercise ID': 'NUMERIC',
          Time: 'DATETIME',
          Repetitions: 'NUMERIC',
          Weight: 'NUMERIC',
        },
        ['Username', 'Exercise ID', 'Time'],
        [
          ['Username', 'User', 'Username'],
          ['Exercise ID', 'Exercise', 'Exercise ID'],
        ],
      ),
    ],
  },
};

/** Six relations: documents with numbers of their own, references among their facts, and the lines of one. */
const SIX_RELATIONS: SchemaCase = {
  requirement:
    'A veterinary practice manages its work. Owners: owner ID, name, address, phone. Animals: animal ID, owner ID, name, species, date of birth; an animal has one owner. Vets: vet ID, name, phone. Appointments: appointment number, animal ID, vet ID, date and time, reason. Medicines: article code (letters and digits), name, price per unit. At an appointment several medicines may be given, and the quantity of each is noted.',
  schema: {
    relations: [
      relation('Owner', { 'Owner ID': 'NUMERIC', Name: 'TEXT', Address: 'TEXT', Phone: 'TEXT' }, ['Owner ID']),
      relation(
        'Animal',
        {
          'Animal ID': 'NUMERIC',
          Name: 'TEXT',
          Species: 'TEXT',
          'Date of Birth': 'DATETIME',
          'Owner ID': 'NUMERIC',
        },
        ['Animal ID'],
        [['Owner ID', 'Owner', 'Owner ID']],
      ),
      relation('Vet', { 'Vet ID': 'NUMERIC', Name: 'TEXT', Phone: 'TEXT' }, ['Vet ID']),
      relation(
        'Appointment',
        {
          'Appointment Number': 'NUMERIC',
          'Date and Time': 'DATETIME',
          Reason: 'TEXT',
          'Animal ID': 'NUMERIC',
          'Vet ID': 'NUMERIC',
        },
        ['Appointment Number'],
        [
          ['Animal ID', 'Animal', 'Animal ID'],
          ['Vet ID', 'Vet', 'Vet ID'],
        ],
      ),
      relation('Medicine', { 'Article Code': 'TEXT', Name: 'TEXT', 'Price per Unit': 'NUMERIC' }, ['Article Code']),
      relation(
        'Give Medicine',
        { 'Appointment Number': 'NUMERIC', 'Article Code': 'TEXT', Quantity: 'NUMERIC' },
        ['Appointment Number', 'Article Code'],
        [
          ['Appointment Number', 'Appointment', 'Appointment Number'],
          ['Article Code', 'Medicine', 'Article Code'],
        ],
      ),
    ],
  },
};

/** A simple, a moderate and a complex case, by the number of their relations (SchemaAgent, section 5.4). */
export const FURTHER_CASES: readonly SchemaCase[] = [TWO_RELATIONS, FOUR_RELATIONS, SIX_RELATIONS];

function relation(
  name: string,
  types: Readonly<Record<string, DataType>>,
  primaryKey: readonly string[],
  references: readonly (readonly [string, string, string])[] = [],
): NamedRelation {
  return {
    name,
    attributes: Object.entries(types).map(([attribute, type]) => ({ name: attribute, type })),
    primaryKey,
    foreignKeys: references.map(([attribute, target, targetAttribute]) => ({
      attributes: [attribute],
      target,
      targetAttributes: [targetAttribute],
    })),
  };
}
