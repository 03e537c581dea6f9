import type { HostileStatements } from './hostile-statement.ts';

/** Attacks in the SQL that most engines share, on the shop fixture. */
export const STANDARD_STATEMENTS: HostileStatements = {
  changes: {
    file: {
      'plain insert': "INSERT INTO coupon VALUES ('X', 1)",
      'plain update': 'UPDATE customer SET active = NULL',
      'plain delete': 'DELETE FROM shipment',
      'plain drop': 'DROP TABLE coupon',
      'plain create': 'CREATE TABLE hacked (id INTEGER)',
      'create table as a query': 'CREATE TABLE hacked AS SELECT * FROM customer',
      'create view': 'CREATE VIEW hacked AS SELECT 1 AS one',
      'create index': 'CREATE INDEX hacked ON customer (name)',
      'alter table': 'ALTER TABLE customer ADD COLUMN hacked INTEGER',
      'rename a table': 'ALTER TABLE coupon RENAME TO hacked',
      'insert from a query': 'INSERT INTO coupon SELECT name, id FROM customer',
      'write behind a block comment': '/* SELECT 1 */ DELETE FROM shipment',
      'leave the transaction of the guard, then write': 'COMMIT; DELETE FROM shipment; SELECT 1',
    },
  },
  disguises: {
    file: {
      'mixed case': 'dElEtE fRoM shipment',
      'write behind a WITH clause': 'WITH one AS (SELECT 1 AS n) DELETE FROM shipment WHERE id IN (SELECT n FROM one)',
      'update behind a WITH clause':
        "WITH c AS (SELECT id FROM customer) UPDATE customer SET name = 'x' WHERE id IN (SELECT id FROM c)",
      'insert behind a recursive WITH clause':
        'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) INSERT INTO coupon SELECT CAST(x AS CHAR(3)), x FROM n',
      'write behind a line comment': '-- SELECT 1\nDELETE FROM shipment',
      'write between comments': '/*a*/DELETE/*b*/FROM/*c*/shipment--d',
      'comment that ends at a line break in a string': "DELETE FROM shipment WHERE 'a\n--' <> 'b'",
      'second statement': 'SELECT 1; DELETE FROM shipment',
      'second statement behind a comment': 'SELECT 1; -- fine\nDELETE FROM shipment',
      'second statement behind a quoted semicolon': "SELECT ';' AS s; DELETE FROM shipment",
      'second statement with an unclosed comment behind it': 'SELECT 1; DELETE FROM shipment; /*',
      'statement behind an empty one': ';DELETE FROM shipment',
      'third statement': 'SELECT 1; SELECT 2; DROP TABLE coupon',
      'line ends of other systems': 'SELECT 1;\r\nDELETE FROM shipment\r\n',
    },
  },
  session: {
    connection: {
      'begin a transaction': 'BEGIN',
      'end the transaction of the guard': 'COMMIT',
      'roll back the transaction of the guard': 'ROLLBACK',
      savepoint: 'SAVEPOINT hacked',
    },
  },
};
