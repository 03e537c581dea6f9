import { type Business, day, oneOf, person, times, whole } from '../business.ts';

export const staff: Business = {
  name: 'staff',
  ddl: `
CREATE TABLE Department (DepartmentID INTEGER PRIMARY KEY, DepartmentName TEXT NOT NULL, Location TEXT NOT NULL,
  AnnualBudget INTEGER NOT NULL);
CREATE TABLE Employee (EmployeeID INTEGER PRIMARY KEY, FirstName TEXT NOT NULL, LastName TEXT NOT NULL,
  JobTitle TEXT NOT NULL, HireDate DATE NOT NULL, TerminationDate DATE, Salary INTEGER NOT NULL, Remote INTEGER NOT NULL,
  DepartmentID INTEGER NOT NULL REFERENCES Department (DepartmentID),
  ManagerID INTEGER REFERENCES Employee (EmployeeID));
CREATE TABLE Absence (AbsenceID INTEGER PRIMARY KEY, EmployeeID INTEGER NOT NULL REFERENCES Employee (EmployeeID),
  Reason TEXT NOT NULL, StartDate DATE NOT NULL, Days INTEGER NOT NULL);
CREATE TABLE Training (TrainingID INTEGER PRIMARY KEY, Title TEXT NOT NULL, Provider TEXT NOT NULL, Cost REAL NOT NULL);
CREATE TABLE Attendance (EmployeeID INTEGER NOT NULL REFERENCES Employee (EmployeeID),
  TrainingID INTEGER NOT NULL REFERENCES Training (TrainingID), CompletedOn DATE, Score INTEGER,
  PRIMARY KEY (EmployeeID, TrainingID));`,
  rows: (random) => ({
    Department: [
      [1, 'Sales', 'Berlin', 900000],
      [2, 'Engineering', 'Munich', 2400000],
      [3, 'Finance', 'Berlin', 600000],
      [4, 'Customer Support', 'Leipzig', 450000],
      [5, 'Legal', 'Munich', 300000],
    ],
    Employee: times(90, (id) => [
      id,
      person(id).split(' ')[0] ?? '',
      person(id).split(' ')[1] ?? '',
      oneOf(random, ['Analyst', 'Engineer', 'Account Manager', 'Team Lead', 'Clerk']),
      day(random, '2015-01-01'),
      random() < 0.2 ? day(random, '2024-01-01') : null,
      32000 + 500 * whole(random, 0, 220),
      whole(random, 0, 1),
      whole(random, 1, 4),
      id <= 5 ? null : whole(random, 1, 5),
    ]),
    Absence: times(300, (id) => [
      id,
      whole(random, 1, 85),
      oneOf(random, ['Vacation', 'Vacation', 'Sick', 'Parental leave']),
      day(random),
      whole(random, 1, 15),
    ]),
    Training: [
      [1, 'Fire Safety', 'SafeWork', 120],
      [2, 'Data Protection', 'LawPoint', 90],
      [3, 'Negotiation', 'Skillhouse', 650],
      [4, 'First Aid', 'SafeWork', 180],
      [5, 'Project Management', 'Skillhouse', 1100],
      [6, 'Public Speaking', 'Skillhouse', 500],
    ],
    Attendance: times(90, (employee) =>
      [1, 2, 3, 4, 5]
        .filter(() => random() < 0.35)
        .map((training) => [
          employee,
          training,
          random() < 0.1 ? null : day(random, '2024-01-01'),
          random() < 0.2 ? null : whole(random, 40, 100),
        ]),
    ).flat(),
  }),
  questions: [
    ['How many employees work in Engineering?', `SELECT COUNT(*) FROM Employee WHERE DepartmentID = 2`],
    [
      'Which employees earn more than 120000?',
      'SELECT FirstName, LastName FROM Employee WHERE Salary > 120000',
      'SELECT EmployeeID FROM Employee WHERE Salary > 120000',
    ],
    [
      'What is the average salary per department?',
      'SELECT DepartmentName, AVG(Salary) FROM Employee JOIN Department USING (DepartmentID) GROUP BY DepartmentID',
    ],
    ['How many people did we hire in 2022?', `SELECT COUNT(*) FROM Employee WHERE HireDate LIKE '2022-%'`],
    ['How many employees have left the company?', 'SELECT COUNT(*) FROM Employee WHERE TerminationDate IS NOT NULL'],
    ['What percentage of employees are remote?', 'SELECT 100.0 * SUM(Remote = 1) / COUNT(*) FROM Employee'],
    [
      'Total sick days by department',
      `SELECT DepartmentName, SUM(Days) FROM Absence JOIN Employee USING (EmployeeID) JOIN Department USING (DepartmentID)
       WHERE Reason = 'Sick' GROUP BY DepartmentID`,
    ],
    [
      'Which department has the largest budget?',
      'SELECT DepartmentName FROM Department ORDER BY AnnualBudget DESC LIMIT 1',
    ],
    [
      'Who are the 10 highest paid employees?',
      'SELECT FirstName, LastName FROM Employee ORDER BY Salary DESC LIMIT 10',
    ],
    [
      'Which departments have no employees?',
      'SELECT DepartmentName FROM Department WHERE DepartmentID NOT IN (SELECT DepartmentID FROM Employee)',
    ],
    [
      'How many employees completed the First Aid training?',
      `SELECT COUNT(*) FROM Attendance JOIN Training USING (TrainingID) WHERE Title = 'First Aid'
       AND CompletedOn IS NOT NULL`,
    ],
    [
      'List the trainings that nobody has attended',
      'SELECT Title FROM Training WHERE TrainingID NOT IN (SELECT TrainingID FROM Attendance)',
    ],
    ['What is the total cost of trainings by provider?', 'SELECT Provider, SUM(Cost) FROM Training GROUP BY Provider'],
    [
      'Which managers have more than 15 direct reports?',
      `SELECT m.FirstName, m.LastName FROM Employee m JOIN Employee e ON e.ManagerID = m.EmployeeID
       GROUP BY m.EmployeeID HAVING COUNT(*) > 15`,
    ],
    [
      'How many vacation days were taken between June and August 2024?',
      `SELECT SUM(Days) FROM Absence WHERE Reason = 'Vacation' AND StartDate BETWEEN '2024-06-01' AND '2024-08-31'`,
    ],
    [
      'Number of hires per quarter since 2023',
      `SELECT strftime('%Y', HireDate) || '-Q' || ((CAST(strftime('%m', HireDate) AS INTEGER) + 2) / 3), COUNT(*)
       FROM Employee WHERE HireDate >= '2023-01-01' GROUP BY 1`,
      `SELECT CAST(strftime('%Y', HireDate) AS INTEGER), (CAST(strftime('%m', HireDate) AS INTEGER) + 2) / 3, COUNT(*)
       FROM Employee WHERE HireDate >= '2023-01-01' GROUP BY 1, 2`,
    ],
    ['What is the highest salary in Customer Support?', 'SELECT MAX(Salary) FROM Employee WHERE DepartmentID = 4'],
    [
      'How many analysts do we have in Berlin?',
      `SELECT COUNT(*) FROM Employee JOIN Department USING (DepartmentID) WHERE JobTitle = 'Analyst'
       AND Location = 'Berlin'`,
    ],
    [
      'Average score for each training',
      'SELECT Title, AVG(Score) FROM Attendance JOIN Training USING (TrainingID) GROUP BY TrainingID',
    ],
    [
      'Which employees do not have a manager?',
      'SELECT FirstName, LastName FROM Employee WHERE ManagerID IS NULL',
      'SELECT EmployeeID FROM Employee WHERE ManagerID IS NULL',
    ],
  ],
};
