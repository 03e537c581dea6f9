import { RESTRICTED_SQL } from './restricted-shop.ts';

/** The shop with what PostgreSQL has beside tables and views. */
export const POSTGRES_SQL = `${RESTRICTED_SQL}
CREATE MATERIALIZED VIEW mv_users AS SELECT id, ssn AS code FROM users;
CREATE MATERIALIZED VIEW mv_fine AS SELECT id, name FROM users;
CREATE VIEW v_mail_count AS SELECT count(email) AS mails FROM users;
CREATE TABLE users_old () INHERITS (users);
INSERT INTO users_old VALUES (3, 'Cyd', 'S3CR3T-3', 'S3CR3T@c', 999, 'Rome');
CREATE TABLE bonus () INHERITS (salaries);
CREATE TABLE notes (id INT, text TEXT);
CREATE TABLE hr_inner () INHERITS (notes);
INSERT INTO hr_inner VALUES (1, 'S3CR3T-inner');
CREATE TABLE persons (id INT, code TEXT);
CREATE TABLE hired (ssn TEXT) INHERITS (persons);
INSERT INTO hired VALUES (1, 'plain', 'S3CR3T-hired');
INSERT INTO bonus VALUES (2, 'S3CR3T-bonus');
CREATE TABLE hr_pay (region TEXT, amount TEXT) PARTITION BY LIST (region);
CREATE TABLE pay_eu PARTITION OF hr_pay FOR VALUES IN ('eu');
INSERT INTO hr_pay VALUES ('eu', 'S3CR3T-eu');
CREATE TABLE sales (region TEXT, amount TEXT) PARTITION BY LIST (region);
CREATE TABLE sales_eu PARTITION OF sales FOR VALUES IN ('eu');
CREATE TABLE hr_sales PARTITION OF sales FOR VALUES IN ('hr');
INSERT INTO sales VALUES ('eu', '5'), ('hr', 'S3CR3T-hr');
CREATE TYPE grade AS ENUM ('S3CR3T-low', 'S3CR3T-high');
CREATE FUNCTION f_known(TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS 'SELECT EXISTS (SELECT FROM users WHERE ssn = $1)';
CREATE DOMAIN known AS TEXT CHECK (f_known(VALUE));
CREATE FUNCTION f_step(BIGINT, TEXT) RETURNS BIGINT LANGUAGE sql STABLE AS 'SELECT count(*) FROM salaries';
CREATE AGGREGATE listagg(TEXT) (SFUNC = f_step, STYPE = BIGINT, INITCOND = '0');
CREATE TABLE ruled (code TEXT);
CREATE RULE "_RETURN" AS ON SELECT TO ruled DO INSTEAD SELECT ssn AS code FROM users;
CREATE FUNCTION f_ssn(INT) RETURNS TEXT LANGUAGE sql STABLE AS 'SELECT ssn FROM users WHERE id = $1';
CREATE FUNCTION f_all() RETURNS SETOF users LANGUAGE sql STABLE AS 'SELECT * FROM users';
CREATE FUNCTION f_row(users) RETURNS TEXT LANGUAGE sql STABLE AS 'SELECT $1.ssn';
CREATE FUNCTION f_secret() RETURNS TEXT LANGUAGE plpgsql STABLE SECURITY DEFINER AS 'BEGIN RETURN (SELECT max(ssn) FROM users); END';
CREATE FUNCTION initcap(INT) RETURNS TEXT LANGUAGE sql STABLE AS 'SELECT ssn FROM users WHERE id = $1';
CREATE FUNCTION f_equal(INT, INT) RETURNS TEXT LANGUAGE sql STABLE AS 'SELECT ssn FROM users WHERE id = $1';
CREATE FUNCTION f_text(BOOLEAN, INT) RETURNS TEXT LANGUAGE sql STABLE AS 'SELECT ssn FROM users WHERE id = $2';
CREATE OPERATOR === (LEFTARG = INT, RIGHTARG = INT, FUNCTION = f_equal);
CREATE OPERATOR + (LEFTARG = BOOLEAN, RIGHTARG = INT, FUNCTION = f_text);
CREATE VIEW v_initcap AS SELECT initcap(id) AS code FROM orders;
CREATE VIEW v_function AS SELECT f_ssn(1) AS code;
CREATE DOMAIN row_of_users AS users;
CREATE SCHEMA other;
CREATE VIEW other.people AS SELECT ssn AS name FROM users;
ANALYZE;
CREATE VIEW v_mended AS SELECT id, ssn AS code FROM users;
CREATE MATERIALIZED VIEW m_older AS SELECT id, code FROM v_mended;
CREATE OR REPLACE VIEW v_mended AS SELECT id, name AS code FROM users;
CREATE TABLE graded (id int, grades known[]);
INSERT INTO graded (id) VALUES (1);
CREATE TABLE guarded (id int);
INSERT INTO guarded VALUES (1), (2);
CREATE FUNCTION f_sees(int) RETURNS bool LANGUAGE sql STABLE AS 'SELECT EXISTS (SELECT FROM public.users WHERE id = $1 AND ssn LIKE ''S3CR3T%'')';
CREATE DOMAIN pay_row AS salaries;
CREATE DOMAIN pay_row_again AS pay_row;
CREATE TYPE pay_pair AS (id INT, paid salaries);
CREATE TABLE first_of_two (k INT, ssn TEXT);
CREATE TABLE second_of_two (k INT, code TEXT, ssn TEXT);
CREATE TABLE of_both () INHERITS (first_of_two, second_of_two);
CREATE TABLE third_of_three (k INT, code TEXT);
CREATE TABLE hr_third (k INT, code TEXT);
CREATE TABLE of_three () INHERITS (third_of_three, hr_third);
INSERT INTO of_three VALUES (1, 'S3CR3T-three');
CREATE TABLE parted (id INT, ssn TEXT, low TEXT) PARTITION BY LIST (id);
CREATE TABLE parted_low (id INT, ssn TEXT, low TEXT GENERATED ALWAYS AS (ssn) STORED);
INSERT INTO parted_low (id, ssn) VALUES (2, 'S3CR3T-low');
ALTER TABLE parted ATTACH PARTITION parted_low FOR VALUES IN (2);
CREATE TABLE plain_low (id INT, low TEXT);
CREATE TABLE made_low (ssn TEXT, low TEXT GENERATED ALWAYS AS (ssn) STORED) INHERITS (plain_low);
INSERT INTO made_low (id, ssn) VALUES (1, 'S3CR3T-lower');
CREATE TABLE kept_rows (id INT, a pay_row[], b pay_row_again, c pay_eu, d pay_pair, e users, f row_of_users);
INSERT INTO kept_rows SELECT 1, ARRAY[s]::pay_row[], s, (SELECT p FROM pay_eu p), ROW(1, s)::pay_pair,
  (SELECT u FROM users u WHERE id = 1), (SELECT u FROM users u WHERE id = 1) FROM salaries s LIMIT 1;
CREATE INDEX ON users (lower(email));
CREATE TABLE "odd pay" (id INT, ssn TEXT);
CREATE DOMAIN odd_pay AS "odd pay";
CREATE TYPE odd_pair AS (q INT, r "odd pay");
CREATE TABLE "Capital" (id INT, ssn TEXT);
CREATE DOMAIN capital_again AS "Capital";
CREATE TABLE variant (id INT, ssn TEXT);
CREATE TABLE money (id INT, ssn TEXT);
CREATE TABLE odd_rows (id INT, a "odd pay", b "odd pay"[], c odd_pay, d odd_pair, e capital_again, f variant, g public.money);
CREATE SCHEMA text;
CREATE TYPE text.pair AS (a INT, b INT);
CREATE TABLE pairs (id INT, email text.pair);
CREATE TABLE parted_high PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE changes (id INT, tbl regclass);
INSERT INTO changes VALUES (1, 'orders');
CREATE FUNCTION f_most() RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT count(*)::int FROM public.salaries';
CREATE FUNCTION f_same(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
CREATE TABLE by_predicate (id int, total int);
CREATE INDEX ON by_predicate (total) WHERE total < f_most();
CREATE TABLE by_expression (id int, total int);
CREATE INDEX ON by_expression ((total + f_most()));
CREATE TABLE by_statistics (id int, total int);
CREATE STATISTICS s_most ON (total + f_most()), id FROM by_statistics;
CREATE TABLE by_check (id int, total int, CHECK (total < f_most() + 1000));
CREATE TABLE by_column (id int, total int, CHECK (f_same(total) > 0));
CREATE INDEX ON by_column (f_same(total));
INSERT INTO by_column VALUES (1, 7);
CREATE VIEW v_predicate AS SELECT total FROM by_predicate;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY sees ON guarded USING (f_sees(id));
`;

