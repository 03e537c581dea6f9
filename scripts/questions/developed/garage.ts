import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { cents, each, later, monthOfYear, year } from '../variants.ts';

const CARS = [
  ['Volkswagen', 'Golf'],
  ['Volkswagen', 'Passat'],
  ['Toyota', 'Corolla'],
  ['Toyota', 'Yaris'],
  ['Ford', 'Focus'],
  ['Renault', 'Clio'],
  ['BMW', '320i'],
  ['Skoda', 'Octavia'],
] as const;

/** A car repair shop; names in the style of an office database. */
export const garage: Business = {
  name: 'garage',
  ddl: `
CREATE TABLE Customers (CustomerID INTEGER PRIMARY KEY, CustomerName TEXT NOT NULL, Phone TEXT, City TEXT NOT NULL,
  CustomerSince DATE NOT NULL, IsBusiness TEXT NOT NULL);
CREATE TABLE Vehicles (VehicleID INTEGER PRIMARY KEY, CustomerID INTEGER NOT NULL REFERENCES Customers(CustomerID),
  PlateNumber TEXT NOT NULL, Make TEXT NOT NULL, Model TEXT NOT NULL, ModelYear INTEGER NOT NULL, FuelType TEXT NOT NULL,
  Mileage INTEGER);
CREATE TABLE Mechanics (MechanicID INTEGER PRIMARY KEY, MechanicName TEXT NOT NULL, Specialty TEXT NOT NULL,
  HourlyRate REAL NOT NULL, HiredOn DATE NOT NULL);
CREATE TABLE RepairOrders (OrderNo INTEGER PRIMARY KEY, VehicleID INTEGER NOT NULL REFERENCES Vehicles(VehicleID),
  MechanicID INTEGER REFERENCES Mechanics(MechanicID), OpenedOn DATE NOT NULL, ClosedOn DATE, Status TEXT NOT NULL,
  JobType TEXT NOT NULL, LaborHours REAL, PartsCost REAL NOT NULL, TotalCost REAL);`,
  rows: (random) => ({
    Customers: times(110, (id) => [
      id,
      person(id + 20),
      random() < 0.1 ? null : `0${whole(random, 151, 179)} ${whole(random, 1000000, 9999999)}`,
      oneOf(random, ['Leeds', 'York', 'Bradford', 'Harrogate']),
      day(random, '2016-01-01', '2022-01-04'),
      random() < 0.25 ? 'Yes' : 'No',
    ]),
    Vehicles: times(150, (id) => {
      const [make, model] = oneOf(random, CARS);
      return [
        id,
        id <= 100 ? id : whole(random, 1, 104),
        `${oneOf(random, ['YK', 'LS', 'BD', 'HG'])}${whole(random, 10, 24)} ${String(1000 + id)}`,
        make,
        model,
        whole(random, 2006, 2024),
        oneOf(random, ['Petrol', 'Petrol', 'Diesel', 'Hybrid', 'Electric']),
        random() < 0.06 ? null : whole(random, 4000, 240000),
      ];
    }),
    Mechanics: [
      [1, 'Frank Oakley', 'Engines', 68, '2012-04-01'],
      [2, 'Salma Idris', 'Electrics', 72, '2018-09-15'],
      [3, 'Gareth Pugh', 'Brakes', 61, '2020-02-10'],
      [4, 'Leo Martins', 'Bodywork', 58, '2022-06-01'],
      [5, 'Ruth Kemp', 'Electrics', 70, '2023-03-20'],
      [6, 'Dylan Shaw', 'Tyres', 49, '2024-11-04'],
    ],
    RepairOrders: times(900, (id) => {
      const opened = day(random, '2022-01-05');
      const closed = later(opened, whole(random, 0, 14));
      const going = closed > TODAY || random() < 0.02;
      const status = going ? oneOf(random, ['Open', 'Waiting for parts']) : random() < 0.06 ? 'Cancelled' : 'Finished';
      const hours = whole(random, 1, 24) / 2;
      const parts = cents(random() * 700);
      return [
        5000 + id,
        whole(random, 1, 143),
        random() < 0.03 ? null : whole(random, 1, 6),
        opened,
        going ? null : closed,
        status,
        oneOf(random, ['Oil change', 'Brake service', 'Tyre change', 'Inspection', 'Engine repair', 'Body repair']),
        going ? null : hours,
        parts,
        status === 'Finished' ? cents(hours * 65 + parts) : null,
      ];
    }),
  }),
  questions: [
    ['How many customers live in York?', `SELECT COUNT(*) FROM Customers WHERE City = 'York'`],
    [
      'List all electric cars',
      ...each(`SELECT {} FROM Vehicles WHERE FuelType = 'Electric'`, 'PlateNumber', 'VehicleID', 'Make, Model'),
    ],
    [
      'Which repair orders are waiting for parts?',
      `SELECT OrderNo FROM RepairOrders WHERE Status = 'Waiting for parts'`,
    ],
    [
      'Who are the mechanics specialised in electrics',
      ...each(`SELECT {} FROM Mechanics WHERE Specialty = 'Electrics'`, 'MechanicName', 'MechanicID'),
    ],
    ['How many vehicles have more than 150000 miles on them?', 'SELECT COUNT(*) FROM Vehicles WHERE Mileage > 150000'],
    ['average mileage by make', 'SELECT Make, AVG(Mileage) FROM Vehicles GROUP BY Make'],
    [
      'How many repair orders do we have for each job type?',
      'SELECT JobType, COUNT(*) FROM RepairOrders GROUP BY JobType',
    ],
    [
      'Give me the total cost of repairs by year opened',
      ...each('SELECT {}, SUM(TotalCost) FROM RepairOrders GROUP BY 1', ...year('OpenedOn')),
    ],
    [
      'Labor hours per mechanic',
      ...each(
        'SELECT {}, SUM(o.LaborHours) FROM RepairOrders o JOIN Mechanics m ON m.MechanicID = o.MechanicID GROUP BY m.MechanicID',
        'm.MechanicName',
        'm.MechanicID',
      ),
      'SELECT MechanicID, SUM(LaborHours) FROM RepairOrders GROUP BY 1',
      'SELECT m.MechanicName, SUM(o.LaborHours) FROM RepairOrders o LEFT JOIN Mechanics m ON m.MechanicID = o.MechanicID GROUP BY 1',
    ],
    [
      'What do parts cost on average for a brake service?',
      `SELECT AVG(PartsCost) FROM RepairOrders WHERE JobType = 'Brake service'`,
    ],
    [
      'Which 3 customers have spent the most with us?',
      ...each(
        `SELECT {} FROM RepairOrders o JOIN Vehicles v ON v.VehicleID = o.VehicleID JOIN Customers c ON c.CustomerID = v.CustomerID
         GROUP BY c.CustomerID ORDER BY SUM(o.TotalCost) DESC LIMIT 3`,
        'c.CustomerName',
        'c.CustomerID',
      ),
    ],
    [
      'How many jobs did Salma Idris finish in 2024?',
      `SELECT COUNT(*) FROM RepairOrders o JOIN Mechanics m ON m.MechanicID = o.MechanicID
       WHERE m.MechanicName = 'Salma Idris' AND o.Status = 'Finished' AND o.ClosedOn LIKE '2024-%'`,
    ],
    ['Show the repair orders opened this month', `SELECT OrderNo FROM RepairOrders WHERE OpenedOn LIKE '2025-06-%'`],
    [
      'What was the most expensive repair on a Toyota?',
      `SELECT o.OrderNo FROM RepairOrders o JOIN Vehicles v ON v.VehicleID = o.VehicleID WHERE v.Make = 'Toyota'
       ORDER BY o.TotalCost DESC LIMIT 1`,
      `SELECT MAX(o.TotalCost) FROM RepairOrders o JOIN Vehicles v ON v.VehicleID = o.VehicleID WHERE v.Make = 'Toyota'`,
    ],
    [
      'How much money did we make from business customers in the first quarter of 2025?',
      ...each(
        `SELECT SUM(o.TotalCost) FROM RepairOrders o JOIN Vehicles v ON v.VehicleID = o.VehicleID
         JOIN Customers c ON c.CustomerID = v.CustomerID
         WHERE c.IsBusiness = 'Yes' AND o.{} BETWEEN '2025-01-01' AND '2025-03-31'`,
        'OpenedOn',
        'ClosedOn',
      ),
    ],
    [
      'Which customers do not have a car registered with us?',
      ...each(
        'SELECT {} FROM Customers WHERE CustomerID NOT IN (SELECT CustomerID FROM Vehicles)',
        'CustomerName',
        'CustomerID',
      ),
    ],
    [
      'What share of the repair orders opened in 2024 was for tyre changes, in percent?',
      `SELECT 100.0 * SUM(JobType = 'Tyre change') / COUNT(*) FROM RepairOrders WHERE OpenedOn LIKE '2024-%'`,
    ],
    [
      'Which mechanics charge more than the average hourly rate?',
      ...each(
        'SELECT {} FROM Mechanics WHERE HourlyRate > (SELECT AVG(HourlyRate) FROM Mechanics)',
        'MechanicName',
        'MechanicID',
      ),
    ],
    [
      'Number of repair orders opened per month in 2023',
      ...each(
        `SELECT {}, COUNT(*) FROM RepairOrders WHERE OpenedOn LIKE '2023-%' GROUP BY 1`,
        ...monthOfYear('OpenedOn'),
      ),
    ],
    [
      'How many customers own more than one vehicle?',
      'SELECT COUNT(*) FROM (SELECT CustomerID FROM Vehicles GROUP BY CustomerID HAVING COUNT(*) > 1)',
    ],
  ],
};
