import { describe, expect, test } from 'vitest';
import { outcomes, row, schemaOf, testsOf } from './placing-fixture.ts';

const LIBRARY = {
  Reader: { attributes: ['card_number', 'name', 'email unique'], key: ['card_number'] },
  Book: { attributes: ['isbn', 'title'], key: ['isbn'] },
  Loan: {
    attributes: ['reader_card_number', 'isbn', 'loan_date DATETIME', 'return_date DATETIME'],
    key: ['reader_card_number', 'isbn', 'loan_date'],
    references: ['reader_card_number > Reader: card_number', 'isbn > Book: isbn'],
  },
};
const ANN = row('Reader ann', { 'card number': 'R1', name: 'Ann', email: 'ann@example.org' });
const BOOK = row('Book b', { ISBN: '978', title: 'Emma' });
const LOAN = row('Loan l1', { reader: '@ann', book: '@b', 'date of loan': '2026-03-01' });

describe('a library', () => {
  const tests = testsOf(
    ['fact', ANN, BOOK, LOAN, row('Loan l1', { 'returned on': '2026-03-09' })],
    ['event', ANN, BOOK, LOAN, row('Loan l2', { reader: '@ann', book: '@b', 'date of loan': '2026-04-01' })],
    ['refusal', ANN, BOOK, LOAN, row('Loan l2', { reader: '@ann', book: '@b', 'date of loan': '2026-03-01' })],
    ['refusal', ANN, row('Loan l1', { reader: '@ann', book: '@nobody', 'date of loan': '2026-03-01' })],
    ['refusal', ANN, row('Reader bob', { 'card number': 'R2', email: 'ann@example.org' })],
    ['refusal', ANN, BOOK, row('Loan l1', { book: '@b', 'date of loan': '2026-03-01' })],
  );

  test('holds what it must', async () => {
    expect(await outcomes(schemaOf(LIBRARY), tests)).toEqual(Array(6).fill('passed'));
  });

  test('a key that is too small refuses what must be possible', async () => {
    const small = { ...LIBRARY, Loan: { ...LIBRARY.Loan, key: ['reader_card_number', 'isbn'] } };
    const [, event] = await outcomes(schemaOf(small), tests);
    expect(event).toMatch(/^Loan "l2" \(reader: ann, book: b, date of loan: "2026-04-01"\) was refused: .*primary key/);
  });

  test('a key that is too large accepts what must be refused', async () => {
    const large = {
      ...LIBRARY,
      Loan: { ...LIBRARY.Loan, key: ['reader_card_number', 'isbn', 'loan_date', 'return_date'] },
    };
    const withReturn = testsOf(
      ['fact', ANN, BOOK, row('Loan l1', { ...factsOf(LOAN), 'returned on': '2026-03-09' })],
      [
        'refusal',
        ANN,
        BOOK,
        row('Loan l1', { ...factsOf(LOAN), 'returned on': '2026-03-09' }),
        row('Loan l2', factsOf(LOAN)),
      ],
    );
    expect(await outcomes(schemaOf(large), withReturn)).toEqual([
      'passed',
      'Loan "l2" (reader: ann, book: b, date of loan: "2026-03-01") was accepted.',
    ]);
  });

  test('ids that the requirement does not know get values, and tell rows apart that must be one', async () => {
    const numbered = {
      ...LIBRARY,
      Loan: { ...LIBRARY.Loan, attributes: ['loan_id NUMERIC', ...LIBRARY.Loan.attributes], key: ['loan_id'] },
    };
    const found = await outcomes(schemaOf(numbered, 'Loan.reader_card_number'), tests);
    expect(found.filter((one) => one !== 'passed')).toEqual([
      'Loan "l2" (reader: ann, book: b, date of loan: "2026-03-01") was accepted.',
    ]);
  });

  test('a lost fact is a gap with the names that are there', async () => {
    const lost = { ...LIBRARY, Book: { attributes: ['isbn', 'publisher'], key: ['isbn'] } };
    expect((await outcomes(schemaOf(lost), tests))[0]).toBe('no place: Book.title');
  });

  test('a refusal is for what the row states, not for what it leaves out', async () => {
    const noUnique = schemaOf({
      ...LIBRARY,
      Reader: { attributes: ['card_number', 'name', 'email'], key: ['card_number'] },
    });
    const noReference = schemaOf({
      ...LIBRARY,
      Loan: {
        attributes: ['reader', 'isbn', 'loan_date DATETIME'],
        key: ['reader', 'isbn', 'loan_date'],
        references: ['isbn > Book: isbn'],
      },
    });
    const sameEmail = testsOf(['refusal', ANN, row('Reader bob', { email: 'ann@example.org' })]);
    expect(await outcomes(noUnique, sameEmail)).toEqual(['Reader "bob" (email: "ann@example.org") was accepted.']);
    expect(await outcomes(schemaOf(LIBRARY), sameEmail)).toEqual(['passed']);
    const nobody = testsOf(
      ['refusal', BOOK, row('Loan l', { reader: '@nobody', book: '@b' })],
      ['fact', ANN, BOOK, LOAN],
    );
    expect(await outcomes(noReference, nobody)).toEqual(['Loan "l" (reader: nobody, book: b) was accepted.', 'passed']);
    expect(await outcomes(schemaOf(LIBRARY), nobody)).toEqual(['passed', 'passed']);
  });

  test('a refusal with rows before it that are refused already shows nothing', async () => {
    const [refusal] = await outcomes(
      schemaOf(LIBRARY),
      testsOf(['refusal', ANN, { ...ANN, label: 'bob' }, row('Reader c', { 'card number': 'R1' })]),
    );
    expect(refusal).toMatch(/^Reader "bob" .* was refused/);
  });

  test('a merged thing is a gap, also where a role calls it a column of the other', async () => {
    const merged = schemaOf({
      Reader: LIBRARY.Reader,
      Loan: {
        attributes: ['reader_card_number', 'isbn', 'title', 'loan_date DATETIME', 'return_date DATETIME'],
        key: ['reader_card_number', 'isbn', 'loan_date'],
        references: ['reader_card_number > Reader: card_number'],
      },
    });
    expect((await outcomes(merged, tests))[0]).toBe('no place: Book');
    const place = { thing: 'Book', fact: null, relation: 'Loan', attribute: null };
    expect((await outcomes(merged, tests, [place]))[0]).toBe('no place: Book');
  });

  test('a connection that was turned round has no room for the second one', async () => {
    const turned = schemaOf({
      Reader: LIBRARY.Reader,
      Book: {
        attributes: ['isbn', 'title', 'loan_id NUMERIC'],
        key: ['isbn'],
        references: ['loan_id > Loan: loan_id'],
      },
      Loan: {
        attributes: ['loan_id NUMERIC', 'reader_card_number', 'loan_date DATETIME', 'return_date DATETIME'],
        key: ['loan_id'],
        references: ['reader_card_number > Reader: card_number'],
      },
    });
    const [fact, event] = await outcomes(turned, tests);
    expect(fact).toBe('passed');
    expect(event).toMatch(/"Book" refers to one row of "Loan", and "b" refers to another one already/);
  });

  test('a value of a wrong type does not make a refusal pass', async () => {
    const wrong = {
      ...LIBRARY,
      Loan: { ...LIBRARY.Loan, attributes: ['reader_card_number', 'isbn', 'loan_date NUMERIC'] },
    };
    const [refusal] = await outcomes(
      schemaOf(wrong),
      testsOf(['refusal', ANN, row('Loan l1', { reader: '@ann', book: '@nobody', 'loan date': '2026-03-01' })]),
    );
    expect(refusal).toMatch(/but not for what it states: "2026-03-01" is no number/);
  });
});

