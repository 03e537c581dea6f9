/** For tests: questions to the league, each with a statement that a person would write for it (SQLite). */
export const LEAGUE_ANSWERS_ACROSS_TABLES: Readonly<
  Record<string, readonly (readonly [question: string, sql: string])[]>
> = {
  joins: [
    [
      'List the first names of players of teams from France',
      "SELECT first_name FROM players JOIN teams USING (team_id) WHERE country = 'France'",
    ],
    [
      'Show each coach with the name of their team',
      'SELECT c.name, t.name FROM coaches c JOIN teams t USING (team_id)',
    ],
    [
      'Which team does Ana Costa play for?',
      "SELECT name FROM teams WHERE team_id = (SELECT team_id FROM players WHERE last_name = 'Costa')",
    ],
    [
      'Who is the mentor of Piet Cole?',
      "SELECT m.name FROM coaches c JOIN coaches m ON c.mentor_id = m.coach_id WHERE c.name = 'Piet Cole'",
    ],
    [
      'names of sponsors of the Harbour Lions',
      'SELECT name FROM sponsors JOIN team_sponsors USING (sponsor_id) WHERE team_id = 1',
    ],
    [
      'List the names of teams that have a striker',
      "SELECT name FROM teams WHERE team_id IN (SELECT team_id FROM players WHERE position = 'striker')",
    ],
    [
      'What are the names of the teams with a player who earns more than 60?',
      'SELECT name FROM teams WHERE team_id IN (SELECT team_id FROM players WHERE salary > 60)',
    ],
  ],
  'what is not there': [
    [
      'Which teams have no sponsors?',
      'SELECT name FROM teams WHERE team_id NOT IN (SELECT team_id FROM team_sponsors)',
    ],
    [
      'Which teams have no players?',
      'SELECT name FROM teams WHERE team_id NOT IN (SELECT team_id FROM players WHERE team_id IS NOT NULL)',
    ],
    ['List teams without any coach', 'SELECT name FROM teams WHERE team_id NOT IN (SELECT team_id FROM coaches)'],
    [
      'Which teams do not have a keeper?',
      "SELECT name FROM teams WHERE team_id NOT IN (SELECT team_id FROM players WHERE position = 'keeper')",
    ],
    [
      'Show teams that have players but no sponsors',
      'SELECT name FROM teams WHERE team_id IN (SELECT team_id FROM players) AND team_id NOT IN (SELECT team_id FROM team_sponsors)',
    ],
  ],
  'numbers of related things': [
    [
      'Which teams have at least two players?',
      'SELECT t.name FROM teams t JOIN players p USING (team_id) GROUP BY t.team_id HAVING COUNT(*) >= 2',
    ],
    [
      'Which teams have more than one sponsor?',
      'SELECT t.name FROM teams t JOIN team_sponsors p USING (team_id) GROUP BY t.team_id HAVING COUNT(*) > 1',
    ],
    // Teams without players have fewer than two as well.
    [
      'Which teams have fewer than two players?',
      'SELECT t.name FROM teams t LEFT JOIN players p USING (team_id) GROUP BY t.team_id HAVING COUNT(p.player_id) < 2',
    ],
    [
      'Which positions have more than one player?',
      'SELECT position FROM players GROUP BY position HAVING COUNT(*) > 1',
    ],
    ['Which cities have more than one team?', 'SELECT city FROM teams GROUP BY city HAVING COUNT(*) > 1'],
  ],
  groups: [
    [
      'How many players does each team have?',
      'SELECT t.name, COUNT(*) FROM players JOIN teams t USING (team_id) GROUP BY t.team_id',
    ],
    [
      'What is the average salary of players per position?',
      'SELECT position, AVG(salary) FROM players GROUP BY position',
    ],
    ['What is the total budget of teams in each country?', 'SELECT country, SUM(budget) FROM teams GROUP BY country'],
    ['For each country, how many teams are there?', 'SELECT country, COUNT(*) FROM teams GROUP BY country'],
    [
      'What are the names of teams and the number of players in each team?',
      'SELECT t.name, COUNT(*) FROM players JOIN teams t USING (team_id) GROUP BY t.team_id',
    ],
    [
      'Show the number of teams in each country in descending order',
      "SELECT country, COUNT(*) FROM teams GROUP BY country ORDER BY COUNT(*) DESC, country = 'Egypt', country = 'Finland'",
    ],
  ],
  orders: [
    ['List the teams sorted by budget in descending order', 'SELECT name FROM teams ORDER BY budget DESC'],
    ['Show the names of teams ordered by founded and then by name', 'SELECT name FROM teams ORDER BY founded, name'],
    [
      'first names of players from the tallest to the shortest',
      'SELECT first_name FROM players ORDER BY height_cm DESC',
    ],
    ['List the names of sponsors in alphabetical order', 'SELECT name FROM sponsors ORDER BY name'],
    ['Show the top 3 players by salary', 'SELECT first_name, last_name FROM players ORDER BY salary DESC LIMIT 3'],
  ],
  extremes: [
    ['Who is the tallest player?', 'SELECT first_name, last_name FROM players WHERE height_cm = 190'],
    // A missing birth date is no early one, although NULLs sort first.
    ['Who is the oldest player?', "SELECT first_name, last_name FROM players WHERE birth_date = '1988-08-08'"],
    ['What is the name of the oldest team?', 'SELECT name FROM teams ORDER BY founded LIMIT 1'],
    [
      'What are the names of the 2 youngest players?',
      'SELECT first_name, last_name FROM players ORDER BY birth_date DESC LIMIT 2',
    ],
    [
      'What is the last name of the player with the lowest salary?',
      'SELECT last_name FROM players ORDER BY salary LIMIT 1',
    ],
    ['Which country has the most teams?', "SELECT 'France'"],
    ['Which team has the fewest players?', "SELECT 'River Foxes'"],
    ['What is the most common position?', "SELECT position FROM players WHERE position = 'striker' LIMIT 1"],
    ['Which team has the highest average salary of players?', "SELECT 'Hill Rangers'"],
  ],
};
