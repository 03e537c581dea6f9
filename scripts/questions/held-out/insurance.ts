import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { cents, each, later, monthOfYear } from '../variants.ts';

const AGENTS = [
  ['Olivia Grant', 'Boston', '2014-03-10'],
  ['Marcus Bell', 'Boston', '2018-07-02'],
  ['Priya Nair', 'Hartford', '2020-01-20'],
  ['Walter Dunn', 'Providence', '2021-11-15'],
  ['Isabel Cruz', 'Hartford', '2023-04-03'],
  ['Noah Fields', 'Providence', '2025-05-05'],
] as const;

/** An insurance broker; names in the style of a program. */
export const insurance: Business = {
  name: 'insurance',
  ddl: `
CREATE TABLE Agent (AgentId INTEGER PRIMARY KEY, AgentName TEXT NOT NULL, Office TEXT NOT NULL, StartDate DATE NOT NULL);
CREATE TABLE PolicyHolder (HolderId INTEGER PRIMARY KEY, HolderName TEXT NOT NULL, BirthDate DATE NOT NULL, City TEXT NOT NULL,
  Occupation TEXT, Smoker TEXT NOT NULL);
CREATE TABLE Policy (PolicyNo TEXT PRIMARY KEY, HolderId INTEGER NOT NULL REFERENCES PolicyHolder(HolderId),
  AgentId INTEGER REFERENCES Agent(AgentId), PolicyType TEXT NOT NULL, StartDate DATE NOT NULL, EndDate DATE NOT NULL,
  AnnualPremium REAL NOT NULL, CoverageAmount REAL NOT NULL, Status TEXT NOT NULL);
CREATE TABLE Claim (ClaimNo INTEGER PRIMARY KEY, PolicyNo TEXT NOT NULL REFERENCES Policy(PolicyNo), ClaimDate DATE NOT NULL,
  Cause TEXT NOT NULL, AmountClaimed REAL NOT NULL, AmountPaid REAL, Status TEXT NOT NULL, SettledDate DATE);`,
  rows: (random) => {
    const policies = times(420, (id) => {
      const start = day(random, '2022-01-01', '2025-06-01');
      const end = later(start, oneOf(random, [364, 729]));
      const shown = end > '2025-12-31' ? '2025-12-31' : end;
      const cancelled = random() < 0.08;
      return [
        `P-${1000 + id}`,
        id <= 122 ? id : whole(random, 1, 122),
        random() < 0.07 ? null : whole(random, 1, 5),
        oneOf(random, ['Auto', 'Auto', 'Home', 'Life', 'Travel']),
        start,
        shown,
        cents(120 + random() * 2300),
        5000 * whole(random, 2, 90),
        cancelled ? 'Cancelled' : shown < TODAY ? 'Expired' : 'Active',
      ] as const;
    });
    return {
      Agent: AGENTS.map((agent, at) => [at + 1, ...agent]),
      PolicyHolder: times(130, (id) => [
        id,
        person(id),
        day(random, '1942-01-01', '2004-12-31'),
        oneOf(random, ['Boston', 'Hartford', 'Providence', 'Worcester']),
        random() < 0.12 ? null : oneOf(random, ['Teacher', 'Nurse', 'Engineer', 'Driver', 'Retired']),
        random() < 0.2 ? 'yes' : 'no',
      ]),
      Policy: policies,
      Claim: times(600, (id) => {
        const policy = policies[whole(random, 0, 379)] as (typeof policies)[number];
        const date = day(random, policy[4], [policy[5], TODAY].sort()[0]);
        const claimed = cents(150 + random() * 14000);
        const settled = later(date, whole(random, 5, 120));
        const status = settled > TODAY ? 'Open' : oneOf(random, ['Paid', 'Paid', 'Paid', 'Rejected']);
        return [
          70000 + id,
          policy[0],
          date,
          oneOf(random, ['Accident', 'Theft', 'Fire', 'Water damage', 'Storm', 'Illness']),
          claimed,
          status === 'Paid' ? cents(claimed * (0.5 + 0.5 * random())) : null,
          status,
          status === 'Open' ? null : settled,
        ];
      }),
    };
  },
  questions: [
    ['How many active policies do we have?', `SELECT COUNT(*) FROM Policy WHERE Status = 'Active'`],
    ['Show all open claims', `SELECT ClaimNo FROM Claim WHERE Status = 'Open'`],
    [
      'Which agents work in the Hartford office?',
      ...each(`SELECT {} FROM Agent WHERE Office = 'Hartford'`, 'AgentName', 'AgentId'),
    ],
    ['How many of our policyholders smoke', `SELECT COUNT(*) FROM PolicyHolder WHERE Smoker = 'yes'`],
    ['How many policies have no agent?', 'SELECT COUNT(*) FROM Policy WHERE AgentId IS NULL'],
    ['average annual premium by policy type', 'SELECT PolicyType, AVG(AnnualPremium) FROM Policy GROUP BY PolicyType'],
    ['How many claims were made for each cause?', 'SELECT Cause, COUNT(*) FROM Claim GROUP BY Cause'],
    [
      'What did we pay out in total for claims on each type of policy?',
      'SELECT p.PolicyType, SUM(c.AmountPaid) FROM Claim c JOIN Policy p ON p.PolicyNo = c.PolicyNo GROUP BY 1',
    ],
    [
      'Number of policies per agent',
      ...each(
        'SELECT {}, COUNT(*) FROM Policy p JOIN Agent a ON a.AgentId = p.AgentId GROUP BY a.AgentId',
        'a.AgentName',
        'a.AgentId',
      ),
      ...each(
        'SELECT {}, COUNT(p.PolicyNo) FROM Agent a LEFT JOIN Policy p ON a.AgentId = p.AgentId GROUP BY a.AgentId',
        'a.AgentName',
        'a.AgentId',
      ),
      'SELECT AgentId, COUNT(*) FROM Policy GROUP BY 1',
      'SELECT a.AgentName, COUNT(*) FROM Policy p LEFT JOIN Agent a ON a.AgentId = p.AgentId GROUP BY 1',
    ],
    [
      'Where do our policyholders live? Give me the number per city',
      'SELECT City, COUNT(*) FROM PolicyHolder GROUP BY 1',
    ],
    [
      'What are the ten largest claims by amount claimed?',
      'SELECT ClaimNo FROM Claim ORDER BY AmountClaimed DESC LIMIT 10',
      'SELECT AmountClaimed FROM Claim ORDER BY AmountClaimed DESC LIMIT 10',
    ],
    [
      'How much premium do the active auto policies bring in per year?',
      `SELECT SUM(AnnualPremium) FROM Policy WHERE Status = 'Active' AND PolicyType = 'Auto'`,
    ],
    [
      'Which policies of Priya Nair end before October 2025 and are still active?',
      `SELECT p.PolicyNo FROM Policy p JOIN Agent a ON a.AgentId = p.AgentId
       WHERE a.AgentName = 'Priya Nair' AND p.EndDate < '2025-10-01' AND p.Status = 'Active'`,
    ],
    [
      'How many storm claims did customers from Boston file in 2024?',
      `SELECT COUNT(*) FROM Claim c JOIN Policy p ON p.PolicyNo = c.PolicyNo JOIN PolicyHolder h ON h.HolderId = p.HolderId
       WHERE c.Cause = 'Storm' AND h.City = 'Boston' AND c.ClaimDate LIKE '2024-%'`,
    ],
    [
      'Who is our oldest policyholder?',
      ...each('SELECT {} FROM PolicyHolder ORDER BY BirthDate LIMIT 1', 'HolderName', 'HolderId'),
    ],
    [
      'Which cause has the highest share of rejected claims?',
      `SELECT Cause FROM Claim WHERE Status <> 'Open' GROUP BY Cause ORDER BY 1.0 * SUM(Status = 'Rejected') / COUNT(*) DESC LIMIT 1`,
      `SELECT Cause FROM Claim GROUP BY Cause ORDER BY 1.0 * SUM(Status = 'Rejected') / COUNT(*) DESC LIMIT 1`,
    ],
    [
      'On average how many days does it take to settle a claim?',
      'SELECT AVG(julianday(SettledDate) - julianday(ClaimDate)) FROM Claim',
    ],
    [
      'Which active policies have never had a claim?',
      `SELECT PolicyNo FROM Policy WHERE Status = 'Active' AND PolicyNo NOT IN (SELECT PolicyNo FROM Claim)`,
    ],
    [
      'Claims filed per month in 2024',
      ...each(`SELECT {}, COUNT(*) FROM Claim WHERE ClaimDate LIKE '2024-%' GROUP BY 1`, ...monthOfYear('ClaimDate')),
    ],
    [
      'Which policyholders have more than five policies?',
      ...each(
        'SELECT {} FROM Policy p JOIN PolicyHolder h ON h.HolderId = p.HolderId GROUP BY h.HolderId HAVING COUNT(*) > 5',
        'h.HolderName',
        'h.HolderId',
      ),
    ],
  ],
};