describe('a hotel', () => {
  const hotel = (key: readonly string[], ...more: readonly string[]) => ({
    Hotel: { attributes: ['name'], key: ['name'] },
    Room: {
      attributes: ['hotel_name', 'room_number NUMERIC'],
      key: ['hotel_name', 'room_number'],
      references: ['hotel_name > Hotel: name'],
    },
    Guest: { attributes: ['guest_id NUMERIC', 'name'], key: ['guest_id'] },
    Booking: {
      attributes: [
        'hotel_name',
        'room_number NUMERIC',
        'arrival DATETIME',
        'guest_id NUMERIC',
        'cancelled_on DATETIME',
        ...more,
      ],
      key,
      references: ['hotel_name, room_number > Room: hotel_name, room_number', 'guest_id > Guest: guest_id'],
    },
  });
  const base = [
    row('Hotel h', { name: 'Krone' }),
    row('Room r', { hotel: '@h', number: 12 }),
    row('Guest g', { name: 'Ann' }),
  ];
  const booking = { room: '@r', guest: '@g', arrival: '2026-05-01' };
  const again = testsOf([
    'event',
    ...base,
    row('Booking b1', booking),
    row('Booking b1', { 'cancelled on': '2026-04-01' }),
    row('Booking b2', booking),
  ]);

  test('the same booking after a cancellation', async () => {
    const [small] = await outcomes(schemaOf(hotel(['hotel_name', 'room_number', 'arrival'])), again);
    expect(small).toMatch(/^Booking "b2" .* was refused: .*primary key/);
    expect(
      await outcomes(schemaOf(hotel(['booking_no NUMERIC'.split(' ')[0] ?? ''], 'booking_no NUMERIC')), again),
    ).toEqual(['passed']);
  });

  test('what a design asks for beyond the tests is written first', async () => {
    const schema = schemaOf(hotel(['hotel_name', 'room_number', 'arrival']));
    const alone = testsOf([
      'fact',
      row('Guest g', { name: 'Ann' }),
      row('Booking b', { guest: '@g', arrival: '2026-05-01' }),
    ]);
    expect(await outcomes(schema, alone)).toEqual(['passed']);
  });

  test('the room of another hotel than the one that is stated is refused', async () => {
    const design = hotel(['hotel_name', 'room_number', 'arrival']);
    const { Booking } = design;
    const schema = schemaOf({
      ...design,
      Booking: { ...Booking, references: [...Booking.references, 'hotel_name > Hotel: name'] },
    });
    const stay = { ...booking, hotel: '@k' };
    const other = row('Hotel k', { name: 'Adler' });
    const tests = testsOf(
      ['refusal', ...base, other, row('Booking b', stay)],
      ['fact', ...base, other, row('Booking b', { ...stay, hotel: '@h' })],
    );
    expect(await outcomes(schema, tests)).toEqual(['passed', 'passed']);
  });

  test('rooms of two hotels may have one number', async () => {
    const schema = schemaOf(hotel(['hotel_name', 'room_number', 'arrival']));
    const other = row('Hotel k', { name: 'Adler' });
    const tests = testsOf(
      ['refusal', ...base, row('Room x', { hotel: '@h', number: 12 })],
      ['event', ...base, other, row('Room x', { hotel: '@k', number: 12 })],
    );
    expect(await outcomes(schema, tests)).toEqual(['passed', 'passed']);
  });
});

