/** Stands in every value that nobody may see. */
export const SECRET = 'S3CR3T';

/** Tables, views and values for `hide: users.ssn, salaries, hr_*`, `mask: *.email, users.balance`. */
export const RESTRICTED_SQL = `
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, ssn TEXT, email TEXT, balance INTEGER, city TEXT);
CREATE TABLE contacts (id INTEGER PRIMARY KEY, user_id INTEGER, email TEXT, note TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, total INTEGER);
CREATE TABLE numbers (n INTEGER);
CREATE TABLE salaries (user_id INTEGER, amount TEXT);
CREATE TABLE hr_notes (user_id INTEGER, text TEXT);
INSERT INTO users VALUES (1, 'Ada', 'S3CR3T-1', 'S3CR3T@a', 777, 'London');
INSERT INTO users VALUES (2, 'Bob', 'S3CR3T-2', 'S3CR3T@b', 888, 'Paris');
INSERT INTO contacts VALUES (1, 1, 'S3CR3T@a', 'friend');
INSERT INTO orders VALUES (1, 1, 10);
INSERT INTO orders VALUES (2, 2, 20);
INSERT INTO numbers VALUES (777);
INSERT INTO salaries VALUES (1, 'S3CR3T-amount');
INSERT INTO hr_notes VALUES (1, 'S3CR3T-note');
CREATE VIEW v_users AS SELECT id, ssn AS code FROM users;
CREATE VIEW v_star AS SELECT * FROM users;
CREATE VIEW v_deep AS SELECT code FROM v_users;
CREATE VIEW v_pay AS SELECT amount FROM salaries;
CREATE VIEW v_mail AS SELECT email AS mail FROM users;
`;

/** Statements that have to run: what is visible, and masked columns where they cannot be seen. */
export const ALLOWED: readonly string[] = [
  'SELECT name, city FROM users',
  'SELECT u.name, o.total FROM users u JOIN orders o ON o.user_id = u.id',
  'SELECT COUNT(*) FROM users',
  'SELECT count(email) FROM users',
  'SELECT COUNT(DISTINCT u.email) FROM users u',
  'SELECT name FROM users WHERE email IS NULL OR email IS NOT NULL',
  'SELECT u.name, c.note FROM users u JOIN contacts c ON c.email = u.email',
  'SELECT city, COUNT(*) AS users_in FROM users GROUP BY city ORDER BY 2 DESC',
  'WITH x AS (SELECT id, name FROM users) SELECT * FROM x',
  'SELECT * FROM orders',
  "SELECT o.* FROM orders o JOIN users u ON u.id = o.user_id WHERE u.name = 'Ada'",
  'SELECT name FROM users WHERE id IN (SELECT user_id FROM orders WHERE total > 5)',
  'SELECT upper(name), length(city) FROM users ORDER BY name LIMIT 1',
  "SELECT CASE WHEN city = 'London' THEN 'home' ELSE 'away' END AS place FROM users",
  'SELECT name, ROW_NUMBER() OVER (PARTITION BY city ORDER BY id) AS n FROM users',
  'SELECT name FROM users UNION SELECT note FROM contacts',
  "SELECT name FROM users WHERE name <> 'ssn'",
  'SELECT n * 2 FROM numbers',
];