/** Beside those for every engine. */
export const POSTGRES_ALLOWED: readonly string[] = [
  'SELECT COUNT(*) FROM users',
  'SELECT EXISTS (SELECT 1 FROM users u JOIN orders o ON o.user_id = u.id)',
  'SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM users u, contacts c WHERE u.email IS NULL OR c.id > 0)',
  'SELECT code FROM v_mended',
  'SELECT total FROM by_column WHERE id = 1',
  'SELECT id, name FROM v_fine',
  'SELECT name FROM mv_fine ORDER BY 1',
  'SELECT mails FROM v_mail_count',
  'SELECT code FROM persons',
  'SELECT name FROM users_old',
  "SELECT name FROM users WHERE city IS DISTINCT FROM 'x' FETCH FIRST 2 ROWS ONLY",
  "SELECT name /* /* nested */ */ FROM users WHERE name <> E'\\''",
  "SELECT name || $a$ 'x' $a$ FROM users",
  'SELECT char_length(name) FROM users',
  'SELECT DISTINCT ON (city) city, name FROM users ORDER BY city, name',
];

export const POSTGRES_HOSTILE: readonly string[] = [
  ...'abcdefg'.split('').map((column) => `SELECT ${column} FROM odd_rows`),
  'SELECT id FROM pairs WHERE email IS NULL',
  `SELECT ${'l'.repeat(63)}a.id AS ${'l'.repeat(63)}b FROM users ${'l'.repeat(63)}a ORDER BY concat(${'l'.repeat(63)}b)`,
  'SELECT array_agg(ROW(1, p.*, 2)) FROM parted p',
  'SELECT MAX(concat(1, ROW(1, p.*, 2), 2)) FROM parted p',
  'SELECT p.id FROM parted p ORDER BY p.*',
  'SELECT p.id FROM parted p WHERE p.* IS NULL',
  'SELECT p.id FROM parted p JOIN orders o ON ROW(1, p.*, 2) = ROW(1, o.*, 2)',
  'SELECT id FROM users u WHERE (u.*) IS NOT NULL',
  'SELECT id FROM guarded',
  ...['by_predicate', 'by_expression', 'by_statistics', 'by_check', 'v_predicate'].map(
    (name) => `SELECT total FROM ${name}`,
  ),
  "SELECT id FROM graded WHERE grades = '{a}'",
  'SELECT code FROM m_older',
  // Partitions, types and aggregates of users
  'SELECT amount FROM sales',
  "SELECT amount FROM sales WHERE region = 'eu'",
  "SELECT amount FROM sales WHERE region = CASE WHEN extract(microseconds FROM now())::int % 2 = 0 THEN 'eu' ELSE 'hr' END",
  'SELECT text FROM notes',
  "SELECT amount FROM sales WHERE region > 'f'",
  "SELECT 'S3CR3T-1'::known",
  "SELECT known 'S3CR3T-1'",
  "SELECT CAST('S3CR3T-1' AS public.known)",
  'SELECT NULL::grade',
  "SELECT regclass '16405'",
  "SELECT CAST('16405' AS pg_catalog.regclass)",
  'SELECT listagg(name) FROM users',
  // Views, materialized views, rules, functions of users, operators
  'SELECT code FROM mv_users',
  'SELECT * FROM mv_users',
  'SELECT code FROM ruled',
  'SELECT code FROM v_function',
  'SELECT name FROM other.people',
  'SELECT f_ssn(1)',
  'SELECT public.f_ssn(1)',
  'SELECT f_secret()',
  'SELECT ssn FROM f_all()',
  'SELECT a.name FROM f_all() AS a',
  'SELECT x.a FROM ROWS FROM (f_ssn(1), f_secret()) AS x (a, b)',
  'SELECT initcap(id) FROM users',
  'SELECT id === 1 FROM users',
  'SELECT (id > 0) + id FROM users',
  'SELECT code FROM v_initcap',
  'SELECT id OPERATOR(public.===) 1 FROM users',
  'SELECT f_row(u) FROM users u',
  'SELECT u.f_row FROM users u',
  'SELECT ssn(u) FROM users u',
  'SELECT name FROM users u JOIN LATERAL f_ssn(u.id) AS f ON true',
  // Rows
  'SELECT u::text FROM users u',
  'SELECT users::text FROM users',
  'SELECT CAST(u AS text) FROM users u',
  'SELECT (u).ssn FROM users u',
  'SELECT (u).* FROM users u',
  'SELECT (users).ssn FROM users',
  'SELECT u.*::text FROM users u',
  'SELECT (u.*)::text FROM users u',
  'SELECT to_json(u) FROM users u',
  'SELECT row_to_json(u.*) FROM users u',
  'SELECT to_jsonb(u) FROM users u',
  "SELECT format('%s', u) FROM users u",
  'SELECT concat(u) FROM users u',
  'SELECT concat(u.*) FROM users u',
  'SELECT array_agg(u) FROM users u',
  'SELECT count(u) FROM users u',
  'SELECT max(u.name) FROM users u GROUP BY u',
  'SELECT name FROM users u ORDER BY u',
  'SELECT name FROM users u ORDER BY u.*',
  'SELECT name FROM users u WHERE u IS NOT NULL',
  "SELECT name FROM users u WHERE u > ROW(1, 'a', 'S', 'b', 1, 'c')",
  'SELECT ARRAY(SELECT ssn FROM users)',
  'SELECT ARRAY[ssn] FROM users',
  "SELECT jsonb_populate_record(NULL::users, '{}')",
  'SELECT (SELECT u FROM users u LIMIT 1)::text',
  'WITH x AS (SELECT u FROM users u) SELECT x::text FROM x',
  // Row types stand for the columns of their relation
  ...[...'abcdef'].map((column) => `SELECT ${column} FROM kept_rows`),
  'SELECT * FROM kept_rows',
  // A child of a hidden table and of another one
  'SELECT code FROM third_of_three',
  'SELECT code FROM of_three',
  // What a partition or a child computes
  'SELECT low FROM parted',
  'SELECT low FROM plain_low',
  'SELECT tbl FROM changes UNION ALL SELECT 16384',
  'SELECT (NULL::users).*',
  'SELECT (CAST(NULL AS users)).*',
  'SELECT (NULL::public.users).*',
  'SELECT (NULL::"users").*',
  'SELECT (NULL::salaries).*',
  'SELECT (NULL::users).ssn',
  'SELECT NULL::users',
  'SELECT ((NULL::_users)[1]).*',
  'SELECT ((NULL::users[])[1]).*',
  "SELECT (CAST('(1,a,b,c,2,d)' AS users)).*",
  'SELECT (x.u).* FROM (SELECT NULL::users AS u) AS x',
  'SELECT (x.u).* FROM (SELECT NULL::v_users AS u) AS x',
  'SELECT x.* FROM (VALUES (NULL::users)) AS x (u)',
  'SELECT (SELECT row_of FROM (SELECT NULL::users AS row_of) AS y)::text',
  'SELECT (NULL::row_of_users).*',
  'SELECT (NULL::numbers).* FROM users',
  // Inheritance and partitions
  'SELECT ssn FROM users_old',
  'SELECT email FROM users_old',
  'SELECT * FROM users_old',
  'SELECT amount FROM bonus',
  'SELECT COUNT(*) FROM bonus',
  'SELECT amount FROM hr_pay',
  'SELECT amount FROM pay_eu',
  'SELECT COUNT(*) FROM pay_eu',
  'SELECT ssn FROM ONLY users',
  'SELECT ssn FROM ONLY (users)',
  'SELECT ssn FROM users *',
  'SELECT tableoid FROM users',
  'SELECT ctid, xmin FROM users',
  'SELECT ssn FROM users TABLESAMPLE SYSTEM (100)',
  // Catalogs and their functions
  "SELECT most_common_vals FROM pg_stats WHERE tablename = 'users'",
  'SELECT * FROM pg_catalog.pg_statistic',
  'SELECT relname FROM pg_class',
  'SELECT attname FROM pg_catalog.pg_attribute',
  'SELECT definition FROM pg_views',
  'SELECT definition FROM pg_matviews',
  'SELECT prosrc FROM pg_proc',
  'SELECT query FROM pg_stat_activity',
  'SELECT column_name FROM information_schema.columns',
  'SELECT table_name FROM information_schema.tables',
  'SELECT view_definition FROM information_schema.views',
  "SELECT pg_get_viewdef('v_users')",
  "SELECT 'salaries'::regclass",
  'SELECT CAST(16384 AS regclass)',
  "SELECT to_regclass('salaries')",
  "SELECT pg_relation_size('salaries')",
  "SELECT has_table_privilege('salaries', 'SELECT')",
  "SELECT col_description('users'::regclass, 3)",
  "SELECT query_to_xml('SELECT ssn FROM users', true, true, '')",
  "SELECT table_to_xml('users', true, true, '')",
  "SELECT schema_to_xml('public', true, true, '')",
  "SELECT word FROM ts_stat('SELECT ssn FROM users')",
  "SELECT pg_read_file('base/1/1')",
  "SELECT current_setting('data_directory')",
  'SELECT xmlforest(ssn) FROM users',
  'SELECT xmlelement(name a, ssn) FROM users',
  "SELECT x.a FROM users, xmltable('/r' PASSING ssn::xml COLUMNS a text) AS x",
  // Masked columns as an oracle, and errors with values
  'SELECT email::int FROM users',
  'SELECT CAST(email AS INTEGER) FROM users',
  'SELECT name FROM users WHERE email::int = 1',
  'SELECT COUNT(email::int) FROM users',
  'SELECT 1 / (balance - 777) FROM users',
  "SELECT name FROM users WHERE email IS DISTINCT FROM 'S3CR3T@a'",
  "SELECT name FROM users WHERE email ~ '^S'",
  "SELECT name FROM users WHERE email SIMILAR TO 'S%'",
  "SELECT name FROM users WHERE email BETWEEN 'A' AND 'T'",
  "SELECT name FROM users WHERE email = ANY (ARRAY['S3CR3T@a'])",
  "SELECT name FROM users JOIN (VALUES ('S3CR3T@a')) AS c (mail) ON c.mail = users.email",
  "SELECT name FROM users WHERE email = (SELECT 'S3CR3T@a')",
  'SELECT j.email FROM users JOIN contacts USING (email) AS j',
  'SELECT name FROM users NATURAL LEFT JOIN contacts',
  'SELECT DISTINCT ON (email) name FROM users',
  'SELECT COUNT(*) FROM users GROUP BY GROUPING SETS ((email), ())',
  'SELECT COUNT(*) FROM users GROUP BY CUBE (ssn)',
  'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY email) FROM users',
  'SELECT string_agg(name, email) FROM users',
  'SELECT string_agg(name, $$,$$ ORDER BY email) FROM users',
  'SELECT array_agg(name ORDER BY ssn) FROM users',
  'SELECT lag(email) OVER (ORDER BY id) FROM users',
  'SELECT name, rank() OVER w FROM users WINDOW w AS (ORDER BY ssn)',
  'SELECT name FROM users ORDER BY email COLLATE "C"',
  'SELECT name FROM users FETCH FIRST (SELECT balance FROM users LIMIT 1) ROWS ONLY',
  'SELECT name, CASE email WHEN $$S3CR3T@a$$ THEN 1 END FROM users',
  'SELECT count(email) FILTER (WHERE balance > 800) FROM users',
  // Spelling, and where a parser may see another text than the server
  'SELECT U&"\\0073sn" FROM users',
  'SELECT U&"d!0073sn" UESCAPE \'!\' FROM users',
  'SELECT "SSN" FROM users',
  'SELECT "users"."ssn" FROM "public"."users"',
  'SELECT \u017fsn FROM users',
  'SELECT \uff53\uff53\uff4e FROM users',
  'SELECT s\u200bsn FROM users',
  'SELECT name\u00a0, ssn FROM users',
  "SELECT '\\' , ssn FROM users --'",
  "SELECT E'\\'' , ssn FROM users",
  'SELECT $a$ $b$ $a$ , ssn FROM users',
  'SELECT name --x\r, ssn FROM users',
  'SELECT name /* /* */ , city */ , ssn FROM users',
  'SELECT name, ssn/**/FROM/**/users',
  // Other statements
  'TABLE ONLY users',
  '(TABLE users)',
  'SELECT * FROM (TABLE salaries) AS t',
  'SELECT ssn INTO copy FROM users',
  'COPY users TO STDOUT',
  'COPY (SELECT ssn FROM users) TO STDOUT',
  'EXPLAIN (VERBOSE) SELECT * FROM users',
  'EXPLAIN ANALYZE SELECT ssn FROM users',
  "DO 'BEGIN RAISE EXCEPTION $a$%$a$, (SELECT max(ssn) FROM users); END'",
  'PREPARE p AS SELECT ssn FROM users',
  'DECLARE c CURSOR FOR SELECT ssn FROM users',
  'WITH gone AS (DELETE FROM users RETURNING ssn) SELECT * FROM gone',
  'VALUES ((SELECT ssn FROM users LIMIT 1))',
  'SELECT name FROM users FOR UPDATE OF users',
  'WITH RECURSIVE users AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM users WHERE id < 2) SELECT * FROM users',
];
