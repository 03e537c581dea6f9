import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { cents, each, later, monthOfYear } from '../variants.ts';

const FIRST_WORDS = ['Silent', 'Golden', 'Broken', 'Hidden', 'Last', 'Winter', 'Paper', 'Crimson', 'Lost', 'Distant'];
const SECOND_WORDS = ['Garden', 'River', 'Letter', 'Orchard', 'Harbour', 'Witness', 'Island', 'Station', 'Mirror'];
const AUTHORS = ['Clara Wendt', 'Peter Amsel', 'Nora Quinn', 'Ivo Marek', 'Lucia Ferro', 'Samuel Oduya', 'Hanne Lund'];
const BRANCHES = [
  ['Central Library', 'Marburg', '1968-09-01', 1],
  ['Riverside', 'Marburg', '1994-05-12', 0],
  ['Old Mill', 'Giessen', '2003-03-20', 1],
  ['North Station', 'Kassel', '2015-10-05', 0],
] as const;

/** A public library with four branches. */
export const library: Business = {
  name: 'library',
  ddl: `
CREATE TABLE branches (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, opened_on DATE NOT NULL,
  has_parking INTEGER NOT NULL);
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, genre TEXT NOT NULL,
  language TEXT NOT NULL, published_year INTEGER, price REAL NOT NULL, branch_id INTEGER NOT NULL REFERENCES branches(id));
CREATE TABLE members (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, member_type TEXT NOT NULL, joined_on DATE NOT NULL,
  email TEXT, city TEXT NOT NULL, is_active INTEGER NOT NULL);
CREATE TABLE loans (id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES books(id),
  member_id INTEGER NOT NULL REFERENCES members(id), loaned_on DATE NOT NULL, due_on DATE NOT NULL, returned_on DATE,
  fine REAL);`,
  rows: (random) => {
    const joined = times(120, (id) => later('2022-01-03', id * 10 + whole(random, 0, 9)));
    return {
      branches: BRANCHES.map((branch, at) => [at + 1, ...branch]),
      books: times(90, (id) => [
        id,
        `The ${FIRST_WORDS[id % 10]} ${SECOND_WORDS[id % 9]}`,
        oneOf(random, AUTHORS),
        oneOf(random, ['Crime', 'Fantasy', 'History', 'Biography', 'Romance', 'Science']),
        oneOf(random, ['German', 'German', 'English', 'French']),
        random() < 0.07 ? null : whole(random, 1975, 2024),
        cents(8 + random() * 30),
        whole(random, 1, 4),
      ]),
      members: times(120, (id) => [
        id,
        person(id),
        oneOf(random, ['Adult', 'Adult', 'Child', 'Student', 'Senior']),
        joined[id - 1] as string,
        random() < 0.2 ? null : `${person(id).toLowerCase().replace(' ', '.')}@mail.example`,
        oneOf(random, ['Marburg', 'Giessen', 'Kassel', 'Wetzlar']),
        random() < 0.85 ? 1 : 0,
      ]),
      loans: times(1500, (id) => {
        const member = whole(random, 1, 112);
        const loaned = day(random, joined[member - 1] as string);
        const due = later(loaned, 28);
        const back = later(loaned, whole(random, 2, 40));
        const returned = back > TODAY || random() < 0.02 ? null : back;
        const late = returned !== null && returned > due;
        return [id, whole(random, 1, 84), member, loaned, due, returned, late ? cents(0.5 + random() * 9) : null];
      }),
    };
  },
  questions: [
    ['How many books do we have in German?', `SELECT COUNT(*) FROM books WHERE language = 'German'`],
    ['Show all student members', ...each(`SELECT {} FROM members WHERE member_type = 'Student'`, 'full_name', 'id')],
    [
      'Which members did not give us an email address?',
      ...each('SELECT {} FROM members WHERE email IS NULL', 'full_name', 'id'),
    ],
    ['Which branches have parking?', ...each('SELECT {} FROM branches WHERE has_parking = 1', 'name', 'id')],
    ['How many people joined in 2024?', `SELECT COUNT(*) FROM members WHERE joined_on LIKE '2024-%'`],
    ['number of books per genre', 'SELECT genre, COUNT(*) FROM books GROUP BY genre'],
    [
      'What is the average price of a book in each language?',
      'SELECT language, AVG(price) FROM books GROUP BY language',
    ],
    ['How many members are there of each type', 'SELECT member_type, COUNT(*) FROM members GROUP BY 1'],
    [
      'How many loans did each branch have?',
      ...each(
        'SELECT {}, COUNT(*) FROM loans l JOIN books b ON b.id = l.book_id JOIN branches r ON r.id = b.branch_id GROUP BY r.id',
        'r.name',
        'r.id',
      ),
    ],
    [
      'How much have we collected in fines from each type of member?',
      'SELECT m.member_type, SUM(l.fine) FROM loans l JOIN members m ON m.id = l.member_id GROUP BY 1',
    ],
    [
      'Which five members have paid the most in fines?',
      ...each(
        'SELECT {} FROM loans l JOIN members m ON m.id = l.member_id GROUP BY m.id ORDER BY SUM(l.fine) DESC LIMIT 5',
        'm.full_name',
        'm.id',
      ),
    ],
    [
      'How many books were borrowed last month?',
      `SELECT COUNT(*) FROM loans WHERE loaned_on LIKE '2025-05-%'`,
      `SELECT COUNT(DISTINCT book_id) FROM loans WHERE loaned_on LIKE '2025-05-%'`,
    ],
    [
      'List the titles Grace Garcia has borrowed',
      `SELECT DISTINCT b.title FROM loans l JOIN books b ON b.id = l.book_id JOIN members m ON m.id = l.member_id
       WHERE m.full_name = 'Grace Garcia'`,
      `SELECT b.title FROM loans l JOIN books b ON b.id = l.book_id JOIN members m ON m.id = l.member_id
       WHERE m.full_name = 'Grace Garcia'`,
    ],
    [
      'Show me the crime books at the Old Mill branch',
      ...each(
        `SELECT {} FROM books b JOIN branches r ON r.id = b.branch_id WHERE b.genre = 'Crime' AND r.name = 'Old Mill'`,
        'b.title',
        'b.id',
      ),
    ],
    ['Who is our newest member?', ...each('SELECT {} FROM members ORDER BY joined_on DESC LIMIT 1', 'full_name', 'id')],
    [
      'How many loans are overdue and not yet returned?',
      `SELECT COUNT(*) FROM loans WHERE returned_on IS NULL AND due_on < '${TODAY}'`,
    ],
    [
      'Which books have never been borrowed?',
      ...each('SELECT {} FROM books WHERE id NOT IN (SELECT book_id FROM loans)', 'title', 'id'),
    ],
    [
      'What percentage of the returned loans came back after the due date?',
      'SELECT 100.0 * SUM(returned_on > due_on) / COUNT(*) FROM loans WHERE returned_on IS NOT NULL',
    ],
    [
      'In which month of 2024 did we lend the most books?',
      ...each(
        `SELECT {} FROM loans WHERE loaned_on LIKE '2024-%' GROUP BY substr(loaned_on, 1, 7) ORDER BY COUNT(*) DESC LIMIT 1`,
        ...monthOfYear('loaned_on'),
      ),
    ],
    [
      'Are there books that were borrowed more than 22 times? Show their titles',
      'SELECT b.title FROM loans l JOIN books b ON b.id = l.book_id GROUP BY b.id HAVING COUNT(*) > 22',
    ],
  ],
};
