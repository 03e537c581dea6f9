import { type SmallDatabase, smallDatabase } from './small-database.ts';

/** For tests: teams, players, matches, a table that links, keys with roles, dates, flags and missing values. */
export function openLeague(): SmallDatabase {
  return smallDatabase(
    {
      teams: [
        'team_id number key',
        'name text required',
        'city text',
        'country text',
        'founded number',
        'budget number',
      ],
      players: [
        'player_id number key',
        'first_name text required',
        'last_name text required',
        'team_id number > teams',
        'birth_date date',
        'height_cm number',
        'salary number',
        'position text',
        'injured bool',
      ],
      matches: [
        'match_id number key',
        'home_team_id number required > teams',
        'away_team_id number required > teams',
        'played_on date',
        'attendance number',
        'status text',
      ],
      sponsors: ['sponsor_id number key', 'name text required', 'industry text', 'email text'],
      team_sponsors: ['team_id number key > teams', 'sponsor_id number key > sponsors'],
      coaches: [
        'coach_id number key',
        'name text required',
        'team_id number > teams',
        'hired_on date',
        'mentor_id number > coaches',
      ],
    },
    {
      teams: [
        [1, 'Harbour Lions', 'Porto', 'Portugal', 1921, 900],
        [2, 'Hill Rangers', 'Lyon', 'France', 1950, 700],
        [3, 'River Foxes', 'Lyon', 'France', 1987, 400],
        [4, 'Desert Owls', 'Cairo', 'Egypt', 1999, null],
        [5, 'Lake Herons', null, 'Finland', 2005, 300],
      ],
      players: [
        [1, 'Ana', 'Costa', 1, '1995-03-01', 180, 50, 'keeper', false],
        [2, 'Ben', 'Diaz', 1, '1999-07-12', 175, 70, 'striker', true],
        [3, 'Cem', 'Evin', 1, '2001-01-30', 190, 40, 'defender', false],
        [4, 'Dia', 'Faro', 2, '1990-11-05', 168, 90, 'striker', false],
        [5, 'Eli', 'Gold', 2, null, 182, 60, 'keeper', true],
        [6, 'Fay', 'Hart', 3, '2003-05-21', null, 30, 'defender', false],
        [7, 'Gus', 'Ivry', null, '1988-08-08', 171, 20, null, false],
      ],
      matches: [
        [1, 1, 2, '2022-03-05', 1200, 'played'],
        [2, 2, 1, '2022-09-17', 800, 'played'],
        [3, 1, 3, '2023-02-11', 1500, 'played'],
        [4, 3, 4, '2023-10-02', 400, 'cancelled'],
        [5, 4, 1, null, null, 'planned'],
      ],
      sponsors: [
        [1, 'Acme Bank', 'finance', 'hi@acme.example'],
        [2, 'Blue Tea', 'food', null],
        [3, 'Cloud Nine', 'software', 'cn@cloud.example'],
        [4, 'Dune Oil', 'energy', 'oil@dune.example'],
      ],
      team_sponsors: [
        [1, 1],
        [1, 2],
        [2, 1],
        [3, 3],
      ],
      coaches: [
        [1, 'Olga Bann', 1, '2015-01-01', null],
        [2, 'Piet Cole', 2, '2020-06-01', 1],
        [3, 'Quin Dahl', 3, '2021-02-01', 1],
      ],
    },
  );
}