/** For every engine. */
export const HOSTILE: readonly string[] = [
  'SELECT ssn FROM users',
  'SELECT SSN FROM users',
  'SELECT "ssn" FROM users',
  'SELECT u.ssn FROM users AS u',
  'SELECT users.ssn FROM users',
  'SELECT main.users.ssn FROM main.users',
  'SELECT ssn AS name FROM users',
  'SELECT * FROM users',
  'SELECT u.* FROM users u',
  'SELECT u.*, o.* FROM orders o, users u',
  'SELECT name, * FROM users',
  'SELECT x.a FROM (SELECT ssn AS a FROM users) x',
  'SELECT x.ssn FROM (SELECT * FROM users) x',
  'WITH x AS (SELECT ssn FROM users) SELECT * FROM x',
  'WITH x AS (SELECT * FROM users) SELECT ssn FROM x',
  'WITH x (a, b, c, d, e, f) AS (SELECT * FROM users) SELECT c FROM x',
  'WITH users AS (SELECT * FROM salaries) SELECT * FROM users',
  'SELECT a FROM (SELECT id, name, ssn FROM users) AS t (i, n, a)',
  'SELECT name FROM users ORDER BY ssn',
  'SELECT COUNT(*) FROM users GROUP BY ssn',
  "SELECT name FROM users WHERE ssn LIKE 'S%'",
  "SELECT name FROM users WHERE substr(ssn, 1, 1) = 'S'",
  'SELECT name FROM users WHERE ssn IS NULL',
  'SELECT COUNT(ssn) FROM users',
  'SELECT MIN(ssn) FROM users',
  'SELECT (SELECT ssn FROM users LIMIT 1)',
  "SELECT name FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = users.id AND users.ssn > 'S')",
  "SELECT o.id FROM orders o JOIN users u ON u.id = o.user_id AND u.ssn > 'a'",
  'SELECT name FROM users UNION ALL SELECT ssn FROM users',
  'SELECT name FROM users EXCEPT SELECT ssn FROM users',
  'SELECT name, ROW_NUMBER() OVER (ORDER BY ssn) FROM users',
  "SELECT SUM(1) FILTER (WHERE ssn > 'a') FROM users",
  "SELECT CASE WHEN ssn > 'a' THEN 1 ELSE 0 END FROM users",
  'SELECT a.id FROM users a JOIN users b USING (ssn)',
  'SELECT id FROM users NATURAL JOIN contacts',
  'SELECT users FROM users',
  'SELECT u FROM users u',
  'SELECT * FROM salaries',
  'SELECT amount FROM salaries',
  'SELECT s.amount FROM main.salaries s',
  'SELECT amount FROM "salaries"',
  'SELECT amount FROM SALARIES',
  'SELECT text FROM hr_notes',
  'SELECT COUNT(*) FROM salaries',
  'SELECT name FROM users WHERE id IN (SELECT user_id FROM salaries)',
  'SELECT 1 FROM orders, salaries',
  'SELECT code FROM v_users',
  'SELECT * FROM v_star',
  'SELECT code FROM v_deep',
  'SELECT amount FROM v_pay',
  'SELECT mail FROM v_mail',
  'SELECT email FROM users',
  'SELECT u.email AS name FROM users u',
  'SELECT DISTINCT email FROM users',
  'SELECT MAX(email) FROM users',
  "SELECT name FROM users WHERE email = 'S3CR3T@a'",
  "SELECT name FROM users WHERE email LIKE 'S%'",
  'SELECT name FROM users ORDER BY email',
  'SELECT COUNT(*) FROM users GROUP BY email',
  'SELECT SUM(balance) FROM users',
  'SELECT numbers.n FROM users JOIN numbers ON users.balance = numbers.n',
  'SELECT x.g FROM users u JOIN (SELECT 777 AS g) x ON u.balance = x.g',
  'SELECT name FROM users WHERE balance + 0 IS NULL OR balance > 5',
  'SELECT COUNT(email || name) FROM users',
  "SELECT COUNT(nullif(email, 'S3CR3T@a')) FROM users",
  "SELECT nullif(email, 'x') IS NULL FROM users",
  "SELECT COUNT(*) FILTER (WHERE email > 'a') FROM users",
  'SELECT id FROM users JOIN contacts USING (email)',
  'SELECT name FROM users LIMIT (SELECT balance FROM users LIMIT 1)',
  'SELECT 1; SELECT ssn FROM users',
  'SELECT name FROM users, information_schema.columns',
  'SELECT name /* */ , /* x */ ssn FROM users -- y',
  'EXPLAIN SELECT ssn FROM users',
  'TABLE users',
  'SELECT no_such_function(name) FROM users',
  'SELECT name FROM nowhere',
  'SELECT nowhere FROM users',
];

export const SQLITE_HOSTILE: readonly string[] = [
  'SELECT sql FROM sqlite_master',
  'SELECT sql FROM sqlite_schema',
  "SELECT name FROM pragma_table_info('users')",
  "SELECT * FROM pragma_table_xinfo('salaries')",
  'SELECT * FROM pragma_table_list',
  'PRAGMA table_info(users)',
  'SELECT [ssn] FROM users',
  'SELECT `ssn` FROM users',
  "SELECT 'users'.ssn FROM users",
  'SELECT json_group_array(ssn) FROM users',
  "SELECT json_object('a', ssn) FROM users",
  'SELECT value FROM users, json_each(json_array(ssn))',
  "SELECT name FROM users WHERE (id, ssn) > (1, 'a')",
  'SELECT name FROM users INDEXED BY sqlite_autoindex_users_1 WHERE ssn = 1',
  'VALUES ((SELECT ssn FROM users))',
];

export const DUCKDB_HOSTILE: readonly string[] = [
  'FROM users',
  'FROM users SELECT ssn',
  'SELECT * EXCLUDE (name) FROM users',
  "SELECT * REPLACE ('x' AS name) FROM users",
  "SELECT COLUMNS('s.*') FROM users",
  'SELECT COLUMNS(*) FROM users',
  "SELECT users.* LIKE 's%' FROM users",
  'SELECT #3 FROM users',
  'SELECT struct_pack(a := ssn) FROM users',
  'SELECT row(u) FROM users u',
  'SELECT (u).ssn FROM users u',
  "SELECT u['ssn'] FROM users u",
  "SELECT struct_extract(u, 'ssn') FROM users u",
  'SELECT unnest(users) FROM users',
  'SELECT to_json(u) FROM users u',
  "FROM query('SELECT ssn FROM users')",
  "SELECT * FROM query_table('users')",
  'DESCRIBE users',
  'SUMMARIZE users',
  'SHOW TABLES',
  'PIVOT users ON city USING max(ssn)',
  'UNPIVOT users ON ssn INTO NAME a VALUE b',
  'SELECT column_name FROM duckdb_columns()',
  'SELECT sql FROM duckdb_tables()',
  'SELECT column_name FROM information_schema.columns',
  "SELECT * FROM pragma_table_info('users')",
  'SELECT name FROM sqlite_master',
  'SELECT list(ssn) FROM users',
  'SELECT histogram(email) FROM users',
  'SELECT arg_max(ssn, id) FROM users',
  'SELECT x FROM (SELECT list_transform([1], lambda y: ssn) AS x FROM users)',
  'SELECT * FROM users POSITIONAL JOIN orders',
  'SELECT o.id FROM orders o ASOF JOIN users u ON o.id >= u.balance',
  'SELECT name FROM users QUALIFY ROW_NUMBER() OVER (ORDER BY ssn) = 1',
  'SELECT DISTINCT ON (ssn) name FROM users',
  'SELECT name FROM users GROUP BY ALL ORDER BY ssn',
  'SELECT u.name FROM users u, LATERAL (SELECT u.ssn AS z) t',
  'SELECT t.z FROM users u, LATERAL (SELECT u.ssn AS z) t',
];
