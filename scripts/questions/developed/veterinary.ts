import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { cents, each, later, monthOfYear } from '../variants.ts';

const PET_NAMES = ['Bella', 'Max', 'Luna', 'Rocky', 'Milo', 'Daisy', 'Simba', 'Coco', 'Oscar', 'Nala', 'Felix', 'Ruby'];
const BREEDS: Readonly<Record<string, readonly string[]>> = {
  Dog: ['Labrador', 'Beagle', 'Poodle', 'German Shepherd'],
  Cat: ['Siamese', 'Persian', 'Maine Coon'],
  Rabbit: ['Lop', 'Dwarf'],
  Bird: ['Budgie', 'Canary'],
};

/** A veterinary practice. */
export const veterinary: Business = {
  name: 'veterinary',
  ddl: `
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, owner_name TEXT NOT NULL, phone TEXT, town TEXT NOT NULL);
CREATE TABLE vets (vet_id INTEGER PRIMARY KEY, vet_name TEXT NOT NULL, specialty TEXT, hired_on DATE NOT NULL);
CREATE TABLE pets (pet_id INTEGER PRIMARY KEY, pet_name TEXT NOT NULL, species TEXT NOT NULL, breed TEXT, sex TEXT NOT NULL,
  birth_date DATE, neutered INTEGER NOT NULL, weight_kg REAL, owner_id INTEGER NOT NULL REFERENCES owners(owner_id));
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL REFERENCES pets(pet_id),
  vet_id INTEGER NOT NULL REFERENCES vets(vet_id), visit_date DATE NOT NULL, reason TEXT NOT NULL, status TEXT NOT NULL,
  fee REAL, paid INTEGER NOT NULL);
CREATE TABLE vaccinations (vaccination_id INTEGER PRIMARY KEY, pet_id INTEGER NOT NULL REFERENCES pets(pet_id),
  vaccine TEXT NOT NULL, given_on DATE NOT NULL, next_due DATE);`,
  rows: (random) => ({
    owners: times(120, (id) => [
      id,
      person(id),
      random() < 0.12 ? null : `+44 7${whole(random, 100, 999)} ${whole(random, 100000, 999999)}`,
      oneOf(random, ['Bath', 'Bristol', 'Wells', 'Frome']),
    ]),
    vets: [
      [1, 'Dr Amelia Stone', 'Surgery', '2015-02-01'],
      [2, 'Dr Rajiv Menon', 'Dentistry', '2019-08-19'],
      [3, 'Dr Sofia Lindgren', 'Exotic animals', '2022-01-10'],
      [4, 'Dr Tom Hale', null, '2023-09-04'],
    ],
    pets: times(180, (id) => {
      const species = oneOf(random, ['Dog', 'Dog', 'Dog', 'Cat', 'Cat', 'Rabbit', 'Bird']);
      const most = { Dog: 40, Cat: 7, Rabbit: 4, Bird: 1 }[species] as number;
      return [
        id,
        oneOf(random, PET_NAMES),
        species,
        random() < 0.15 ? null : oneOf(random, BREEDS[species] as readonly string[]),
        oneOf(random, ['female', 'male']),
        random() < 0.05 ? null : day(random, '2011-01-01', '2024-12-31'),
        random() < 0.6 ? 1 : 0,
        random() < 0.05 ? null : cents(most * (0.3 + 0.7 * random())),
        id <= 116 ? id : whole(random, 1, 116),
      ];
    }),
    visits: times(1000, (id) => {
      const date = day(random, '2022-02-01', '2025-07-20');
      const status = date > TODAY ? 'scheduled' : random() < 0.08 ? 'no-show' : 'completed';
      return [
        id,
        whole(random, 1, 175),
        whole(random, 1, 4),
        date,
        oneOf(random, ['Check-up', 'Check-up', 'Vaccination', 'Injury', 'Dental', 'Skin problem', 'Surgery']),
        status,
        status === 'completed' ? cents(35 + random() * 340) : null,
        status === 'completed' && random() < 0.9 ? 1 : 0,
      ];
    }),
    vaccinations: times(300, (id) => {
      const given = day(random, '2022-02-01');
      const next = random() < 0.1 ? null : later(given, 180);
      return [id, whole(random, 1, 150), oneOf(random, ['Rabies', 'Distemper', 'Parvovirus', 'Cat flu']), given, next];
    }),
  }),
  questions: [
    ['How many dogs are registered?', `SELECT COUNT(*) FROM pets WHERE species = 'Dog'`],
    ['list the owners from Wells', ...each(`SELECT {} FROM owners WHERE town = 'Wells'`, 'owner_name', 'owner_id')],
    ['Which pets weigh more than 35 kg?', ...each('SELECT {} FROM pets WHERE weight_kg > 35', 'pet_name', 'pet_id')],
    ['Owners without a phone number', ...each('SELECT {} FROM owners WHERE phone IS NULL', 'owner_name', 'owner_id')],
    ['How many visits were missed because nobody showed up?', `SELECT COUNT(*) FROM visits WHERE status = 'no-show'`],
    ['How many pets do we look after per species?', 'SELECT species, COUNT(*) FROM pets GROUP BY 1'],
    ['average fee by reason for the visit', 'SELECT reason, AVG(fee) FROM visits GROUP BY reason'],
    [
      'How much has each vet earned in fees?',
      ...each(
        'SELECT {}, SUM(v.fee) FROM visits v JOIN vets t ON t.vet_id = v.vet_id GROUP BY t.vet_id',
        't.vet_name',
        't.vet_id',
      ),
      ...each(
        'SELECT {}, SUM(v.fee) FROM visits v JOIN vets t ON t.vet_id = v.vet_id WHERE v.paid = 1 GROUP BY t.vet_id',
        't.vet_name',
        't.vet_id',
      ),
    ],
    ['How many times was each vaccine given?', 'SELECT vaccine, COUNT(*) FROM vaccinations GROUP BY vaccine'],
    [
      'What is the average weight of male and female dogs?',
      `SELECT sex, AVG(weight_kg) FROM pets WHERE species = 'Dog' GROUP BY sex`,
    ],
    [
      'Which owner has spent the most money on visits?',
      ...each(
        `SELECT {} FROM visits v JOIN pets p ON p.pet_id = v.pet_id JOIN owners o ON o.owner_id = p.owner_id
         GROUP BY o.owner_id ORDER BY SUM(v.fee) DESC LIMIT 1`,
        'o.owner_name',
        'o.owner_id',
      ),
    ],
    [
      'How many visits by cats did we have in 2024?',
      `SELECT COUNT(*) FROM visits v JOIN pets p ON p.pet_id = v.pet_id WHERE p.species = 'Cat' AND v.visit_date LIKE '2024-%'`,
      `SELECT COUNT(*) FROM visits v JOIN pets p ON p.pet_id = v.pet_id
       WHERE p.species = 'Cat' AND v.visit_date LIKE '2024-%' AND v.status = 'completed'`,
    ],
    [
      'Show the visits that are still scheduled with Dr Sofia Lindgren',
      `SELECT v.visit_id FROM visits v JOIN vets t ON t.vet_id = v.vet_id WHERE v.status = 'scheduled' AND t.vet_name = 'Dr Sofia Lindgren'`,
      `SELECT v.visit_date FROM visits v JOIN vets t ON t.vet_id = v.vet_id WHERE v.status = 'scheduled' AND t.vet_name = 'Dr Sofia Lindgren'`,
    ],
    [
      'What are the names of the pets that belong to Ines Ito?',
      ...each(
        `SELECT {} FROM pets p JOIN owners o ON o.owner_id = p.owner_id WHERE o.owner_name = 'Ines Ito'`,
        'p.pet_name',
        'DISTINCT p.pet_name',
      ),
    ],
    [
      'Total fees for surgery since the beginning of 2024',
      `SELECT SUM(fee) FROM visits WHERE reason = 'Surgery' AND visit_date >= '2024-01-01'`,
    ],
    [
      'Completed visits per month in 2024',
      ...each(
        `SELECT {}, COUNT(*) FROM visits WHERE status = 'completed' AND visit_date LIKE '2024-%' GROUP BY 1`,
        ...monthOfYear('visit_date'),
      ),
    ],
    [
      'Which dogs have not had a rabies shot?',
      ...each(
        `SELECT {} FROM pets WHERE species = 'Dog' AND pet_id NOT IN (SELECT pet_id FROM vaccinations WHERE vaccine = 'Rabies')`,
        'pet_name',
        'pet_id',
      ),
    ],
    [
      'What percentage of completed visits has not been paid?',
      `SELECT 100.0 * SUM(paid = 0) / COUNT(*) FROM visits WHERE status = 'completed'`,
    ],
    [
      'How many dogs are not neutered and have no known breed?',
      `SELECT COUNT(*) FROM pets WHERE species = 'Dog' AND neutered = 0 AND breed IS NULL`,
    ],
    [
      'Which owners have both a dog and a cat?',
      ...each(
        `SELECT {} FROM owners WHERE owner_id IN (SELECT owner_id FROM pets WHERE species = 'Dog')
         AND owner_id IN (SELECT owner_id FROM pets WHERE species = 'Cat')`,
        'owner_name',
        'owner_id',
      ),
    ],
  ],
};
