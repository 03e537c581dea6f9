import { type Business, day, oneOf, TODAY, times, whole } from '../business.ts';
import { each, monthOfYear } from '../variants.ts';

const ARTISTS = [
  ['Adele Fontaine', 'French', 1841, 1912],
  ['Bruno Castellani', 'Italian', 1598, 1660],
  ['Cornelis van Dam', 'Dutch', 1622, 1689],
  ['Dorothea Lang', 'German', 1876, 1944],
  ['Emil Sorensen', 'Danish', 1850, 1921],
  ['Fumiko Arai', 'Japanese', 1948, null],
  ['Gabriel Roche', 'French', 1903, 1978],
  ['Helena Brandt', 'German', 1955, null],
  ['Ivan Petrov', 'Russian', 1888, 1953],
  ['Judith Moore', 'British', 1967, null],
  ['Karel Visser', 'Dutch', 1610, 1671],
  ['Lorenzo Bassi', 'Italian', 1701, 1769],
] as const;
const NOUNS = [
  'Harbour',
  'Orchard',
  'Bridge',
  'Lady',
  'Table',
  'Garden',
  'Mill',
  'Rider',
  'Valley',
  'Window',
  'Dancer',
];
const MOODS = [
  'Morning at the',
  'Study of the',
  'The Blue',
  'Evening',
  'The Old',
  'Portrait with',
  'Small',
  'Memory of the',
];

