import type { ConceptualModel, EntitySet, RelationshipSet, RequirementReport } from '../model/index.ts';
import type { ConceptualCode } from './conceptual-codes.ts';

/** For tests. */
export const entity = (name: string, ...attributes: string[]): EntitySet => ({ name, attributes });

/** `Entity many`, `Entity as role one`. */
export function relationship(name: string, between: readonly string[], ...attributes: string[]): RelationshipSet {
  const participants = between.map((text) => {
    const [, of = text, role, cardinality] = /^(.+?)(?: as (.+))? (one|many)$/.exec(text) ?? [];
    return { entity: of, role, cardinality: cardinality === 'one' ? ('one' as const) : ('many' as const) };
  });
  return { name, participants, attributes };
}

/** For tests. */
export function model(...sets: readonly (EntitySet | RelationshipSet)[]): ConceptualModel {
  return {
    entitySets: sets.filter((set): set is EntitySet => !('participants' in set)),
    relationshipSets: sets.filter((set): set is RelationshipSet => 'participants' in set),
  };
}

/** For tests: a report that says nothing else. */
export function report(parts: Partial<RequirementReport>): RequirementReport {
  return {
    ...{
      language: 'en',
      title: '',
      summary: '',
      functions: [],
      subjects: [],
      relationships: [],
      rules: [],
      clarifications: [],
    },
    ...parts,
  };
}

export const STUDENT = entity('Student', 'Student ID', 'Name');
export const COURSE = entity('Course', 'Course ID', 'Title');
const TAKES = relationship('Takes', ['Student many', 'Course many'], 'Grade');

/** For each code: models that trigger it, and models beside them that must not. */
export const CONCEPTUAL_CASES: Readonly<
  Record<
    ConceptualCode,
    {
      readonly triggers: readonly ConceptualModel[];
      readonly silent: readonly ConceptualModel[];
      readonly report?: RequirementReport;
    }
  >