describe('a school', () => {
  const SCHOOL = {
    Student: { attributes: ['student_number', 'name'], key: ['student_number'] },
    Course: { attributes: ['title'], key: ['title'] },
    Enrolment: {
      attributes: ['student_number', 'course_title', 'grade NUMERIC'],
      key: ['student_number', 'course_title'],
      references: ['student_number > Student: student_number', 'course_title > Course: title'],
    },
  };
  const students = [row('Student s', { 'student number': 'S1', name: 'Ann' }), row('Course c', { title: 'Art' })];

  test('a thing that is a link relation, and a reference that is a row of it', async () => {
    const schema = schemaOf(SCHOOL);
    const asThing = testsOf(
      ['fact', ...students, row('Enrolment e', { student: '@s', course: '@c', grade: 1.5 })],
      [
        'refusal',
        ...students,
        row('Enrolment e', { student: '@s', course: '@c', grade: 1 }),
        row('Enrolment f', { student: '@s', course: '@c', grade: 2 }),
      ],
    );
    expect(await outcomes(schema, asThing)).toEqual(['passed', 'passed']);
    const asFact = testsOf(
      ['event', ...students, row('Course d', { title: 'Law' }), row('Student s', { attends: ['@c', '@d'] })],
      ['refusal', ...students, row('Student s', { attends: '@c' }), row('Student s', { attends: '@c' })],
    );
    expect(await outcomes(schema, asFact)).toEqual(['passed', 'passed']);
  });

  test('many-to-many that became one-to-many refuses the second course', async () => {
    const schema = schemaOf({ ...SCHOOL, Enrolment: { ...SCHOOL.Enrolment, key: ['student_number'] } });
    const [event] = await outcomes(
      schema,
      testsOf([
        'event',
        ...students,
        row('Course d', { title: 'Law' }),
        row('Enrolment e', { student: '@s', course: '@c' }),
        row('Enrolment f', { student: '@s', course: '@d' }),
      ]),
    );
    expect(event).toMatch(/^Enrolment "f" .* was refused/);
  });
});

describe('facts in other relations', () => {
  const PEOPLE = {
    Person: {
      attributes: ['person_id NUMERIC', 'name', 'postal_code'],
      key: ['person_id'],
      references: ['postal_code > PostalCode: postal_code'],
    },
    PostalCode: { attributes: ['postal_code', 'city'], key: ['postal_code'] },
    PersonPhone: {
      attributes: ['person_id NUMERIC', 'phone_number'],
      key: ['person_id', 'phone_number'],
      references: ['person_id > Person: person_id'],
    },
  };
  const home = { 'postal code': '8000', city: 'Zürich' };
  const tests = testsOf(
    ['fact', row('Person a', { name: 'Ann', ...home }), row('Person b', { name: 'Bob', ...home })],
    ['event', row('Person a', { name: 'Ann', 'phone number': ['1', '2'] }), row('Person a', { 'phone number': '3' })],
    ['refusal', row('Person a', { name: 'Ann', 'phone number': '1' }), row('Person a', { 'phone number': '1' })],
    ['event', row('Person a', { name: 'Ann', 'postal code': '8000' }), row('Person a', home)],
    ['refusal', row('Person a', home), row('Person b', { ...home, city: 'Bern' })],
  );

  test('several phone numbers, and the city of a postal code', async () => {
    expect(await outcomes(schemaOf(PEOPLE), tests)).toEqual(Array(5).fill('passed'));
  });

  test('a column has room for one phone number', async () => {
    const { PersonPhone, Person, ...rest } = PEOPLE;
    const schema = schemaOf({ ...rest, Person: { ...Person, attributes: [...Person.attributes, 'phone'] } });
    const [, event] = await outcomes(schema, tests);
    expect(event).toMatch(/"Person" has one "phone" a row, which would have to be "1" and "2" at once/);
  });
});

function factsOf({ facts }: ReturnType<typeof row>): Record<string, string> {
  return Object.fromEntries(
    facts.map(({ fact, value }) => [
      fact,
      value !== null && typeof value === 'object' ? `@${value.row}` : String(value),
    ]),
  );
}
