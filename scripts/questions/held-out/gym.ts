import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { each, later, monthOfYear, year } from '../variants.ts';

const MEMBER = ['m.first_name, m.last_name', `m.first_name || ' ' || m.last_name`, 'm.member_id'];

/** A chain of fitness clubs. */
export const gym: Business = {
  name: 'gym',
  ddl: `
CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, club_name TEXT NOT NULL, city TEXT NOT NULL, has_pool TEXT NOT NULL, has_sauna TEXT NOT NULL);
CREATE TABLE plans (plan_id INTEGER PRIMARY KEY, plan_name TEXT NOT NULL, monthly_fee REAL NOT NULL, contract_months INTEGER NOT NULL);
CREATE TABLE members (member_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, gender TEXT,
  birth_date DATE NOT NULL, email TEXT, joined_on DATE NOT NULL, cancelled_on DATE, plan_id INTEGER NOT NULL REFERENCES plans(plan_id),
  home_club_id INTEGER NOT NULL REFERENCES clubs(club_id));
CREATE TABLE trainers (trainer_id INTEGER PRIMARY KEY, trainer_name TEXT NOT NULL, specialty TEXT NOT NULL,
  club_id INTEGER REFERENCES clubs(club_id), hired_on DATE NOT NULL);
CREATE TABLE training_sessions (session_id INTEGER PRIMARY KEY, trainer_id INTEGER NOT NULL REFERENCES trainers(trainer_id),
  member_id INTEGER NOT NULL REFERENCES members(member_id), session_date DATE NOT NULL, price REAL NOT NULL, no_show INTEGER NOT NULL);
CREATE TABLE check_ins (check_in_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members(member_id),
  club_id INTEGER NOT NULL REFERENCES clubs(club_id), check_in_date DATE NOT NULL, minutes INTEGER);`,
  rows: (random) => {
    const stays = times(140, () => {
      const joined = day(random, '2022-01-04', '2025-05-31');
      const left = later(joined, whole(random, 60, 700));
      return [joined, random() < 0.35 && left <= TODAY ? left : null] as const;
    });
    /** A member and a day on which he was one. */
    const present = (most: number): readonly [number, string] => {
      const member = whole(random, 1, most);
      const [joined, left] = stays[member - 1] as (typeof stays)[number];
      return [member, day(random, joined, left ?? TODAY)];
    };
    return {
      clubs: [
        [1, 'Central', 'Dublin', 'Y', 'Y'],
        [2, 'Docklands', 'Dublin', 'N', 'Y'],
        [3, 'Westgate', 'Cork', 'Y', 'N'],
        [4, 'Bayview', 'Galway', 'N', 'N'],
      ],
      plans: [
        [1, 'Basic', 24.9, 1],
        [2, 'Standard', 34.9, 12],
        [3, 'Premium', 54.9, 12],
        [4, 'Student', 19.9, 6],
      ],
      members: times(140, (id) => {
        const [joined, left] = stays[id - 1] as (typeof stays)[number];
        return [
          id,
          ...(person(id).split(' ') as [string, string]),
          random() < 0.06 ? null : oneOf(random, ['female', 'male']),
          day(random, '1955-01-01', '2006-12-31'),
          random() < 0.13 ? null : `${person(id).toLowerCase().replace(' ', '')}@inbox.example`,
          joined,
          left,
          whole(random, 1, 4),
          whole(random, 1, 4),
        ];
      }),
      trainers: [
        [1, 'Niamh Doyle', 'Yoga', 1, '2021-05-03'],
        [2, 'Conor Walsh', 'Strength', 1, '2019-02-18'],
        [3, 'Aoife Byrne', 'Pilates', 2, '2022-08-22'],
        [4, 'Sean Murphy', 'Strength', 3, '2020-11-09'],
        [5, 'Eva Novak', 'Spinning', 4, '2023-01-16'],
        [6, 'Marco Rossi', 'Boxing', null, '2024-07-01'],
      ],
      training_sessions: times(450, (id) => [
        id,
        whole(random, 1, 6),
        ...present(95),
        oneOf(random, [35, 45, 60, 75]),
        random() < 0.08 ? 1 : 0,
      ]),
      check_ins: times(1700, (id) => {
        const [member, date] = present(132);
        return [id, member, whole(random, 1, 4), date, random() < 0.08 ? null : whole(random, 20, 140)];
      }),
    };
  },
  questions: [
    ['How many members do we have on record?', 'SELECT COUNT(*) FROM members'],
    ['Which clubs have a pool?', ...each(`SELECT {} FROM clubs WHERE has_pool = 'Y'`, 'club_name', 'club_id')],
    [
      'Show me the trainers who teach strength',
      ...each(`SELECT {} FROM trainers WHERE specialty = 'Strength'`, 'trainer_name', 'trainer_id'),
    ],
    ['How many members have left us?', 'SELECT COUNT(*) FROM members WHERE cancelled_on IS NOT NULL'],
    [
      'Members born before 1960',
      ...each(`SELECT {} FROM members m WHERE birth_date < '1960-01-01'`, ...MEMBER),
      ...each(`SELECT {} FROM members m WHERE birth_date < '1960-01-01' AND cancelled_on IS NULL`, ...MEMBER),
    ],
    [
      'How many people are on each plan?',
      ...each(
        'SELECT {}, COUNT(*) FROM members m JOIN plans p ON p.plan_id = m.plan_id GROUP BY p.plan_id',
        'p.plan_name',
        'p.plan_id',
      ),
      ...each(
        'SELECT {}, COUNT(*) FROM members m JOIN plans p ON p.plan_id = m.plan_id WHERE m.cancelled_on IS NULL GROUP BY p.plan_id',
        'p.plan_name',
        'p.plan_id',
      ),
    ],
    [
      'How long does a visit last on average in each club?',
      ...each(
        'SELECT {}, AVG(k.minutes) FROM check_ins k JOIN clubs c ON c.club_id = k.club_id GROUP BY c.club_id',
        'c.club_name',
        'c.club_id',
      ),
    ],
    [
      'members by gender',
      'SELECT gender, COUNT(*) FROM members GROUP BY 1',
      'SELECT gender, COUNT(*) FROM members WHERE gender IS NOT NULL GROUP BY 1',
      'SELECT gender, COUNT(*) FROM members WHERE cancelled_on IS NULL GROUP BY 1',
      'SELECT gender, COUNT(*) FROM members WHERE cancelled_on IS NULL AND gender IS NOT NULL GROUP BY 1',
    ],
    [
      'Total income from training sessions per trainer',
      ...each(
        'SELECT {}, SUM(s.price) FROM training_sessions s JOIN trainers t ON t.trainer_id = s.trainer_id GROUP BY t.trainer_id',
        't.trainer_name',
        't.trainer_id',
      ),
    ],
    [
      'How many new members joined each year?',
      ...each('SELECT {}, COUNT(*) FROM members GROUP BY 1', ...year('joined_on')),
    ],
    [
      'Who are the 5 members that have spent the most minutes in our clubs?',
      ...each(
        'SELECT {} FROM check_ins k JOIN members m ON m.member_id = k.member_id GROUP BY m.member_id ORDER BY SUM(k.minutes) DESC LIMIT 5',
        ...MEMBER,
      ),
    ],
    [
      'How many check-ins did the Docklands club have in March 2025?',
      `SELECT COUNT(*) FROM check_ins k JOIN clubs c ON c.club_id = k.club_id
       WHERE c.club_name = 'Docklands' AND k.check_in_date LIKE '2025-03-%'`,
    ],
    [
      'List the members with a Premium plan whose home club is in Dublin',
      ...each(
        `SELECT {} FROM members m JOIN plans p ON p.plan_id = m.plan_id JOIN clubs c ON c.club_id = m.home_club_id
         WHERE p.plan_name = 'Premium' AND c.city = 'Dublin'`,
        ...MEMBER,
      ),
      ...each(
        `SELECT {} FROM members m JOIN plans p ON p.plan_id = m.plan_id JOIN clubs c ON c.club_id = m.home_club_id
         WHERE p.plan_name = 'Premium' AND c.city = 'Dublin' AND m.cancelled_on IS NULL`,
        ...MEMBER,
      ),
    ],
    [
      'Which trainer has brought in the most money from training sessions since the start of 2024?',
      ...each(
        `SELECT {} FROM training_sessions s JOIN trainers t ON t.trainer_id = s.trainer_id WHERE s.session_date >= '2024-01-01'
         GROUP BY t.trainer_id ORDER BY SUM(s.price) DESC LIMIT 1`,
        't.trainer_name',
        't.trainer_id',
      ),
    ],
    [
      'What is the monthly fee income from members who have not cancelled?',
      'SELECT SUM(p.monthly_fee) FROM members m JOIN plans p ON p.plan_id = m.plan_id WHERE m.cancelled_on IS NULL',
    ],
    [
      'What percentage of training sessions were no-shows?',
      'SELECT 100.0 * SUM(no_show = 1) / COUNT(*) FROM training_sessions',
    ],
    [
      'Which members have never booked a training session but are still active?',
      ...each(
        'SELECT {} FROM members m WHERE m.cancelled_on IS NULL AND m.member_id NOT IN (SELECT member_id FROM training_sessions)',
        ...MEMBER,
      ),
    ],
    [
      'Give me the number of check-ins per month for last year',
      ...each(
        `SELECT {}, COUNT(*) FROM check_ins WHERE check_in_date LIKE '2024-%' GROUP BY 1`,
        ...monthOfYear('check_in_date'),
      ),
    ],
    [
      'Which active members have not checked in since the beginning of 2025?',
      ...each(
        `SELECT {} FROM members m WHERE m.cancelled_on IS NULL
         AND m.member_id NOT IN (SELECT member_id FROM check_ins WHERE check_in_date >= '2025-01-01')`,
        ...MEMBER,
      ),
    ],
    [
      'How many visits lasted longer than the average visit?',
      'SELECT COUNT(*) FROM check_ins WHERE minutes > (SELECT AVG(minutes) FROM check_ins)',
    ],
  ],
};
