import { RESTRICTED_SQL } from './restricted-shop.ts';

/** The shop with what MariaDB has beside tables and views. */
export const MARIADB_SQL = `${RESTRICTED_SQL}
CREATE ALGORITHM=TEMPTABLE VIEW v_temporary AS SELECT id, ssn AS code FROM users;
CREATE ALGORITHM=MERGE VIEW v_merged AS SELECT id, ssn AS code FROM users;
CREATE ALGORITHM=TEMPTABLE VIEW v_cities AS SELECT city, COUNT(*) AS people FROM users GROUP BY city;
CREATE SQL SECURITY DEFINER VIEW v_definer AS SELECT ssn AS code FROM users;
CREATE FUNCTION f_ssn(n INT) RETURNS TEXT READS SQL DATA RETURN (SELECT ssn FROM users WHERE id = n);
CREATE VIEW v_function AS SELECT f_ssn(1) AS code;
CREATE PROCEDURE p_ssn() SELECT ssn FROM users;
CREATE TABLE visits (id INT, day INT, note VARCHAR(40), ssn VARCHAR(40)) PARTITION BY HASH (day) PARTITIONS 2;
INSERT INTO visits VALUES (1, 1, 'first', 'S3CR3T-visit');
CREATE TABLE history (id INT, name TEXT, ssn TEXT) WITH SYSTEM VERSIONING;
INSERT INTO history VALUES (1, 'Ada', 'S3CR3T-history');
CREATE TABLE badges (ssn INT PRIMARY KEY, name VARCHAR(20) UNIQUE);
INSERT INTO badges VALUES (77701, 'Ada'), (77702, 'Ben');
CREATE TABLE imported (_rowid INT, n INT, sql_cache INT);
INSERT INTO imported VALUES (1, 1, 1);
CREATE TABLE stored (id INT PRIMARY KEY, ssn VARCHAR(40), name VARCHAR(20)) ENGINE=MyISAM;
INSERT INTO stored VALUES (1, 'S3CR3T-stored', 'Ada');
CREATE TABLE merged (id INT PRIMARY KEY, note VARCHAR(40), name VARCHAR(20)) ENGINE=MERGE UNION=(stored);
`;

/** Beside those for every engine. */
export const MARIADB_ALLOWED: readonly string[] = [
  'SELECT id, name FROM v_fine',
  'SELECT city, people FROM v_cities ORDER BY 2',
  'SELECT note FROM visits',
  'SELECT i._rowid FROM imported AS i',
  'SELECT name FROM history',
  'SELECT `name` FROM `users`',
  "SELECT name # a comment with 'ssn'\nFROM users",
  "SELECT name FROM users WHERE name <> 'a\\''",
  'SELECT CAST(name AS CHAR) FROM users',
  'SELECT GROUP_CONCAT(name ORDER BY id) FROM users',
];

