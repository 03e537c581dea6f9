import { type Business, day, oneOf, person, times, whole } from '../business.ts';

export const software: Business = {
  name: 'software',
  ddl: `
CREATE TABLE plan (plan_id INTEGER PRIMARY KEY, plan_name TEXT NOT NULL, monthly_price REAL NOT NULL,
  max_users INTEGER);
CREATE TABLE account (account_id INTEGER PRIMARY KEY, company TEXT NOT NULL, industry TEXT, country TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL, account_manager TEXT);
CREATE TABLE subscription (subscription_id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES account (account_id), plan_id INTEGER NOT NULL REFERENCES plan (plan_id),
  start_date DATE NOT NULL, end_date DATE, seats INTEGER NOT NULL);
CREATE TABLE invoice (invoice_id INTEGER PRIMARY KEY, subscription_id INTEGER NOT NULL
  REFERENCES subscription (subscription_id), invoice_date DATE NOT NULL, amount REAL NOT NULL, paid_date DATE,
  currency TEXT NOT NULL);
CREATE TABLE ticket (ticket_id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account (account_id),
  subject TEXT NOT NULL, severity TEXT NOT NULL, opened_at TIMESTAMP NOT NULL, closed_at TIMESTAMP,
  satisfaction INTEGER);`,
  rows: (random) => ({
    plan: [
      [1, 'Free', 0, 3],
      [2, 'Starter', 29, 10],
      [3, 'Business', 99, 50],
      [4, 'Enterprise', 499, null],
      [5, 'Legacy', 15, 5],
    ],
    account: times(100, (id) => [
      id,
      `${person(id).split(' ')[1]} ${oneOf(random, ['Labs', 'Group', 'Media', 'Retail', 'Energy'])} ${id}`,
      random() < 0.1 ? null : oneOf(random, ['Retail', 'Healthcare', 'Education', 'Banking']),
      oneOf(random, ['Germany', 'Spain', 'United States', 'Canada', 'Japan']),
      `${day(random)} 10:30:00`,
      random() < 0.2 ? null : person(whole(random, 60, 64)),
    ]),
    subscription: times(140, (id) => [
      id,
      whole(random, 1, 95),
      oneOf(random, [1, 2, 3, 3, 4]),
      day(random),
      random() < 0.3 ? day(random, '2024-06-01') : null,
      whole(random, 1, 60),
    ]),
    invoice: times(800, (id) => {
      const date = day(random);
      return [
        id,
        whole(random, 1, 140),
        date,
        whole(random, 29, 3000),
        random() < 0.15 ? null : date,
        oneOf(random, ['EUR', 'EUR', 'USD']),
      ];
    }),
    ticket: times(400, (id) => {
      const opened = day(random);
      const isOpen = random() < 0.2;
      return [
        id,
        whole(random, 1, 90),
        oneOf(random, ['Login fails', 'Slow page', 'Wrong invoice', 'Feature request']),
        oneOf(random, ['low', 'medium', 'high', 'critical']),
        `${opened} 08:00:00`,
        isOpen ? null : `${opened} ${whole(random, 10, 23)}:00:00`,
        isOpen || random() < 0.4 ? null : whole(random, 1, 5),
      ];
    }),
  }),
  questions: [
    ['How many accounts do we have in Japan?', `SELECT COUNT(*) FROM account WHERE country = 'Japan'`],
    [
      'How many accounts signed up each month in 2024?',
      `SELECT strftime('%Y-%m', created_at), COUNT(*) FROM account WHERE created_at LIKE '2024-%' GROUP BY 1`,
      `SELECT strftime('%m', created_at), COUNT(*) FROM account WHERE created_at LIKE '2024-%' GROUP BY 1`,
      `SELECT CAST(strftime('%m', created_at) AS INTEGER), COUNT(*) FROM account WHERE created_at LIKE '2024-%' GROUP BY 1`,
    ],
    [
      'Which plan has the most subscriptions?',
      `SELECT plan_name FROM plan JOIN subscription USING (plan_id) GROUP BY plan_id ORDER BY COUNT(*) DESC LIMIT 1`,
    ],
    ['How many invoices are unpaid?', 'SELECT COUNT(*) FROM invoice WHERE paid_date IS NULL'],
    ['Total invoice amount by currency', 'SELECT currency, SUM(amount) FROM invoice GROUP BY currency'],
    [
      'Which accounts have more than 6 tickets?',
      'SELECT company FROM account JOIN ticket USING (account_id) GROUP BY account_id HAVING COUNT(*) > 6',
    ],
    [
      'What is the average satisfaction by severity?',
      'SELECT severity, AVG(satisfaction) FROM ticket GROUP BY severity',
    ],
    [
      'How many critical tickets are still open?',
      `SELECT COUNT(*) FROM ticket WHERE severity = 'critical' AND closed_at IS NULL`,
    ],
    [
      'Invoiced amount per quarter',
      `SELECT strftime('%Y', invoice_date) || '-Q' || ((CAST(strftime('%m', invoice_date) AS INTEGER) + 2) / 3),
       SUM(amount) FROM invoice GROUP BY 1`,
      `SELECT CAST(strftime('%Y', invoice_date) AS INTEGER), (CAST(strftime('%m', invoice_date) AS INTEGER) + 2) / 3,
       SUM(amount) FROM invoice GROUP BY 1, 2`,
    ],
    ['What does the Business plan cost?', `SELECT monthly_price FROM plan WHERE plan_name = 'Business'`],
    [
      'Which plans does nobody subscribe to?',
      'SELECT plan_name FROM plan WHERE plan_id NOT IN (SELECT plan_id FROM subscription)',
    ],
    [
      'How many tickets were opened in the last 30 days?',
      `SELECT COUNT(*) FROM ticket WHERE opened_at >= '2025-05-19' AND opened_at < '2025-06-19'`,
    ],
    ['What percentage of tickets are critical?', `SELECT 100.0 * SUM(severity = 'critical') / COUNT(*) FROM ticket`],
    [
      'Total seats by country',
      'SELECT country, SUM(seats) FROM subscription JOIN account USING (account_id) GROUP BY country',
    ],
    [
      'Which companies in Healthcare are on the Enterprise plan?',
      `SELECT DISTINCT company FROM account JOIN subscription USING (account_id) JOIN plan USING (plan_id)
       WHERE industry = 'Healthcare' AND plan_name = 'Enterprise'`,
    ],
    ['Show the ten largest invoices', 'SELECT invoice_id FROM invoice ORDER BY amount DESC LIMIT 10'],
    ['How many accounts have no account manager?', 'SELECT COUNT(*) FROM account WHERE account_manager IS NULL'],
    [
      'How many accounts does each account manager look after?',
      `SELECT account_manager, COUNT(*) FROM account WHERE account_manager IS NOT NULL GROUP BY account_manager`,
      'SELECT account_manager, COUNT(*) FROM account GROUP BY account_manager',
    ],
    [
      'What was the average invoice amount in 2024 compared with 2023?',
      `SELECT CAST(strftime('%Y', invoice_date) AS INTEGER), AVG(amount) FROM invoice
       WHERE invoice_date BETWEEN '2023-01-01' AND '2024-12-31' GROUP BY 1`,
      `SELECT strftime('%Y', invoice_date), AVG(amount) FROM invoice
       WHERE invoice_date BETWEEN '2023-01-01' AND '2024-12-31' GROUP BY 1`,
    ],
    [
      'Number of tickets about login fails by country',
      `SELECT country, COUNT(*) FROM ticket JOIN account USING (account_id) WHERE subject = 'Login fails' GROUP BY country`,
    ],
  ],
};
