import { type Business, day, oneOf, times, whole } from '../business.ts';
import { cents, each, monthOfYear, year } from '../variants.ts';

const MATERIALS = [
  ['Cardboard', 'Paper', 95],
  ['Office Paper', 'Paper', 120],
  ['Clear Glass', 'Glass', 45],
  ['Mixed Glass', 'Glass', 22],
  ['Aluminium Cans', 'Metal', 1150],
  ['Scrap Steel', 'Metal', 230],
  ['PET Bottles', 'Plastic', 310],
  ['Plastic Film', 'Plastic', 140],
  ['Wood Pallets', 'Wood', 60],
] as const;
const KINDS = ['Hotel', 'Supermarket', 'School', 'Factory', 'Office Park', 'Clinic'];
const PLACES = ['Ashford', 'Beechwood', 'Cedar Hill', 'Dunmore', 'Elmside', 'Fernbank', 'Glenview', 'Hazelton'];

/** A company that collects and sells recyclable material. */
export const recycling: Business = {
  name: 'recycling',
  ddl: `
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name TEXT NOT NULL, sector TEXT NOT NULL, district TEXT NOT NULL,
  contract_start DATE NOT NULL, contract_end DATE, contact_email TEXT);
CREATE TABLE trucks (truck_id INTEGER PRIMARY KEY, plate TEXT NOT NULL, fuel TEXT NOT NULL, capacity_kg INTEGER NOT NULL,
  bought_on DATE NOT NULL, in_service TEXT NOT NULL);
CREATE TABLE materials (material_id INTEGER PRIMARY KEY, material_name TEXT NOT NULL, material_group TEXT NOT NULL,
  price_per_ton REAL NOT NULL);
CREATE TABLE collections (collection_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(customer_id),
  truck_id INTEGER REFERENCES trucks(truck_id), material_id INTEGER NOT NULL REFERENCES materials(material_id),
  collected_on DATE NOT NULL, weight_kg INTEGER, contaminated TEXT NOT NULL, service_fee REAL NOT NULL);
CREATE TABLE material_sales (sale_id INTEGER PRIMARY KEY, material_id INTEGER NOT NULL REFERENCES materials(material_id),
  buyer TEXT NOT NULL, sold_on DATE NOT NULL, tons REAL NOT NULL, revenue REAL NOT NULL);`,
  rows: (random) => ({
    customers: times(48, (id) => {
      const kind = KINDS[id % 6] as string;
      return [
        id,
        `${PLACES[(id + Math.floor((id - 1) / 24)) % 8]} ${kind}`,
        {
          Hotel: 'Hospitality',
          Supermarket: 'Retail',
          School: 'Education',
          Factory: 'Industry',
          'Office Park': 'Offices',
          Clinic: 'Health',
        }[kind] as string,
        oneOf(random, ['Harbour', 'Old Town', 'Northside', 'Riverbank']),
        day(random, '2022-01-01', '2024-06-30'),
        random() < 0.2 ? day(random, '2024-07-01') : null,
        random() < 0.15 ? null : `facilities${id}@client.example`,
      ];
    }),
    trucks: [
      [1, 'RC 101', 'Diesel', 9000, '2017-05-04', 'yes'],
      [2, 'RC 102', 'Diesel', 12000, '2019-03-18', 'yes'],
      [3, 'RC 103', 'Electric', 7500, '2022-09-01', 'yes'],
      [4, 'RC 104', 'Gas', 10000, '2020-11-23', 'yes'],
      [5, 'RC 105', 'Electric', 8000, '2024-02-12', 'yes'],
      [6, 'RC 099', 'Diesel', 8500, '2011-06-30', 'no'],
    ],
    materials: MATERIALS.map((material, at) => [at + 1, ...material]),
    collections: times(1800, (id) => [
      id,
      whole(random, 1, 44),
      random() < 0.03 ? null : whole(random, 1, 5),
      whole(random, 1, 8),
      day(random, '2022-02-01'),
      random() < 0.04 ? null : whole(random, 40, 2400),
      random() < 0.11 ? 'yes' : 'no',
      cents(25 + random() * 120),
    ]),
    material_sales: times(260, (id) => {
      const material = whole(random, 1, 8);
      const tons = whole(random, 10, 240) / 10;
      const price = (MATERIALS[material - 1] as (typeof MATERIALS)[number])[2];
      return [
        id,
        material,
        oneOf(random, ['Norpulp', 'GlassWorks', 'Metallo', 'PolyLoop', 'EcoTrade']),
        day(random, '2022-02-01'),
        tons,
        cents(tons * price * (0.8 + 0.4 * random())),
      ];
    }),
  }),
  questions: [
    [
      'How many customers are in the Harbour district?',
      `SELECT COUNT(*) FROM customers WHERE district = 'Harbour'`,
      `SELECT COUNT(*) FROM customers WHERE district = 'Harbour' AND contract_end IS NULL`,
    ],
    ['Which trucks are electric?', ...each(`SELECT {} FROM trucks WHERE fuel = 'Electric'`, 'plate', 'truck_id')],
    [
      'List the materials in the plastic group',
      ...each(`SELECT {} FROM materials WHERE material_group = 'Plastic'`, 'material_name', 'material_id'),
    ],
    ['how many collections were contaminated', `SELECT COUNT(*) FROM collections WHERE contaminated = 'yes'`],
    [
      'Which customers have ended their contract?',
      ...each('SELECT {} FROM customers WHERE contract_end IS NOT NULL', 'customer_name', 'customer_id'),
    ],
    [
      'Total weight collected per material',
      ...each(
        'SELECT {}, SUM(c.weight_kg) FROM collections c JOIN materials m ON m.material_id = c.material_id GROUP BY m.material_id',
        'm.material_name',
        'm.material_id',
      ),
      ...each(
        'SELECT m.material_name, {} FROM materials m LEFT JOIN collections c ON m.material_id = c.material_id GROUP BY m.material_id',
        'SUM(c.weight_kg)',
        'COALESCE(SUM(c.weight_kg), 0)',
      ),
    ],
    [
      'How many customers do we serve in each sector?',
      'SELECT sector, COUNT(*) FROM customers GROUP BY sector',
      'SELECT sector, COUNT(*) FROM customers WHERE contract_end IS NULL GROUP BY sector',
    ],
    ['How much money did each buyer bring in?', 'SELECT buyer, SUM(revenue) FROM material_sales GROUP BY buyer'],
    [
      'Average weight of a collection by district of the customer',
      'SELECT k.district, AVG(c.weight_kg) FROM collections c JOIN customers k ON k.customer_id = c.customer_id GROUP BY 1',
    ],
    [
      'How many tons did we sell every year?',
      ...each('SELECT {}, SUM(tons) FROM material_sales GROUP BY 1', ...year('sold_on')),
    ],
    [
      'Which customer gave us the most material by weight in 2024?',
      ...each(
        `SELECT {} FROM collections c JOIN customers k ON k.customer_id = c.customer_id WHERE c.collected_on LIKE '2024-%'
         GROUP BY k.customer_id ORDER BY SUM(c.weight_kg) DESC LIMIT 1`,
        'k.customer_name',
        'k.customer_id',
      ),
    ],
    [
      'What did we earn from selling aluminium cans this year?',
      `SELECT SUM(s.revenue) FROM material_sales s JOIN materials m ON m.material_id = s.material_id
       WHERE m.material_name = 'Aluminium Cans' AND s.sold_on LIKE '2025-%'`,
    ],
    [
      'Show the collections by truck RC 103 in May 2025',
      `SELECT c.collection_id FROM collections c JOIN trucks t ON t.truck_id = c.truck_id
       WHERE t.plate = 'RC 103' AND c.collected_on LIKE '2025-05-%'`,
    ],
    [
      'Top 3 materials by sales revenue',
      ...each(
        'SELECT {} FROM material_sales s JOIN materials m ON m.material_id = s.material_id GROUP BY m.material_id ORDER BY SUM(s.revenue) DESC LIMIT 3',
        'm.material_name',
        'm.material_id',
      ),
    ],
    [
      'How much in service fees did the schools pay us between July and December 2024?',
      `SELECT SUM(c.service_fee) FROM collections c JOIN customers k ON k.customer_id = c.customer_id
       WHERE k.sector = 'Education' AND c.collected_on BETWEEN '2024-07-01' AND '2024-12-31'`,
    ],
    [
      'What percentage of glass collections was contaminated?',
      `SELECT 100.0 * SUM(c.contaminated = 'yes') / COUNT(*) FROM collections c JOIN materials m ON m.material_id = c.material_id
       WHERE m.material_group = 'Glass'`,
    ],
    [
      'Which trucks have never been used for a collection?',
      ...each(
        'SELECT {} FROM trucks WHERE truck_id NOT IN (SELECT truck_id FROM collections WHERE truck_id IS NOT NULL)',
        'plate',
        'truck_id',
      ),
    ],
    [
      'Number of contaminated collections per month in 2024',
      ...each(
        `SELECT {}, COUNT(*) FROM collections WHERE contaminated = 'yes' AND collected_on LIKE '2024-%' GROUP BY 1`,
        ...monthOfYear('collected_on'),
      ),
    ],
    [
      'Customers with at least 50 collections',
      ...each(
        'SELECT {} FROM collections c JOIN customers k ON k.customer_id = c.customer_id GROUP BY k.customer_id HAVING COUNT(*) >= 50',
        'k.customer_name',
        'k.customer_id',
      ),
    ],
    [
      'How much more service fees did we collect in 2024 than in 2023?',
      `SELECT SUM(CASE WHEN collected_on LIKE '2024-%' THEN service_fee ELSE 0 END) -
       SUM(CASE WHEN collected_on LIKE '2023-%' THEN service_fee ELSE 0 END) FROM collections`,
    ],
  ],
};