> = {
  'model-empty': { triggers: [model()], silent: [model(STUDENT)] },
  'name-empty': {
    triggers: [
      model(entity(' ', 'A')),
      model(entity('Student', 'Student ID', '')),
      model(STUDENT, COURSE, relationship('', ['Student many', 'Course many'])),
      model(STUDENT, relationship('Knows', ['Student many', '  one'])),
    ],
    silent: [model(STUDENT, COURSE, TAKES)],
  },
  'entity-name-duplicate': {
    triggers: [
      model(STUDENT, entity('students', 'Age'), TAKES),
      model(entity('Order Item', 'No'), entity('order_item', 'No')),
    ],
    silent: [model(entity('Order', 'Order ID'), entity('Order Item', 'No'))],
  },
  'relationship-name-duplicate': {
    triggers: [model(STUDENT, COURSE, TAKES, relationship('takes', ['Student as tutor many', 'Course many']))],
    silent: [
      model(STUDENT, COURSE, TAKES, relationship('Takes again', ['Student as tutor many', 'Course many'])),
      model(STUDENT, COURSE, TAKES, relationship('Takes to', ['Student as tutor many', 'Course many'])),
    ],
  },
  'relationship-named-as-entity': {
    triggers: [
      model(STUDENT, COURSE, entity('Enrolment', 'Day'), relationship('enrolment', ['Student many', 'Course many'])),
    ],
    // A verb that looks like the plural of a noun is a verb.
    silent: [
      model(
        entity('Customer', 'Name'),
        entity('Order', 'Order ID'),
        relationship('orders', ['Customer one', 'Order many']),
      ),
    ],
  },
  'attribute-name-duplicate': {
    triggers: [
      model(entity('Student', 'Student ID', 'student_id')),
      model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'Grade', 'grade')),
    ],
    silent: [model(entity('Student', 'Student ID', 'Student ID Card'))],
  },
  'entity-without-attributes': { triggers: [model(entity('Student'))], silent: [model(STUDENT)] },
  'relationship-too-few-participants': {
    triggers: [model(STUDENT, relationship('Runs', ['Student many'])), model(STUDENT, relationship('Runs', []))],
    silent: [model(STUDENT, COURSE, TAKES)],
  },
  'participant-unknown': {
    triggers: [model(STUDENT, relationship('Takes', ['Student many', 'Cuorse many']))],
    silent: [model(STUDENT, COURSE, relationship('Takes', ['students many', 'COURSE many']))],
  },
  'participant-without-role': {
    triggers: [
      model(STUDENT, relationship('Helps', ['Student many', 'Student one'])),
      model(STUDENT, relationship('Helps', ['Student as tutor many', 'Student one'])),
      model(STUDENT, relationship('Helps', ['Student as tutor many', 'Student as Tutor one'])),
    ],
    silent: [model(STUDENT, relationship('Helps', ['Student as tutor one', 'Student as learner many']))],
  },
  'cardinality-invalid': {
    triggers: [
      {
        ...model(STUDENT, COURSE),
        relationshipSets: [
          {
            ...TAKES,
            participants: [
              { entity: 'Student', cardinality: 'n' as 'many' },
              { entity: 'Course', cardinality: 'one' },
            ],
          },
        ],
      },
    ],
    silent: [model(STUDENT, COURSE, TAKES)],
  },
  'relationship-has-id': {
    triggers: [
      model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'ID')),
      model(STUDENT, COURSE, relationship('Enrolment', ['Student many', 'Course many'], 'Enrolment No')),
    ],
    silent: [model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'Seat Number', 'Paid'))],
  },
  'relationship-has-participant-key': {
    triggers: [
      model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'student_id')),
      model(
        entity('学生', '学号'),
        entity('课程', '课程编号'),
        relationship('选修', ['学生 many', '课程 many'], '课程编号'),
      ),
      model(entity('Book', 'ISBN', 'Title'), STUDENT, relationship('Borrows', ['Student many', 'Book many'], 'ISBN')),
      model(STUDENT, relationship('Helps', ['Student as tutor many', 'Student as learner many'], 'Tutor ID')),
    ],
    silent: [
      model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'Course Grade', 'Phone Number')),
    ],
  },
  'relationship-has-entity-key': {
    triggers: [
      model(
        STUDENT,
        COURSE,
        entity('Room', 'Room No'),
        relationship('Takes', ['Student many', 'Course many'], 'Room No'),
      ),
    ],
    silent: [model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'Room No'))],
  },
  'relationship-has-doubtful-id': {
    triggers: [model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'Ticket ID'))],
    silent: [
      model(STUDENT, COURSE, relationship('Takes', ['Student many', 'Course many'], 'Transaction ID', 'Paid', 'Grid')),
    ],
  },
  'entity-has-foreign-key': {
    triggers: [
      model(
        entity('Customer', 'Customer ID'),
        entity('Order', 'Order ID', 'Customer ID'),
        relationship('places', ['Customer one', 'Order many']),
      ),
      model(
        entity('Customer', 'ID', 'Name'),
        entity('Order', 'ID', 'customer_id'),
        relationship('places', ['Customer one', 'Order many']),
      ),
      model(
        entity('班级', '班级编号'),
        entity('学生', '学号', '班级编号'),
        relationship('属于', ['学生 many', '班级 one']),
      ),
    ],
    silent: [
      model(
        entity('Customer', 'ID', 'Phone Number'),
        entity('Order', 'ID', 'Order No', 'Phone Number'),
        relationship('places', ['Customer one', 'Order many']),
      ),
    ],
  },
  'entity-has-unrelated-key': {
    triggers: [model(entity('Customer', 'Customer ID'), entity('Order', 'Order ID', 'Customer ID'))],
    silent: [model(entity('Customer', 'Customer ID'), entity('Order', 'Order ID'))],
  },
  'entity-has-doubtful-id': {
    triggers: [
      model(entity('Category', 'Category ID', 'Parent ID')),
      model(entity('Branch', 'Branch ID', 'Manager ID')),
    ],
    silent: [
      model(entity('Person', 'Person ID', 'Passport ID', 'Valid')),
      model(entity('Order Item', 'Item ID', 'Price')),
    ],
  },
  'attribute-of-other-entity': {
    triggers: [
      model(
        entity('Teacher', 'Teacher ID', 'Name'),
        entity('Course', 'Course ID', 'Teacher Name'),
        relationship('teaches', ['Teacher one', 'Course many']),
      ),
    ],
    silent: [model(entity('Teacher', 'Teacher ID', 'Name'), entity('Course', 'Course ID', 'Name', 'Teacher Rating'))],
  },
  'attribute-on-both-sides': {
    triggers: [
      model(
        entity('Student', 'Student ID', 'Final Grade'),
        COURSE,
        relationship('Takes', ['Student many', 'Course many'], 'final grade'),
      ),
    ],
    silent: [
      model(
        entity('Student', 'Student ID', 'Status'),
        COURSE,
        relationship('Takes', ['Student many', 'Course many'], 'Status'),
      ),
    ],
  },
  'relationship-of-separate-facts': {
    triggers: [
      model(
        STUDENT,
        COURSE,
        entity('Room', 'Room ID'),
        relationship('Of', ['Course many', 'Student many', 'Room many']),
      ),
    ],
    silent: [
      model(
        STUDENT,
        COURSE,
        entity('Room', 'Room ID'),
        relationship('Of', ['Course many', 'Student many', 'Room one']),
      ),
      model(
        STUDENT,
        COURSE,
        entity('Room', 'Room ID'),
        relationship('Of', ['Course many', 'Student many', 'Room many'], 'Day'),
      ),
      model(STUDENT, COURSE, relationship('Of', ['Course many', 'Student many'])),
    ],
  },
  'relationship-duplicate': {
    triggers: [
      model(STUDENT, COURSE, TAKES, relationship('Belongs To', ['Course many', 'Student many'])),
      model(STUDENT, COURSE, TAKES, relationship('Courses of Students', ['Course many', 'Student many'])),
      model(STUDENT, COURSE, TAKES, relationship('Take', ['Course many', 'Student many'])),
    ],
    silent: [
      model(STUDENT, COURSE, TAKES, relationship('Recommends', ['Course many', 'Student many'])),
      model(STUDENT, COURSE, TAKES, relationship('Attends', ['Course many', 'Student as guest many'])),
      model(STUDENT, COURSE, TAKES, relationship('Leads', ['Course many', 'Student one'])),
      model(STUDENT, COURSE, TAKES, relationship('Reserves', ['Course many', 'Student many'], 'Reserved On')),
    ],
  },
  'entity-isolated': {
    triggers: [model(STUDENT, COURSE, TAKES, entity('Setting', 'Key', 'Value'))],
    silent: [model(STUDENT, COURSE, TAKES)],
  },
  'relationship-missing': {
    triggers: [
      model(STUDENT, COURSE, TAKES, entity('Room', 'Room No')),
      model(entity('学生', '学号'), entity('班级', '班级编号')),
    ],
    silent: [
      model(STUDENT, COURSE, TAKES, entity('Setting', 'Key')),
      model(STUDENT, COURSE, TAKES, entity('Notice', 'Text')),
    ],
    report: report({
      relationships: [
        'Each course is held in one room.',
        'Notices have nothing to do with students.',
        '每个学生属于一个班级。',
      ],
    }),
  },
  'report-subject-lost': {
    triggers: [model(COURSE)],
    silent: [
      model(entity('Learner', 'Name', 'Born', 'Student ID')),
      model(entity('Students', 'Name')),
      model(COURSE, relationship('student', ['Course many', 'Course many'])),
    ],
    report: report({ subjects: [{ name: 'Student', attributes: ['Student ID', 'Name', 'Born'], description: '' }] }),
  },
  'report-attribute-lost': {
    // A number of which the model has a longer name counts where its set has it, and nowhere else.
    triggers: [
      model(entity('Student', 'Student ID', 'Name', 'Birth Date')),
      model(entity('Student', 'Student ID', 'Birth Date'), entity('Department', 'Department Name')),
    ],
    silent: [
      model(entity('Student', 'Student ID', 'Full Name', 'Birth Date'), entity('Department', 'Code')),
      model(entity('Student', 'ID', 'Student Name', 'date_of_birth'), entity('Department', 'Code')),
      model(
        entity('Student', 'Student ID', 'Name'),
        entity('Person', 'Birth Date'),
        relationship('is in', ['Person as department one', 'Student many']),
      ),
    ],
    report: report({
      subjects: [
        { name: 'Student', attributes: ['Student ID', 'Name', 'Date of Birth', 'Department'], description: '' },
      ],
    }),
  },
};
