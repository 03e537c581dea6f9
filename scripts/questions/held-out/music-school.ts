import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { cents, each, later, monthOfYear } from '../variants.ts';

const TEACHERS = [
  ['Agnes Holm', 'Piano', 48, '2010-08-15'],
  ['Boris Levin', 'Violin', 52, '2016-01-11'],
  ['Chiara Neri', 'Voice', 45, '2019-09-02'],
  ['Daniel Okafor', 'Drums', 42, '2021-02-01'],
  ['Ellen Strand', 'Guitar', 44, '2022-08-22'],
  ['Filip Zeman', 'Piano', 46, '2023-10-02'],
  ['Greta Vogel', 'Flute', 43, '2025-01-13'],
] as const;

/** A music school with lessons, instruments for rent and invoices. */
export const musicSchool: Business = {
  name: 'music school',
  ddl: `
CREATE TABLE teachers (teacher_id INTEGER PRIMARY KEY, teacher_name TEXT NOT NULL, instrument TEXT NOT NULL,
  hourly_rate REAL NOT NULL, hired_on DATE NOT NULL);
CREATE TABLE students (student_id INTEGER PRIMARY KEY, student_name TEXT NOT NULL, birth_date DATE NOT NULL, town TEXT NOT NULL,
  level TEXT NOT NULL, parent_email TEXT, enrolled_on DATE NOT NULL, left_on DATE);
CREATE TABLE lessons (lesson_id INTEGER PRIMARY KEY, student_id INTEGER NOT NULL REFERENCES students(student_id),
  teacher_id INTEGER NOT NULL REFERENCES teachers(teacher_id), lesson_date DATE NOT NULL, duration_min INTEGER NOT NULL,
  attendance TEXT NOT NULL, online INTEGER NOT NULL);
CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, instrument_type TEXT NOT NULL, serial_number TEXT NOT NULL,
  student_id INTEGER NOT NULL REFERENCES students(student_id), start_date DATE NOT NULL, end_date DATE, monthly_rent REAL NOT NULL,
  condition TEXT);
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, student_id INTEGER NOT NULL REFERENCES students(student_id),
  issued_on DATE NOT NULL, due_on DATE NOT NULL, paid_on DATE, amount REAL NOT NULL);`,
  rows: (random) => ({
    teachers: TEACHERS.map((teacher, at) => [at + 1, ...teacher]),
    students: times(110, (id) => {
      const enrolled = day(random, '2022-01-10', '2025-03-31');
      const left = later(enrolled, whole(random, 90, 800));
      return [
        id,
        person(id + 13),
        day(random, '1985-01-01', '2017-12-31'),
        oneOf(random, ['Aarhus', 'Odense', 'Vejle', 'Kolding']),
        oneOf(random, ['Beginner', 'Beginner', 'Intermediate', 'Advanced']),
        random() < 0.3 ? null : `parent${id}@familie.example`,
        enrolled,
        random() < 0.3 && left < TODAY ? left : null,
      ];
    }),
    lessons: times(1600, (id) => [
      id,
      whole(random, 1, 105),
      whole(random, 1, 6),
      day(random, '2022-02-01'),
      oneOf(random, [30, 30, 45, 60]),
      random() < 0.85 ? 'attended' : oneOf(random, ['missed', 'cancelled']),
      random() < 0.18 ? 1 : 0,
    ]),
    rentals: times(90, (id) => {
      const start = day(random, '2022-02-01');
      const end = later(start, whole(random, 60, 700));
      return [
        id,
        oneOf(random, ['Violin', 'Cello', 'Guitar', 'Keyboard', 'Flute']),
        `SN-${4100 + id}`,
        whole(random, 1, 110),
        start,
        end < TODAY ? end : null,
        oneOf(random, [12, 15, 18.5, 25]),
        random() < 0.15 ? null : oneOf(random, ['new', 'good', 'worn']),
      ];
    }),
    invoices: times(500, (id) => {
      const issued = day(random, '2022-02-01');
      const paid = later(issued, whole(random, 1, 45));
      return [
        id,
        whole(random, 1, 108),
        issued,
        later(issued, 30),
        random() < 0.08 || paid > TODAY ? null : paid,
        cents(60 + random() * 380),
      ];
    }),
  }),
  questions: [
    [
      'How many students are beginners?',
      `SELECT COUNT(*) FROM students WHERE level = 'Beginner'`,
      `SELECT COUNT(*) FROM students WHERE level = 'Beginner' AND left_on IS NULL`,
    ],
    ['Who teaches piano?', ...each(`SELECT {} FROM teachers WHERE instrument = 'Piano'`, 'teacher_name', 'teacher_id')],
    [
      'List the students from Vejle',
      ...each(`SELECT {} FROM students WHERE town = 'Vejle'`, 'student_name', 'student_id'),
      ...each(`SELECT {} FROM students WHERE town = 'Vejle' AND left_on IS NULL`, 'student_name', 'student_id'),
    ],
    ['How many invoices have not been paid yet?', 'SELECT COUNT(*) FROM invoices WHERE paid_on IS NULL'],
    [
      'How many lessons were given online',
      'SELECT COUNT(*) FROM lessons WHERE online = 1',
      `SELECT COUNT(*) FROM lessons WHERE online = 1 AND attendance = 'attended'`,
    ],
    [
      'How many students live in each town?',
      'SELECT town, COUNT(*) FROM students GROUP BY town',
      'SELECT town, COUNT(*) FROM students WHERE left_on IS NULL GROUP BY town',
    ],
    [
      'Lessons per teacher',
      ...each(
        'SELECT {}, COUNT(*) FROM lessons l JOIN teachers t ON t.teacher_id = l.teacher_id GROUP BY t.teacher_id',
        't.teacher_name',
        't.teacher_id',
      ),
      ...each(
        'SELECT {}, COUNT(l.lesson_id) FROM teachers t LEFT JOIN lessons l ON t.teacher_id = l.teacher_id GROUP BY t.teacher_id',
        't.teacher_name',
        't.teacher_id',
      ),
    ],
    [
      'How expensive is it on average to rent each type of instrument per month?',
      'SELECT instrument_type, AVG(monthly_rent) FROM rentals GROUP BY 1',
    ],
    ['Give me a count of lessons by attendance', 'SELECT attendance, COUNT(*) FROM lessons GROUP BY 1'],
    [
      'How much have we invoiced the students of each level?',
      'SELECT s.level, SUM(i.amount) FROM invoices i JOIN students s ON s.student_id = i.student_id GROUP BY 1',
    ],
    [
      'Which four students have been invoiced the highest total amount?',
      ...each(
        'SELECT {} FROM invoices i JOIN students s ON s.student_id = i.student_id GROUP BY s.student_id ORDER BY SUM(i.amount) DESC LIMIT 4',
        's.student_name',
        's.student_id',
      ),
    ],
    [
      'How many lessons did Boris Levin give in 2024?',
      `SELECT COUNT(*) FROM lessons l JOIN teachers t ON t.teacher_id = l.teacher_id
       WHERE t.teacher_name = 'Boris Levin' AND l.lesson_date LIKE '2024-%'`,
      `SELECT COUNT(*) FROM lessons l JOIN teachers t ON t.teacher_id = l.teacher_id
       WHERE t.teacher_name = 'Boris Levin' AND l.lesson_date LIKE '2024-%' AND l.attendance = 'attended'`,
    ],
    [
      'Which students are renting a violin right now?',
      ...each(
        `SELECT {} FROM rentals r JOIN students s ON s.student_id = r.student_id WHERE r.instrument_type = 'Violin' AND r.end_date IS NULL`,
        's.student_name',
        's.student_id',
        'DISTINCT s.student_name',
      ),
    ],
    [
      'What is the total amount of invoices issued last month?',
      `SELECT SUM(amount) FROM invoices WHERE issued_on LIKE '2025-05-%'`,
    ],
    [
      'Who is the youngest student?',
      ...each('SELECT {} FROM students ORDER BY birth_date DESC LIMIT 1', 'student_name', 'student_id'),
      ...each(
        'SELECT {} FROM students WHERE left_on IS NULL ORDER BY birth_date DESC LIMIT 1',
        'student_name',
        'student_id',
      ),
    ],
    [
      'Which invoices are overdue, that is unpaid and past their due date?',
      `SELECT invoice_id FROM invoices WHERE paid_on IS NULL AND due_on < '${TODAY}'`,
    ],
    [
      'For every teacher, give me the percentage of lessons that were cancelled',
      ...each(
        `SELECT {}, 100.0 * SUM(l.attendance = 'cancelled') / COUNT(*) FROM lessons l JOIN teachers t ON t.teacher_id = l.teacher_id
         GROUP BY t.teacher_id`,
        't.teacher_name',
        't.teacher_id',
      ),
      ...each(
        `SELECT {}, 100.0 * SUM(l.attendance = 'cancelled') / COUNT(l.lesson_id) FROM teachers t
         LEFT JOIN lessons l ON t.teacher_id = l.teacher_id GROUP BY t.teacher_id`,
        't.teacher_name',
        't.teacher_id',
      ),
    ],
    [
      'Which students have not had a single lesson?',
      ...each(
        'SELECT {} FROM students WHERE student_id NOT IN (SELECT student_id FROM lessons)',
        'student_name',
        'student_id',
      ),
    ],
    [
      'Which teachers have an hourly rate below average?',
      ...each(
        'SELECT {} FROM teachers WHERE hourly_rate < (SELECT AVG(hourly_rate) FROM teachers)',
        'teacher_name',
        'teacher_id',
      ),
    ],
    [
      'Invoiced amount per month this year',
      ...each(
        `SELECT {}, SUM(amount) FROM invoices WHERE issued_on LIKE '2025-%' GROUP BY 1`,
        ...monthOfYear('issued_on'),
      ),
    ],
  ],
};