/** A museum of art; tables and columns with capitals and blanks. */
export const museum: Business = {
  name: 'museum',
  ddl: `
CREATE TABLE "Artists" ("Artist ID" INTEGER PRIMARY KEY, "Artist Name" TEXT NOT NULL, "Nationality" TEXT NOT NULL,
  "Birth Year" INTEGER NOT NULL, "Death Year" INTEGER);
CREATE TABLE "Artworks" ("Inventory No" INTEGER PRIMARY KEY, "Title" TEXT NOT NULL, "Artist ID" INTEGER REFERENCES "Artists"("Artist ID"),
  "Medium" TEXT NOT NULL, "Department" TEXT NOT NULL, "Insured Value" REAL, "On Display" TEXT NOT NULL,
  "Acquired On" DATE NOT NULL, "Acquisition Type" TEXT NOT NULL);
CREATE TABLE "Exhibitions" ("Exhibition ID" INTEGER PRIMARY KEY, "Exhibition Title" TEXT NOT NULL, "Opening Date" DATE NOT NULL,
  "Closing Date" DATE NOT NULL, "Gallery" TEXT NOT NULL, "Sponsor" TEXT, "Budget" REAL NOT NULL);
CREATE TABLE "Exhibited Works" ("Exhibition ID" INTEGER NOT NULL REFERENCES "Exhibitions"("Exhibition ID"),
  "Inventory No" INTEGER NOT NULL REFERENCES "Artworks"("Inventory No"), PRIMARY KEY ("Exhibition ID", "Inventory No"));
CREATE TABLE "Ticket Sales" ("Sale ID" INTEGER PRIMARY KEY, "Sale Date" DATE NOT NULL, "Ticket Type" TEXT NOT NULL,
  "Exhibition ID" INTEGER REFERENCES "Exhibitions"("Exhibition ID"), "Visitors" INTEGER NOT NULL, "Revenue" REAL NOT NULL,
  "Sold Online" TEXT NOT NULL);`,
  rows: (random) => ({
    Artists: ARTISTS.map((artist, at) => [at + 1, ...artist]),
    Artworks: times(88, (id) => [
      700 + id,
      `${MOODS[id % 8]} ${NOUNS[id % 11]}`,
      random() < 0.08 ? null : whole(random, 1, 11),
      oneOf(random, ['Oil', 'Oil', 'Watercolour', 'Bronze', 'Photograph', 'Drawing']),
      oneOf(random, ['Old Masters', 'Modern', 'Prints']),
      random() < 0.1 ? null : 500 * whole(random, 4, 1800),
      random() < 0.55 ? 'Yes' : 'No',
      day(random, '2022-01-05'),
      oneOf(random, ['Purchase', 'Purchase', 'Gift', 'Bequest']),
    ]),
    Exhibitions: [
      [1, 'Light and Water', '2022-03-01', '2022-07-31', 'East Wing', 'Meridian Bank', 180000],
      [2, 'Masters of the North', '2022-10-10', '2023-02-28', 'Main Hall', null, 260000],
      [3, 'Women in Art', '2023-04-15', '2023-09-03', 'Main Hall', 'Aurora Foundation', 310000],
      [4, 'Paper Worlds', '2023-11-02', '2024-03-17', 'Print Room', null, 95000],
      [5, 'Bronze Age', '2024-04-20', '2024-09-29', 'East Wing', 'Steelworks Group', 205000],
      [6, 'Tokyo Now', '2024-11-08', '2025-03-30', 'Main Hall', 'Aurora Foundation', 290000],
      [7, 'The Quiet Room', '2025-04-12', '2025-09-14', 'East Wing', null, 120000],
      [8, 'Winter Landscapes', '2025-11-15', '2025-12-30', 'Print Room', 'Meridian Bank', 140000],
    ],
    'Exhibited Works': times(7, (exhibition) => exhibition).flatMap((exhibition) =>
      times(80, (id) => id)
        .filter(() => random() < 0.2)
        .map((id) => [exhibition, 700 + id]),
    ),
    'Ticket Sales': times(1100, (id) => {
      const [type, price] = oneOf(random, [
        ['Adult', 14],
        ['Adult', 14],
        ['Student', 8],
        ['Senior', 10],
        ['Family', 7],
      ] as const);
      const visitors = whole(random, 1, type === 'Family' ? 6 : 4);
      const [exhibition, from, to] = oneOf(random, [
        [null, '2022-01-05', TODAY],
        [1, '2022-03-01', '2022-07-31'],
        [2, '2022-10-10', '2023-02-28'],
        [3, '2023-04-15', '2023-09-03'],
        [4, '2023-11-02', '2024-03-17'],
        [5, '2024-04-20', '2024-09-29'],
        [6, '2024-11-08', '2025-03-30'],
        [7, '2025-04-12', TODAY],
      ] as const);
      return [id, day(random, from, to), type, exhibition, visitors, visitors * price, random() < 0.45 ? 'Yes' : 'No'];
    }),
  }),
  questions: [
    ['How many artworks are on display?', `SELECT COUNT(*) FROM "Artworks" WHERE "On Display" = 'Yes'`],
    [
      'Which artists are still alive?',
      ...each('SELECT {} FROM "Artists" WHERE "Death Year" IS NULL', '"Artist Name"', '"Artist ID"'),
    ],
    [
      'List the bronze works',
      ...each(`SELECT {} FROM "Artworks" WHERE "Medium" = 'Bronze'`, '"Title"', '"Inventory No"'),
    ],
    [
      'Which exhibitions had no sponsor?',
      ...each('SELECT {} FROM "Exhibitions" WHERE "Sponsor" IS NULL', '"Exhibition Title"', '"Exhibition ID"'),
    ],
    ['How many works came to us as a gift', `SELECT COUNT(*) FROM "Artworks" WHERE "Acquisition Type" = 'Gift'`],
    ['number of visitors by ticket type', 'SELECT "Ticket Type", SUM("Visitors") FROM "Ticket Sales" GROUP BY 1'],
    [
      'What is the total insured value in each department?',
      'SELECT "Department", SUM("Insured Value") FROM "Artworks" GROUP BY 1',
    ],
    [
      'How many works do we own by each artist?',
      ...each(
        'SELECT {}, COUNT(*) FROM "Artworks" w JOIN "Artists" a ON a."Artist ID" = w."Artist ID" GROUP BY a."Artist ID"',
        'a."Artist Name"',
        'a."Artist ID"',
      ),
      ...each(
        'SELECT {}, COUNT(w."Inventory No") FROM "Artists" a LEFT JOIN "Artworks" w ON a."Artist ID" = w."Artist ID" GROUP BY a."Artist ID"',
        'a."Artist Name"',
        'a."Artist ID"',
      ),
      ...each(
        'SELECT {}, COUNT(*) FROM "Artworks" w LEFT JOIN "Artists" a ON a."Artist ID" = w."Artist ID" GROUP BY w."Artist ID"',
        'a."Artist Name"',
        'w."Artist ID"',
      ),
    ],
    [
      'Revenue from tickets per exhibition',
      ...each(
        `SELECT {}, SUM(t."Revenue") FROM "Ticket Sales" t JOIN "Exhibitions" e ON e."Exhibition ID" = t."Exhibition ID"
         GROUP BY e."Exhibition ID"`,
        'e."Exhibition Title"',
        'e."Exhibition ID"',
      ),
      'SELECT "Exhibition ID", SUM("Revenue") FROM "Ticket Sales" GROUP BY 1',
      'SELECT e."Exhibition Title", SUM(t."Revenue") FROM "Ticket Sales" t LEFT JOIN "Exhibitions" e ON e."Exhibition ID" = t."Exhibition ID" GROUP BY 1',
      ...each(
        'SELECT e."Exhibition Title", {} FROM "Exhibitions" e LEFT JOIN "Ticket Sales" t ON e."Exhibition ID" = t."Exhibition ID" GROUP BY e."Exhibition ID"',
        'SUM(t."Revenue")',
        'COALESCE(SUM(t."Revenue"), 0)',
      ),
    ],
    [
      'average exhibition budget for each gallery',
      'SELECT "Gallery", AVG("Budget") FROM "Exhibitions" GROUP BY "Gallery"',
    ],
    [
      'What are our three most valuable artworks?',
      ...each('SELECT {} FROM "Artworks" ORDER BY "Insured Value" DESC LIMIT 3', '"Title"', '"Inventory No"'),
    ],
    [
      'How many visitors came to Tokyo Now?',
      `SELECT SUM(t."Visitors") FROM "Ticket Sales" t JOIN "Exhibitions" e ON e."Exhibition ID" = t."Exhibition ID"
       WHERE e."Exhibition Title" = 'Tokyo Now'`,
    ],
    [
      'Show all works by Italian artists',
      ...each(
        `SELECT {} FROM "Artworks" w JOIN "Artists" a ON a."Artist ID" = w."Artist ID" WHERE a."Nationality" = 'Italian'`,
        'w."Title"',
        'w."Inventory No"',
      ),
    ],
    [
      'Which exhibition is open at the moment?',
      ...each(
        `SELECT {} FROM "Exhibitions" WHERE "Opening Date" <= '${TODAY}' AND "Closing Date" >= '${TODAY}'`,
        '"Exhibition Title"',
        '"Exhibition ID"',
      ),
    ],
    [
      'How much did we take in ticket revenue between April and June 2024?',
      `SELECT SUM("Revenue") FROM "Ticket Sales" WHERE "Sale Date" BETWEEN '2024-04-01' AND '2024-06-30'`,
    ],
    [
      'What percentage of ticket sales was made online?',
      `SELECT 100.0 * SUM("Sold Online" = 'Yes') / COUNT(*) FROM "Ticket Sales"`,
      `SELECT 100.0 * SUM(CASE WHEN "Sold Online" = 'Yes' THEN "Revenue" END) / SUM("Revenue") FROM "Ticket Sales"`,
      `SELECT 100.0 * SUM(CASE WHEN "Sold Online" = 'Yes' THEN "Visitors" END) / SUM("Visitors") FROM "Ticket Sales"`,
    ],
    [
      'Which artworks have never been shown in an exhibition?',
      ...each(
        'SELECT {} FROM "Artworks" WHERE "Inventory No" NOT IN (SELECT "Inventory No" FROM "Exhibited Works")',
        '"Title"',
        '"Inventory No"',
      ),
    ],
    [
      'Oil paintings that are not on display and are insured for more than 500000',
      ...each(
        `SELECT {} FROM "Artworks" WHERE "Medium" = 'Oil' AND "On Display" = 'No' AND "Insured Value" > 500000`,
        '"Title"',
        '"Inventory No"',
      ),
    ],
    [
      'Visitors per month in 2023',
      ...each(
        `SELECT {}, SUM("Visitors") FROM "Ticket Sales" WHERE "Sale Date" LIKE '2023-%' GROUP BY 1`,
        ...monthOfYear('"Sale Date"'),
      ),
    ],
    [
      'Which exhibitions brought in more ticket revenue than Women in Art?',
      ...each(
        `SELECT {} FROM "Ticket Sales" t JOIN "Exhibitions" e ON e."Exhibition ID" = t."Exhibition ID" GROUP BY e."Exhibition ID"
         HAVING SUM(t."Revenue") > (SELECT SUM(t2."Revenue") FROM "Ticket Sales" t2
         JOIN "Exhibitions" e2 ON e2."Exhibition ID" = t2."Exhibition ID" WHERE e2."Exhibition Title" = 'Women in Art')`,
        'e."Exhibition Title"',
        'e."Exhibition ID"',
      ),
    ],
  ],
};