export const MARIADB_HOSTILE: readonly string[] = [
  // Views, functions of users, partitions, versions
  'SELECT code FROM v_temporary',
  'SELECT code FROM v_merged',
  'SELECT code FROM v_definer',
  'SELECT code FROM v_function',
  'SELECT f_ssn(1)',
  'SELECT name, f_ssn(id) FROM users',
  'CALL p_ssn()',
  'SELECT ssn FROM visits PARTITION (p1)',
  'SELECT ssn FROM visits',
  'SELECT * FROM visits',
  'SELECT ssn FROM history FOR SYSTEM_TIME ALL',
  "SELECT id FROM history FOR SYSTEM_TIME AS OF '2020-06-01 00:00:00'",
  'SELECT * FROM history FOR SYSTEM_TIME ALL',
  'SELECT h.* FROM history FOR SYSTEM_TIME AS OF NOW() AS h',
  // Columns that relations have by themselves, and tables over others
  'SELECT sql_cache email FROM imported, users WHERE users.id = 1',
  'SELECT f_ssn (id) FROM users',
  "SELECT (SELECT _rowid FROM badges WHERE name = 'Ada') FROM (SELECT 1 AS _rowid) AS o",
  "SELECT (SELECT name FROM badges WHERE name = 'Ada' AND _rowid = 77701) FROM (SELECT id AS _rowid FROM orders) AS o",
  'SELECT (SELECT MAX(`_ROWID`) FROM badges) FROM (SELECT 1 AS _rowid) AS o',
  "SELECT (SELECT _rowid FROM badges WHERE name = 'Ada') FROM imported",
  'SELECT n FROM imported WHERE EXISTS (SELECT 1 FROM badges WHERE _rowid BETWEEN 1 AND 99999)',
  'SELECT (SELECT MAX(row_start) FROM history) FROM (SELECT id AS row_start FROM orders) AS o',
  'SELECT note FROM merged',
  // Catalogs
  'SELECT column_name FROM information_schema.columns',
  'SELECT TABLE_NAME FROM information_schema.TABLES',
  'SELECT VIEW_DEFINITION FROM information_schema.VIEWS',
  'SELECT ROUTINE_DEFINITION FROM information_schema.ROUTINES',
  'SELECT INFO FROM information_schema.PROCESSLIST',
  'SELECT * FROM information_schema.STATISTICS',
  'SELECT * FROM information_schema.COLUMN_STATISTICS',
  'SELECT * FROM information_schema.INNODB_SYS_TABLES',
  'SELECT * FROM `information_schema`.`columns`',
  'SELECT min_value FROM mysql.column_stats',
  'SELECT * FROM mysql.innodb_table_stats',
  'SELECT * FROM mysql.user',
  'SELECT DIGEST_TEXT FROM performance_schema.events_statements_history',
  'SHOW CREATE TABLE users',
  'SHOW COLUMNS FROM users',
  'SHOW FULL COLUMNS FROM salaries',
  'SHOW TABLES',
  'SHOW INDEX FROM users',
  'SHOW CREATE VIEW v_users',
  'SHOW FULL PROCESSLIST',
  'DESC users',
  'DESCRIBE users ssn',
  'DESCRIBE SELECT ssn FROM users',
  'EXPLAIN EXTENDED SELECT ssn FROM users',
  'EXPLAIN FORMAT=JSON SELECT ssn FROM users',
  'ANALYZE SELECT ssn FROM users',
  'ANALYZE FORMAT=JSON SELECT ssn FROM users',
  'CHECKSUM TABLE salaries',
  // Other statements
  'HANDLER users OPEN',
  'HANDLER users READ FIRST',
  "PREPARE s FROM 'SELECT ssn FROM users'",
  "EXECUTE IMMEDIATE 'SELECT ssn FROM users'",
  'SET @x = (SELECT ssn FROM users LIMIT 1)',
  'DO (SELECT ssn FROM users LIMIT 1)',
  'SELECT ssn INTO @x FROM users LIMIT 1',
  "SELECT ssn FROM users INTO OUTFILE '/tmp/x'",
  'SELECT @x := ssn FROM users',
  'SELECT name FROM users PROCEDURE ANALYSE()',
  'SELECT ssn FROM users LOCK IN SHARE MODE',
  'SELECT SQL_NO_CACHE ssn FROM users',
  'SELECT SQL_CALC_FOUND_ROWS ssn FROM users',
  'SELECT HIGH_PRIORITY ssn FROM users',
  'SELECT 1 FROM DUAL WHERE EXISTS (SELECT 1 FROM salaries)',
  'SELECT LOAD_FILE(ssn) FROM users',
  'VALUES ((SELECT ssn FROM users LIMIT 1))',
  'INSERT INTO numbers SELECT ssn FROM users',
  // Joins and names
  'SELECT ssn FROM (users, orders)',
  'SELECT users.name FROM users STRAIGHT_JOIN salaries',
  'SELECT o.id FROM orders o STRAIGHT_JOIN users u ON u.ssn > o.id',
  'SELECT name FROM { OJ users LEFT OUTER JOIN salaries ON users.id = salaries.user_id }',
  'SELECT * FROM users NATURAL RIGHT JOIN contacts',
  'SELECT `ssn` FROM `users`',
  'SELECT `users`.`ssn` FROM `users`',
  'SELECT users . ssn FROM users',
  'SELECT .ssn FROM users',
  'SELECT ssn FROM .users',
  'SELECT "ssn" FROM users WHERE "ssn" > 1',
  'SELECT \u017fsn FROM users',
  'SELECT \u015bsn FROM users',
  'SELECT \uff53\uff53\uff4e FROM users',
  'SELECT name FROM \u017fALARIES',
  'SELECT name\u00a0, ssn FROM users',
  // Where a parser may see another text than the server
  'SELECT name /*! , ssn */ FROM users',
  'SELECT name /*!50000 , ssn */ FROM users',
  'SELECT name /*M! , ssn */ FROM users',
  'SELECT name /*M!100000 , ssn */ FROM users',
  'SELECT /*! ssn, */ name FROM users',
  'SELECT name FROM users /*! UNION SELECT ssn FROM users */',
  'SELECT name FROM /*! salaries, */ users',
  'SELECT name # x\n, ssn FROM users',
  'SELECT name -- x\n, ssn FROM users',
  'SELECT 5--1, ssn FROM users',
  "SELECT '\\\\', ssn FROM users",
  "SELECT 'a\\'', ssn FROM users -- '",
  'SELECT "a\\"", ssn FROM users -- "',
  "SELECT 'a''', ssn FROM users",
  "SELECT N'a', ssn FROM users",
  "SELECT _utf8mb4'a', ssn FROM users",
  "SELECT x'61', ssn FROM users",
  'SELECT 0x61 ssn, ssn FROM users',
  'SELECT name, ssn/**/FROM/**/users',
  // Hidden and masked columns as an oracle, and errors with values
  'SELECT GROUP_CONCAT(ssn) FROM users',
  'SELECT GROUP_CONCAT(name ORDER BY ssn) FROM users',
  'SELECT GROUP_CONCAT(name ORDER BY email SEPARATOR ",") FROM users',
  'SELECT GROUP_CONCAT(name SEPARATOR "x" ORDER BY ssn) FROM users',
  'SELECT COUNT(DISTINCT email, name) FROM users',
  'SELECT COUNT(DISTINCT ssn) FROM users',
  'SELECT EXTRACTVALUE(1, CONCAT(0x7e, ssn)) FROM users',
  'SELECT UPDATEXML(1, CONCAT(0x7e, email), 1) FROM users',
  'SELECT JSON_OBJECT("a", ssn) FROM users',
  'SELECT JSON_ARRAYAGG(email) FROM users',
  "SELECT j.a FROM users, JSON_TABLE(ssn, '$[*]' COLUMNS (a TEXT PATH '$')) AS j",
  "SELECT name FROM users WHERE ssn RLIKE '^S'",
  "SELECT name FROM users WHERE email REGEXP '^S'",
  "SELECT name FROM users WHERE email SOUNDS LIKE 'S'",
  "SELECT name FROM users WHERE email <=> 'S3CR3T@a'",
  "SELECT name FROM users WHERE NOT (email <=> NULL) = (email > 'A')",
  'SELECT email + 0 FROM users',
  'SELECT CAST(email AS SIGNED) FROM users',
  'SELECT BINARY email FROM users',
  'SELECT name FROM users WHERE MATCH (ssn) AGAINST ("S3CR3T")',
  'SELECT name, IF(email > "A", SLEEP(1), 0) FROM users',
  'SELECT name FROM users WHERE IF(email > "A", 1, 0)',
  'SELECT ELT(1, email) FROM users',
  'SELECT name FROM users HAVING ssn > "A"',
  'SELECT name AS n FROM users HAVING email > "A"',
  'SELECT city, COUNT(*) FROM users GROUP BY city WITH ROLLUP HAVING MAX(ssn) > "A"',
  'SELECT COUNT(*) FROM users GROUP BY email WITH ROLLUP',
  'SELECT name FROM users ORDER BY FIELD(email, "S3CR3T@a")',
  'SELECT name, LEAD(email) OVER (ORDER BY id) FROM users',
  'SELECT name FROM users WHERE balance IN (777)',
  'SELECT name FROM users WHERE balance XOR 1',
  'SELECT name FROM users LIMIT 1 PROCEDURE ANALYSE(email)',
  'SELECT name FROM users WHERE (SELECT email) = "S3CR3T@a"',
  'SELECT (SELECT u.ssn) FROM users u',
  'SELECT x.c FROM users u, LATERAL (SELECT u.ssn AS c) x',
];
