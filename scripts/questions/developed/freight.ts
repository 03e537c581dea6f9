import { type Business, day, oneOf, times, whole } from '../business.ts';

const CITIES = ['Hamburg', 'Rotterdam', 'Gdansk', 'Vienna', 'Milan', 'Lille'];
const COUNTRIES = ['Germany', 'Netherlands', 'Poland', 'Austria', 'Italy', 'France'];

export const freight: Business = {
  name: 'freight',
  ddl: `
CREATE TABLE carriers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, rating REAL);
CREATE TABLE warehouses (id INTEGER PRIMARY KEY, city TEXT NOT NULL, country TEXT NOT NULL,
  capacity_pallets INTEGER NOT NULL, opened_year INTEGER NOT NULL);
CREATE TABLE clients (id INTEGER PRIMARY KEY, company_name TEXT NOT NULL, industry TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE shipments (id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (id),
  carrier_id INTEGER REFERENCES carriers (id), origin_warehouse_id INTEGER NOT NULL REFERENCES warehouses (id),
  shipped_on DATE, delivered_on DATE, weight_kg REAL NOT NULL, freight_cost REAL NOT NULL, priority TEXT NOT NULL,
  status TEXT NOT NULL);
CREATE TABLE damage_claims (id INTEGER PRIMARY KEY, shipment_id INTEGER NOT NULL REFERENCES shipments (id),
  claim_amount REAL NOT NULL, filed_on DATE NOT NULL, approved INTEGER NOT NULL);`,
  rows: (random) => ({
    carriers: [
      [1, 'DHL', 'Germany', 4.1],
      [2, 'Maersk', 'Denmark', 4.4],
      [3, 'DB Schenker', 'Germany', 3.9],
      [4, 'Kuehne Nagel', 'Switzerland', 4.6],
      [5, 'Raben', 'Poland', null],
    ],
    warehouses: CITIES.map((city, at) => [
      at + 1,
      city,
      COUNTRIES[at] ?? '',
      1000 + 250 * whole(random, 0, 20),
      2001 + 3 * at,
    ]),
    clients: times(40, (id) => [
      id,
      `${oneOf(random, ['Alpha', 'Nord', 'Sun', 'Blue', 'Delta'])} ${oneOf(random, ['Foods', 'Steel', 'Textiles'])} ${id}`,
      oneOf(random, ['Food', 'Metal', 'Fashion', 'Chemicals']),
      oneOf(random, COUNTRIES),
    ]),
    shipments: times(900, (id) => {
      const status = oneOf(random, ['delivered', 'delivered', 'delivered', 'in transit', 'lost', 'planned']);
      const shipped = day(random);
      const later = new Date(Date.parse(shipped) + 86_400_000 * whole(random, 1, 14)).toISOString().slice(0, 10);
      return [
        id,
        whole(random, 1, 38),
        status === 'planned' || random() < 0.05 ? null : whole(random, 1, 5),
        whole(random, 1, 6),
        status === 'planned' ? null : shipped,
        status === 'delivered' ? later : null,
        whole(random, 20, 9000),
        whole(random, 100, 6000) / 2,
        oneOf(random, ['express', 'standard', 'economy']),
        status,
      ];
    }),
    damage_claims: times(70, (id) => [
      id,
      whole(random, 1, 900),
      whole(random, 50, 5000),
      day(random),
      whole(random, 0, 1),
    ]),
  }),
  questions: [
    ['How many shipments are in transit?', `SELECT COUNT(*) FROM shipments WHERE status = 'in transit'`],
    [
      'How many shipments did each carrier handle?',
      'SELECT c.name, COUNT(*) FROM shipments s JOIN carriers c ON c.id = s.carrier_id GROUP BY c.id',
      'SELECT c.name, COUNT(s.id) FROM carriers c LEFT JOIN shipments s ON c.id = s.carrier_id GROUP BY c.id',
    ],
    [
      'What was the total freight cost in 2024?',
      `SELECT SUM(freight_cost) FROM shipments WHERE shipped_on LIKE '2024-%'`,
    ],
    [
      'Which shipments were not shipped with DHL?',
      'SELECT id FROM shipments WHERE carrier_id IS NULL OR carrier_id <> 1',
      'SELECT id FROM shipments WHERE carrier_id <> 1',
    ],
    [
      'Average weight of express shipments by country of the client',
      `SELECT c.country, AVG(s.weight_kg) FROM shipments s JOIN clients c ON c.id = s.client_id
       WHERE s.priority = 'express' GROUP BY c.country`,
    ],
    [
      'What share of shipments got lost?',
      `SELECT 100.0 * SUM(status = 'lost') / COUNT(*) FROM shipments`,
      `SELECT 1.0 * SUM(status = 'lost') / COUNT(*) FROM shipments`,
    ],
    [
      'Which clients have had no shipments?',
      'SELECT company_name FROM clients WHERE id NOT IN (SELECT client_id FROM shipments)',
    ],
    [
      'Top 3 carriers by total weight',
      `SELECT c.name FROM shipments s JOIN carriers c ON c.id = s.carrier_id GROUP BY c.id
       ORDER BY SUM(s.weight_kg) DESC LIMIT 3`,
    ],
    [
      'Monthly freight cost for 2024',
      `SELECT strftime('%Y-%m', shipped_on), SUM(freight_cost) FROM shipments WHERE shipped_on LIKE '2024-%' GROUP BY 1`,
      `SELECT strftime('%m', shipped_on), SUM(freight_cost) FROM shipments WHERE shipped_on LIKE '2024-%' GROUP BY 1`,
      `SELECT CAST(strftime('%m', shipped_on) AS INTEGER), SUM(freight_cost) FROM shipments
       WHERE shipped_on LIKE '2024-%' GROUP BY 1`,
    ],
    [
      'How many shipments have not been delivered yet?',
      'SELECT COUNT(*) FROM shipments WHERE delivered_on IS NULL',
      `SELECT COUNT(*) FROM shipments WHERE status <> 'delivered'`,
      `SELECT COUNT(*) FROM shipments WHERE status IN ('in transit', 'planned')`,
    ],
    [
      'Which warehouses opened after 2008?',
      'SELECT city FROM warehouses WHERE opened_year > 2008',
      'SELECT id FROM warehouses WHERE opened_year > 2008',
    ],
    [
      'What is the total amount of approved damage claims?',
      'SELECT SUM(claim_amount) FROM damage_claims WHERE approved = 1',
    ],
    ['Which carriers have a rating above 4?', 'SELECT name FROM carriers WHERE rating > 4'],
    [
      'How many clients from Germany are in the food industry?',
      `SELECT COUNT(*) FROM clients WHERE country = 'Germany' AND industry = 'Food'`,
    ],
    [
      'Which clients sent more than 30 shipments?',
      `SELECT c.company_name FROM clients c JOIN shipments s ON s.client_id = c.id GROUP BY c.id HAVING COUNT(*) > 30`,
    ],
    [
      'How many shipments left the Hamburg warehouse in May 2025?',
      `SELECT COUNT(*) FROM shipments WHERE origin_warehouse_id = 1 AND shipped_on LIKE '2025-05-%'`,
    ],
    [
      'What is the heaviest shipment?',
      'SELECT id FROM shipments WHERE weight_kg = (SELECT MAX(weight_kg) FROM shipments)',
    ],
    [
      'Average claim amount per carrier',
      `SELECT c.name, AVG(d.claim_amount) FROM damage_claims d JOIN shipments s ON s.id = d.shipment_id
       JOIN carriers c ON c.id = s.carrier_id GROUP BY c.id`,
    ],
    ['How many claims were filed this year?', `SELECT COUNT(*) FROM damage_claims WHERE filed_on >= '2025-01-01'`],
    [
      'How long does delivery take on average, in days?',
      'SELECT AVG(julianday(delivered_on) - julianday(shipped_on)) FROM shipments',
    ],
  ],
};
