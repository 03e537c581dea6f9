import { type Business, day, oneOf, person, times, whole } from '../business.ts';
import { cents, each, monthOfYear, year } from '../variants.ts';

const CROPS = [
  ['WHT', 'Wheat', 'Grain', 0.24],
  ['BRL', 'Barley', 'Grain', 0.21],
  ['OAT', 'Oats', 'Grain', 0.19],
  ['POT', 'Potatoes', 'Root', 0.32],
  ['CAR', 'Carrots', 'Root', 0.41],
  ['APL', 'Apples', 'Fruit', 0.85],
  ['PLM', 'Plums', 'Fruit', 1.1],
  ['RPS', 'Rapeseed', 'Oilseed', 0.52],
  ['SUN', 'Sunflower', 'Oilseed', 0.49],
  ['LIN', 'Linseed', 'Oilseed', 0.66],
] as const;
const STORES = [
  ['Northfield Silo', 'North', 4200, 'N'],
  ['Mill Lane Depot', 'East', 1800, 'Y'],
  ['Station Road Store', 'West', 950, 'Y'],
  ['Hilltop Silo', 'South', 2600, 'N'],
] as const;

/** A farmers' cooperative whose database abbreviates its names. */
export const farmCoop: Business = {
  name: 'farm co-op',
  ddl: `
CREATE TABLE mbr (mbr_no INTEGER PRIMARY KEY, mbr_name TEXT NOT NULL, region TEXT NOT NULL, acres REAL, join_dt DATE NOT NULL,
  org_cert TEXT NOT NULL, tel TEXT);
CREATE TABLE crop (crop_cd TEXT PRIMARY KEY, crop_name TEXT NOT NULL, crop_grp TEXT NOT NULL, price_kg REAL NOT NULL);
CREATE TABLE whse (whse_id INTEGER PRIMARY KEY, whse_name TEXT NOT NULL, region TEXT NOT NULL, cap_tons INTEGER NOT NULL,
  refrig TEXT NOT NULL);
CREATE TABLE dlvry (dlvry_no INTEGER PRIMARY KEY, mbr_no INTEGER NOT NULL REFERENCES mbr(mbr_no),
  crop_cd TEXT NOT NULL REFERENCES crop(crop_cd), whse_id INTEGER NOT NULL REFERENCES whse(whse_id), dlvry_dt DATE NOT NULL,
  wt_kg INTEGER NOT NULL, grade TEXT, moist_pct REAL, amt REAL NOT NULL, paid TEXT NOT NULL);
CREATE TABLE equip_hire (hire_no INTEGER PRIMARY KEY, mbr_no INTEGER NOT NULL REFERENCES mbr(mbr_no), equip TEXT NOT NULL,
  start_dt DATE NOT NULL, days INTEGER NOT NULL, fee REAL NOT NULL);`,
  rows: (random) => {
    const joined = times(85, () => day(random, '2022-01-01', '2024-12-31'));
    return {
      mbr: times(85, (id) => [
        id,
        `${person(id + 7)}`,
        oneOf(random, ['North', 'East', 'South', 'West']),
        random() < 0.07 ? null : whole(random, 20, 900),
        joined[id - 1] as string,
        random() < 0.35 ? 'Y' : 'N',
        random() < 0.15 ? null : `555-${whole(random, 1000, 9999)}`,
      ]),
      crop: CROPS,
      whse: STORES.map((store, at) => [at + 1, ...store]),
      dlvry: times(1500, (id) => {
        const [code, , , price] = CROPS[whole(random, 0, 8)] as (typeof CROPS)[number];
        const weight = whole(random, 150, 9000);
        const member = whole(random, 1, 79);
        return [
          40000 + id,
          member,
          code,
          whole(random, 1, 4),
          day(random, joined[member - 1] as string),
          weight,
          random() < 0.06 ? null : oneOf(random, ['A', 'A', 'B', 'C']),
          random() < 0.1 ? null : cents(9 + random() * 11),
          cents(weight * price),
          random() < 0.92 ? 'Y' : 'N',
        ];
      }),
      equip_hire: times(180, (id) => {
        const days = whole(random, 1, 12);
        const [machine, rate] = oneOf(random, [
          ['Tractor', 140],
          ['Combine', 390],
          ['Baler', 95],
          ['Sprayer', 80],
        ] as const);
        const member = whole(random, 1, 85);
        return [id, member, machine, day(random, joined[member - 1] as string), days, days * rate];
      }),
    };
  },
  questions: [
    ['How many members are certified organic?', `SELECT COUNT(*) FROM mbr WHERE org_cert = 'Y'`],
    [
      'Give me a list of all fruit crops',
      ...each(`SELECT {} FROM crop WHERE crop_grp = 'Fruit'`, 'crop_name', 'crop_cd'),
    ],
    ['Which farmers have more than 800 acres?', ...each('SELECT {} FROM mbr WHERE acres > 800', 'mbr_name', 'mbr_no')],
    ['Which warehouses are refrigerated', ...each(`SELECT {} FROM whse WHERE refrig = 'Y'`, 'whse_name', 'whse_id')],
    ['How many deliveries did not get a grade?', 'SELECT COUNT(*) FROM dlvry WHERE grade IS NULL'],
    ['Can you tell me how many members we have in each region?', 'SELECT region, COUNT(*) FROM mbr GROUP BY region'],
    [
      'How many kilos were delivered of each crop?',
      ...each(
        'SELECT {}, SUM(d.wt_kg) FROM dlvry d JOIN crop c ON c.crop_cd = d.crop_cd GROUP BY c.crop_cd',
        'c.crop_name',
        'c.crop_cd',
      ),
      ...each(
        'SELECT {}, COALESCE(SUM(d.wt_kg), 0) FROM crop c LEFT JOIN dlvry d ON c.crop_cd = d.crop_cd GROUP BY c.crop_cd',
        'c.crop_name',
        'c.crop_cd',
      ),
      ...each(
        'SELECT {}, SUM(d.wt_kg) FROM crop c LEFT JOIN dlvry d ON c.crop_cd = d.crop_cd GROUP BY c.crop_cd',
        'c.crop_name',
        'c.crop_cd',
      ),
    ],
    [
      'What is the average moisture by grade?',
      'SELECT grade, AVG(moist_pct) FROM dlvry GROUP BY 1',
      'SELECT grade, AVG(moist_pct) FROM dlvry WHERE grade IS NOT NULL GROUP BY 1',
    ],
    ['Total hire fees for each type of equipment', 'SELECT equip, SUM(fee) FROM equip_hire GROUP BY equip'],
    ['Delivery amount by year', ...each('SELECT {}, SUM(amt) FROM dlvry GROUP BY 1', ...year('dlvry_dt'))],
    [
      'Which 5 members delivered the most by weight in 2024?',
      ...each(
        `SELECT {} FROM dlvry d JOIN mbr m ON m.mbr_no = d.mbr_no WHERE d.dlvry_dt LIKE '2024-%'
         GROUP BY m.mbr_no ORDER BY SUM(d.wt_kg) DESC LIMIT 5`,
        'm.mbr_name',
        'm.mbr_no',
      ),
    ],
    [
      'How much wheat went to Northfield Silo? I need the total weight',
      `SELECT SUM(d.wt_kg) FROM dlvry d JOIN crop c ON c.crop_cd = d.crop_cd JOIN whse w ON w.whse_id = d.whse_id
       WHERE c.crop_name = 'Wheat' AND w.whse_name = 'Northfield Silo'`,
    ],
    [
      'Show the deliveries since June 1 2025 that are not paid yet',
      `SELECT dlvry_no FROM dlvry WHERE dlvry_dt >= '2025-06-01' AND paid = 'N'`,
    ],
    [
      'What did we pay organic members for apples?',
      `SELECT SUM(d.amt) FROM dlvry d JOIN mbr m ON m.mbr_no = d.mbr_no JOIN crop c ON c.crop_cd = d.crop_cd
       WHERE m.org_cert = 'Y' AND c.crop_name = 'Apples'`,
      `SELECT SUM(d.amt) FROM dlvry d JOIN mbr m ON m.mbr_no = d.mbr_no JOIN crop c ON c.crop_cd = d.crop_cd
       WHERE m.org_cert = 'Y' AND c.crop_name = 'Apples' AND d.paid = 'Y'`,
    ],
    [
      'When did each member make their latest delivery?',
      ...each(
        'SELECT {}, MAX(d.dlvry_dt) FROM dlvry d JOIN mbr m ON m.mbr_no = d.mbr_no GROUP BY m.mbr_no',
        'm.mbr_name',
        'm.mbr_no',
      ),
      ...each(
        'SELECT {}, MAX(d.dlvry_dt) FROM mbr m LEFT JOIN dlvry d ON m.mbr_no = d.mbr_no GROUP BY m.mbr_no',
        'm.mbr_name',
        'm.mbr_no',
      ),
    ],
    [
      'What percentage of the deliveries got grade A?',
      `SELECT 100.0 * SUM(CASE WHEN grade = 'A' THEN 1 ELSE 0 END) / COUNT(*) FROM dlvry`,
      `SELECT 100.0 * SUM(grade = 'A') / COUNT(grade) FROM dlvry`,
    ],
    [
      'Which members have never delivered anything?',
      ...each('SELECT {} FROM mbr WHERE mbr_no NOT IN (SELECT mbr_no FROM dlvry)', 'mbr_name', 'mbr_no'),
    ],
    [
      'Weight delivered per month in 2023, potatoes only',
      ...each(
        `SELECT {}, SUM(d.wt_kg) FROM dlvry d JOIN crop c ON c.crop_cd = d.crop_cd
         WHERE c.crop_name = 'Potatoes' AND d.dlvry_dt LIKE '2023-%' GROUP BY 1`,
        ...monthOfYear('d.dlvry_dt'),
      ),
    ],
    [
      'Which equipment is hired for more than 6 days on average?',
      'SELECT equip FROM equip_hire GROUP BY equip HAVING AVG(days) > 6',
    ],
    [
      'How many members in the North farm more land than the average member?',
      `SELECT COUNT(*) FROM mbr WHERE region = 'North' AND acres > (SELECT AVG(acres) FROM mbr)`,
    ],
  ],
};
