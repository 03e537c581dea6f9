/** For tests: questions to the league, each with a statement that a person would write for it (SQLite). */
export const LEAGUE_ANSWERS: Readonly<Record<string, readonly (readonly [question: string, sql: string])[]>> = {
  'rows and columns': [
    ['List the names of all teams', 'SELECT name FROM teams'],
    ['Show the first name and salary of every player', 'SELECT first_name, salary FROM players'],
    ['Give me the names, cities and countries of teams', 'SELECT name, city, country FROM teams'],
    ['Show all sponsors', 'SELECT name FROM sponsors'],
    ['teams', 'SELECT name FROM teams'],
    ['Show all the details of coaches', 'SELECT * FROM coaches'],
    ['What is the email of Acme Bank?', "SELECT email FROM sponsors WHERE name = 'Acme Bank'"],
    ["What is Acme Bank's industry?", "SELECT industry FROM sponsors WHERE name = 'Acme Bank'"],
    ['When was Olga Bann hired?', "SELECT hired_on FROM coaches WHERE name = 'Olga Bann'"],
    ['What are the different positions of players?', 'SELECT DISTINCT position FROM players'],
  ],
  filters: [
    ['What are the names and budgets of teams from France?', "SELECT name, budget FROM teams WHERE country = 'France'"],
    ['Which teams are in Lyon or Porto?', "SELECT name FROM teams WHERE city IN ('Lyon', 'Porto')"],
    ['Which teams are not from France?', "SELECT name FROM teams WHERE country <> 'France'"],
    ['Which players earn more than 50?', 'SELECT first_name, last_name FROM players WHERE salary > 50'],
    ['last names of players with a salary of at most 40', 'SELECT last_name FROM players WHERE salary <= 40'],
    [
      'Which players have a salary between 40 and 60?',
      'SELECT first_name, last_name FROM players WHERE salary BETWEEN 40 AND 60',
    ],
    ['Show the last names of players taller than 175 cm', 'SELECT last_name FROM players WHERE height_cm > 175'],
    ['players whose salary is 60 or more', 'SELECT first_name, last_name FROM players WHERE salary >= 60'],
    ['List the names of sponsors without an email', 'SELECT name FROM sponsors WHERE email IS NULL'],
    ['Which sponsors have an email?', 'SELECT name FROM sponsors WHERE email IS NOT NULL'],
    ['Players whose position is unknown', 'SELECT first_name, last_name FROM players WHERE position IS NULL'],
    ['Which players are injured?', 'SELECT first_name, last_name FROM players WHERE injured = 1'],
    ['Which players are not injured?', 'SELECT first_name, last_name FROM players WHERE injured = 0'],
    ['How many injured players are there?', 'SELECT COUNT(*) FROM players WHERE injured = 1'],
    ["Which sponsors have names starting with 'C'?", "SELECT name FROM sponsors WHERE name LIKE 'C%'"],
    ['Which sponsors have a name containing "ea"?', "SELECT name FROM sponsors WHERE name LIKE '%ea%'"],
    ['Which sponsors have a name that does not end with "k"?', "SELECT name FROM sponsors WHERE name NOT LIKE '%k'"],
    [
      'Which players have a salary above the average salary?',
      'SELECT first_name, last_name FROM players WHERE salary > (SELECT AVG(salary) FROM players)',
    ],
    [
      'Show the last names of players who are keepers or taller than 185',
      "SELECT last_name FROM players WHERE position = 'keeper' OR height_cm > 185",
    ],
  ],
  'dates and years': [
    ['How many matches were played in 2022?', "SELECT COUNT(*) FROM matches WHERE played_on LIKE '2022%'"],
    ['How many matches were played before 2023?', "SELECT COUNT(*) FROM matches WHERE played_on < '2023-01-01'"],
    [
      'List matches played between 2022 and 2023',
      "SELECT match_id FROM matches WHERE substr(played_on, 1, 4) IN ('2022', '2023')",
    ],
    ['Give me the names of coaches hired since 2020', "SELECT name FROM coaches WHERE hired_on >= '2020-01-01'"],
    ['coaches hired after June 2020', "SELECT name FROM coaches WHERE hired_on > '2020-06-30'"],
    ['coaches hired on 2020-06-01', "SELECT name FROM coaches WHERE hired_on = '2020-06-01'"],
    ['Which teams were founded after 1980?', 'SELECT name FROM teams WHERE founded > 1980'],
    [
      'List the last names of players born before 1996',
      "SELECT last_name FROM players WHERE birth_date < '1996-01-01'",
    ],
  ],
  counts: [
    ['How many players are there?', 'SELECT COUNT(*) FROM players'],
    ['Count the teams', 'SELECT COUNT(*) FROM teams'],
    ['What is the number of sponsors?', 'SELECT COUNT(*) FROM sponsors'],
    ['How many different countries do the teams come from?', 'SELECT COUNT(DISTINCT country) FROM teams'],
    ['How many distinct positions are there?', 'SELECT COUNT(DISTINCT position) FROM players'],
    ['How many teams are sponsored by Acme Bank?', 'SELECT COUNT(*) FROM team_sponsors WHERE sponsor_id = 1'],
  ],
  aggregates: [
    ['What is the highest salary?', 'SELECT MAX(salary) FROM players'],
    [
      'What is the average, minimum and maximum attendance of matches?',
      'SELECT AVG(attendance), MIN(attendance), MAX(attendance) FROM matches',
    ],
    [
      'What is the sum of the salaries of players of the Harbour Lions?',
      'SELECT SUM(salary) FROM players WHERE team_id = 1',
    ],
    [
      'What is the average salary of players from teams in France?',
      'SELECT AVG(salary) FROM players WHERE team_id IN (2, 3)',
    ],
  ],
};
