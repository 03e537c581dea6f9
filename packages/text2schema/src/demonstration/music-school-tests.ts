/** The base rows and the first three of ten sets: they show each operation and both kinds of refusal. */
export const DEMONSTRATION_TESTS = {
  thinking:
    'Uses to cover: enrol and grade, lend and take back (the same instrument twice to one student), payments and refunds, courses of a teacher. Each connection once with what must be refused.',
  base: [
    {
      target: 'Student',
      attributes: ['Student Number', 'Name', 'Phone Number', 'Postal Code', 'City'],
      rows: [
        [1, 'Ada Winter', '555-0101', '04109', 'Leipzig'],
        [2, 'Ben Okoro', '555-0102', '01067', 'Dresden'],
      ],
    },
    {
      target: 'Teacher',
      attributes: ['Teacher Number', 'Name', 'Hire Date'],
      rows: [
        [7, 'Clara Voss', '2019-09-01'],
        [8, 'Dan Reyes', '2021-02-15'],
      ],
    },
    {
      target: 'Course',
      attributes: ['Course Code', 'Title', 'Fee', 'Teacher Number'],
      rows: [
        ['PI-101', 'Piano for beginners', 240, 7],
        ['VI-201', 'Violin ensemble', 180, 8],
      ],
    },
    {
      target: 'Instrument',
      attributes: ['Inventory Number', 'Model', 'Maker'],
      rows: [
        [31, 'V-20', 'Stradfield'],
        [32, 'C-5', 'Arco'],
      ],
    },
    {
      target: 'Enrol',
      attributes: ['Student Number', 'Course Code', 'Enrolment Date', 'Final Grade'],
      rows: [[1, 'PI-101', '2024-01-10', 1.7]],
    },
    {
      target: 'Borrow',
      attributes: ['Student Number', 'Inventory Number', 'Borrow Time', 'Return Time'],
      rows: [[1, 31, '2024-02-01T10:00:00', '2024-02-15T10:00:00']],
    },
  ],
  sets: [
    {
      title: 'Students enrol in courses and are graded',
      needs: ['Student', 'Teacher', 'Course', 'Enrol'],
      given: [],
      cases: [
        {
          operation: 'insert',
          purpose: 'A student enrols in a second course.',
          target: 'Enrol',
          where: [],
          attributes: ['Student Number', 'Course Code', 'Enrolment Date', 'Final Grade'],
          values: [1, 'VI-201', '2024-03-01', null],
          expected: 'accepted',
          rows: [],
        },
        {
          operation: 'insert',
          purpose: 'The same student enrols in the same course again.',
          target: 'Enrol',
          where: [],
          attributes: ['Student Number', 'Course Code', 'Enrolment Date'],
          values: [1, 'PI-101', '2024-03-02'],
          expected: 'entity integrity',
          rows: [],
        },
        {
          operation: 'update',
          purpose: 'The final grade is recorded.',
          target: 'Enrol',
          where: [
            { attribute: 'Student Number', value: 1 },
            { attribute: 'Course Code', value: 'VI-201' },
          ],
          attributes: ['Final Grade'],
          values: [2.3],
          expected: 'accepted',
          rows: [],
        },
        {
          operation: 'query',
          purpose: 'The courses and grades of a student.',
          target: 'Enrol',
          where: [{ attribute: 'Student Number', value: 1 }],
          attributes: ['Course Code', 'Final Grade'],
          values: [],
          expected: 'rows',
          rows: [
            ['PI-101', 1.7],
            ['VI-201', 2.3],
          ],
        },
        {
          operation: 'delete',
          purpose: 'A student leaves a course.',
          target: 'Enrol',
          where: [
            { attribute: 'Student Number', value: 1 },
            { attribute: 'Course Code', value: 'PI-101' },
          ],
          attributes: [],
          values: [],
          expected: 'accepted',
          rows: [],
        },
      ],
    },
    {
      title: 'Instruments are lent again and taken back',
      needs: ['Student', 'Instrument', 'Borrow'],
      given: [],
      cases: [
        {
          operation: 'insert',
          purpose: 'The same student borrows the same instrument again.',
          target: 'Borrow',
          where: [],
          attributes: ['Student Number', 'Inventory Number', 'Borrow Time', 'Return Time'],
          values: [1, 31, '2024-04-01T09:30:00', null],
          expected: 'accepted',
          rows: [],
        },
        {
          operation: 'query',
          purpose: 'The open loans.',
          target: 'Borrow',
          where: [{ attribute: 'Return Time', value: null }],
          attributes: ['Student Number', 'Inventory Number'],
          values: [],
          expected: 'rows',
          rows: [[1, 31]],
        },
        {
          operation: 'update',
          purpose: 'The instrument is taken back.',
          target: 'Borrow',
          where: [
            { attribute: 'Student Number', value: 1 },
            { attribute: 'Inventory Number', value: 31 },
            { attribute: 'Borrow Time', value: '2024-04-01T09:30:00' },
          ],
          attributes: ['Return Time'],
          values: ['2024-04-20T16:00:00'],
          expected: 'accepted',
          rows: [],
        },
        {
          operation: 'delete',
          purpose: 'An instrument that was borrowed cannot be removed.',
          target: 'Instrument',
          where: [{ attribute: 'Inventory Number', value: 31 }],
          attributes: [],
          values: [],
          expected: 'referential integrity',
          rows: [],
        },
      ],
    },
    {
      title: 'Payments of students',
      needs: ['Student'],
      given: [
        {
          target: 'Payment',
          attributes: ['Payment Number', 'Amount', 'Payment Date', 'Refunded', 'Student Number'],
          rows: [[501, 240, '2024-01-12', false, 1]],
        },
      ],
      cases: [
        {
          operation: 'insert',
          purpose: 'A payment of a student who does not exist.',
          target: 'Payment',
          where: [],
          attributes: ['Payment Number', 'Amount', 'Payment Date', 'Refunded', 'Student Number'],
          values: [502, 180, '2024-01-13', false, 99],
          expected: 'referential integrity',
          rows: [],
        },
        {
          operation: 'update',
          purpose: 'A payment is refunded.',
          target: 'Payment',
          where: [{ attribute: 'Payment Number', value: 501 }],
          attributes: ['Refunded'],
          values: [true],
          expected: 'accepted',
          rows: [],
        },
        {
          operation: 'query',
          purpose: 'What a student has paid.',
          target: 'Payment',
          where: [{ attribute: 'Student Number', value: 1 }],
          attributes: ['Payment Number', 'Amount', 'Refunded'],
          values: [],
          expected: 'rows',
          rows: [[501, 240, true]],
        },
        {
          operation: 'delete',
          purpose: 'A payment entered by mistake is removed.',
          target: 'Payment',
          where: [{ attribute: 'Payment Number', value: 501 }],
          attributes: [],
          values: [],
          expected: 'accepted',
          rows: [],
        },
      ],
    },
  ],
};

