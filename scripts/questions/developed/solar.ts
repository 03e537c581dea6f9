import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { cents, each, later, year } from '../variants.ts';

const MODELS = [
  ['HX-400', 'Helion', 400, 118, 20],
  ['HX-430', 'Helion', 430, 134, 25],
  ['SP-380', 'SunPeak', 380, 99, 15],
  ['SP-410', 'SunPeak', 410, 112, 15],
  ['NV-450', 'Novasol', 450, 161, 30],
] as const;

/** A company that puts solar panels on roofs; tables and columns with blanks in their names. */
export const solar: Business = {
  name: 'solar',
  ddl: `
CREATE TABLE "Crews" ("Crew ID" INTEGER PRIMARY KEY, "Crew Name" TEXT NOT NULL, "Home Base" TEXT NOT NULL, "Crew Size" INTEGER NOT NULL);
CREATE TABLE "Panel Models" ("Model Code" TEXT PRIMARY KEY, "Manufacturer" TEXT NOT NULL, "Watt Peak" INTEGER NOT NULL,
  "Unit Cost" REAL NOT NULL, "Warranty Years" INTEGER NOT NULL);
CREATE TABLE "Clients" ("Client ID" INTEGER PRIMARY KEY, "Client Name" TEXT NOT NULL, "Town" TEXT NOT NULL,
  "Client Type" TEXT NOT NULL, "Referred By" TEXT);
CREATE TABLE "Installations" ("Job No" INTEGER PRIMARY KEY, "Client ID" INTEGER NOT NULL REFERENCES "Clients"("Client ID"),
  "Crew ID" INTEGER REFERENCES "Crews"("Crew ID"), "Model Code" TEXT NOT NULL REFERENCES "Panel Models"("Model Code"),
  "Signed On" DATE NOT NULL, "Installed On" DATE, "Status" TEXT NOT NULL, "Panels" INTEGER NOT NULL,
  "Contract Value" REAL NOT NULL, "Battery" TEXT NOT NULL);
CREATE TABLE "Service Calls" ("Call ID" INTEGER PRIMARY KEY, "Job No" INTEGER NOT NULL REFERENCES "Installations"("Job No"),
  "Call Date" DATE NOT NULL, "Issue" TEXT NOT NULL, "Resolved" TEXT NOT NULL, "Minutes On Site" INTEGER);`,
  rows: (random) => {
    const jobs = times(320, (id) => {
      const [code, , , cost] = oneOf(random, MODELS);
      const panels = whole(random, 6, 40);
      const signed = day(random, '2022-01-10');
      const installed = later(signed, whole(random, 20, 120));
      const lost = random() < 0.07;
      const done = !lost && installed <= TODAY;
      const status = lost ? 'Cancelled' : done ? 'Completed' : oneOf(random, ['Planned', 'Awaiting Permit']);
      return [
        2000 + id,
        id <= 125 ? id : whole(random, 1, 125),
        done ? whole(random, 1, 4) : null,
        code,
        signed,
        done ? installed : null,
        status,
        panels,
        cents(panels * cost * 2.4 + 1500 + random() * 2500),
        random() < 0.4 ? 'yes' : 'no',
      ] as const;
    });
    const completed = jobs.filter(([, , , , , installed]) => installed !== null);
    return {
      Crews: [
        [1, 'Blue Crew', 'Augsburg', 4],
        [2, 'Green Crew', 'Ulm', 3],
        [3, 'Red Crew', 'Munich', 5],
        [4, 'Yellow Crew', 'Munich', 3],
      ],
      'Panel Models': MODELS,
      Clients: times(130, (id) => [
        id,
        person(id),
        oneOf(random, ['Augsburg', 'Ulm', 'Munich', 'Landsberg', 'Dachau']),
        oneOf(random, ['Private', 'Private', 'Private', 'Company', 'Public']),
        random() < 0.55 ? null : oneOf(random, ['Trade Fair', 'Neighbour', 'Energy Advisor', 'Newspaper']),
      ]),
      Installations: jobs,
      'Service Calls': times(240, (id) => {
        const job = oneOf(random, completed);
        return [
          id,
          job[0],
          day(random, job[5] as string),
          oneOf(random, ['Inverter fault', 'Loose cable', 'Broken panel', 'App not working', 'Low output']),
          random() < 0.85 ? 'yes' : 'no',
          random() < 0.1 ? null : 5 * whole(random, 3, 36),
        ];
      }),
    };
  },
  questions: [
    ['How many installations are completed?', `SELECT COUNT(*) FROM "Installations" WHERE "Status" = 'Completed'`],
    [
      'Show all clients in Dachau',
      ...each(`SELECT {} FROM "Clients" WHERE "Town" = 'Dachau'`, '"Client Name"', '"Client ID"'),
    ],
    [
      'Which panel models have a warranty of at least 20 years?',
      'SELECT "Model Code" FROM "Panel Models" WHERE "Warranty Years" >= 20',
    ],
    ['How many service calls are still unresolved', `SELECT COUNT(*) FROM "Service Calls" WHERE "Resolved" = 'no'`],
    [
      'How many systems did we sell with a battery?',
      `SELECT COUNT(*) FROM "Installations" WHERE "Battery" = 'yes'`,
      `SELECT COUNT(*) FROM "Installations" WHERE "Battery" = 'yes' AND "Status" <> 'Cancelled'`,
    ],
    ['I would like to see how many clients we have in every town', 'SELECT "Town", COUNT(*) FROM "Clients" GROUP BY 1'],
    [
      'What is the average contract value by status?',
      'SELECT "Status", AVG("Contract Value") FROM "Installations" GROUP BY 1',
    ],
    [
      'How many panels of each model are in completed installations?',
      `SELECT "Model Code", SUM("Panels") FROM "Installations" WHERE "Status" = 'Completed' GROUP BY 1`,
    ],
    [
      'What problems do people call us about and how often?',
      'SELECT "Issue", COUNT(*) FROM "Service Calls" GROUP BY 1',
    ],
    [
      'Total contract value for each manufacturer',
      `SELECT m."Manufacturer", SUM(i."Contract Value") FROM "Installations" i JOIN "Panel Models" m USING ("Model Code") GROUP BY 1`,
    ],
    [
      'Which crew has completed the most installations?',
      ...each(
        `SELECT {} FROM "Installations" i JOIN "Crews" c ON c."Crew ID" = i."Crew ID" GROUP BY c."Crew ID" ORDER BY COUNT(*) DESC LIMIT 1`,
        'c."Crew Name"',
        'c."Crew ID"',
      ),
    ],
    [
      'List the ten biggest contracts',
      'SELECT "Job No" FROM "Installations" ORDER BY "Contract Value" DESC LIMIT 10',
      'SELECT "Contract Value" FROM "Installations" ORDER BY "Contract Value" DESC LIMIT 10',
    ],
    [
      'How many contracts were signed this year?',
      `SELECT COUNT(*) FROM "Installations" WHERE "Signed On" LIKE '2025-%'`,
    ],
    [
      'What is the total value of the contracts with companies?',
      `SELECT SUM(i."Contract Value") FROM "Installations" i JOIN "Clients" c ON c."Client ID" = i."Client ID" WHERE c."Client Type" = 'Company'`,
    ],
    [
      'Give me the installations done by the Red Crew in 2024',
      `SELECT i."Job No" FROM "Installations" i JOIN "Crews" c ON c."Crew ID" = i."Crew ID"
       WHERE c."Crew Name" = 'Red Crew' AND i."Installed On" LIKE '2024-%'`,
    ],
    [
      'What share of the installations includes a battery, in percent?',
      `SELECT 100.0 * SUM("Battery" = 'yes') / COUNT(*) FROM "Installations"`,
    ],
    [
      'On average, how many days pass between signing and installation?',
      `SELECT AVG(julianday("Installed On") - julianday("Signed On")) FROM "Installations"`,
    ],
    [
      'Which completed installations have never needed a service call?',
      `SELECT "Job No" FROM "Installations" WHERE "Status" = 'Completed' AND "Job No" NOT IN (SELECT "Job No" FROM "Service Calls")`,
    ],
    [
      'Which jobs have had more than 3 service calls?',
      'SELECT "Job No" FROM "Service Calls" GROUP BY 1 HAVING COUNT(*) > 3',
    ],
    [
      'Compare the total value of the contracts signed in 2023 with that of 2024',
      ...each(
        `SELECT {}, SUM("Contract Value") FROM "Installations" WHERE substr("Signed On", 1, 4) IN ('2023', '2024') GROUP BY 1`,
        ...year('"Signed On"'),
      ),
      `SELECT SUM(CASE WHEN "Signed On" LIKE '2023-%' THEN "Contract Value" END),
       SUM(CASE WHEN "Signed On" LIKE '2024-%' THEN "Contract Value" END) FROM "Installations"`,
      `SELECT SUM(CASE WHEN "Signed On" LIKE '2024-%' THEN "Contract Value" END) -
       SUM(CASE WHEN "Signed On" LIKE '2023-%' THEN "Contract Value" END) FROM "Installations"`,
    ],
  ],
};