/** Of a first schema, in which Student Number and Inventory Number alone were the key of Loan. */
export const DEMONSTRATION_COMPLAINT = {
  thinking:
    'Case 2.1 is refused as a duplicate of a loan, but the requirement lets the same student borrow the same instrument again: the key is too narrow. Case 9.2 expects a unique phone number, which nothing says: the case is wrong.',
  errors: [
    {
      role: 'logical-designer',
      problem: 'Case 2.1: a second loan of the same instrument to the same student is refused by the key of Loan.',
      remedy:
        'Give the dependency Student, Instrument, Borrow Time -> Return Time for Borrow in place of Student, Instrument -> Borrow Time, Return Time.',
    },
  ],
  text: '42 cases ran, 40 passed. Case 2.1 failed: a second loan of the same instrument to the same student was refused, though the requirement allows it; the key of Loan is too narrow. Case 9.2 expected a phone number to be unique, which the requirement does not say; it does not count against the schema. Enrolment, grading, payments and refunds are served. The design goes back to the logical designer.',
  end: null,
  next: 'logical-designer',
};

/** Of the mended one. */
export const DEMONSTRATION_ACCEPTANCE = {
  thinking: 'Only case 9.2 differs, by its own mistake. Each function of the report has its relations.',
  errors: [],
  text: '42 cases ran, 41 passed, the second loan among them. Case 9.2 expected a phone number to be unique, which the requirement does not say. Enrolment and grading are served by Enrolment, loans by Loan, payments and totals by Payment, teachers of courses by Course. The schema is accepted.',
  end: 'TERMINAL',
  next: null,
};
