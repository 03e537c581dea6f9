import {
  buildCatalog,
  castType,
  classifyError,
  DATA_TYPES,
  type ErrorClass,
  indexSchema,
  logicalType,
  quoteIdentifier,
  quoteIfNeeded,
  quoteString,
  validateSchema,
} from '@askema/core';
import { lexSql, readOnlyText } from '@askema/sql';
import { describe, expect, it } from 'vitest';
import { writeDdl } from '../ddl/write-ddl.ts';
import { itIsData } from '../engine-suite.ts';
import { sqliteDialect } from '../sqlite/sqlite.ts';
import { mariadbDialect } from './mariadb.ts';
import { mysqlDialect } from './mysql.ts';

const { lexer } = mysqlDialect;

describe('errors of MySQL', () => {
  it.each<[string, string, string, ErrorClass, string | undefined]>([
    ['ER_BAD_FIELD_ERROR', '1054', "Unknown column 'c.nam' in 'field list'", 'identifier', 'c.nam'],
    ['ER_NO_SUCH_TABLE', '1146', "Table 'shop.custmers' doesn't exist", 'identifier', 'shop.custmers'],
    ['ER_NON_UNIQ_ERROR', '1052', "Column 'name' in field list is ambiguous", 'identifier', 'name'],
    ['ER_SP_DOES_NOT_EXIST', '1305', 'FUNCTION shop.DATE_TRUNC does not exist', 'function', 'DATE_TRUNC'],
    [
      'ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT',
      '1582',
      "Incorrect parameter count in the call to native function 'LOWER'",
      'function',
      'LOWER',
    ],
    ['ER_INVALID_GROUP_FUNC_USE', '1111', 'Invalid use of group function', 'function', undefined],
    [
      'ER_PARSE_ERROR',
      '1064',
      "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'FROM customers' at line 1",
      'syntax',
      'FROM',
    ],
    ['ER_SP_DOES_NOT_EXIST', '1305', 'FUNCTION median does not exist', 'function', 'median'],
    ['ER_EMPTY_QUERY', '1065', 'Query was empty', 'syntax', undefined],
    ['ER_SUBQUERY_NO_1_ROW', '1242', 'Subquery returns more than 1 row', 'syntax', undefined],
    ['ER_TRUNCATED_WRONG_VALUE', '1292', "Incorrect DATE value: 'x'", 'type', undefined],
    ['ER_DUP_ENTRY', '1062', "Duplicate entry '1' for key 'customers.PRIMARY'", 'constraint', 'customers.PRIMARY'],
    ['ER_BAD_NULL_ERROR', '1048', "Column 'name' cannot be null", 'constraint', 'name'],
    [
      'ER_NO_REFERENCED_ROW_2',
      '1452',
      'Cannot add or update a child row: a foreign key constraint fails (`shop`.`orders`, CONSTRAINT `orders_ibfk_1` FOREIGN KEY (`customer`) REFERENCES `customers` (`id`))',
      'constraint',
      'orders_ibfk_1',
    ],
    [
      'ER_TABLEACCESS_DENIED_ERROR',
      '1142',
      "DELETE command denied to user 'x'@'y' for table 't'",
      'permission',
      undefined,
    ],
    [
      'ER_QUERY_TIMEOUT',
      '3024',
      'Query execution was interrupted, maximum statement execution time exceeded',
      'timeout',
      undefined,
    ],
    ['ER_CON_COUNT_ERROR', '1040', 'Too many connections', 'other', undefined],
  ])('%s (%s) %j is %s', (symbol, number, message, errorClass, name) => {
    const expected = name === undefined ? { errorClass } : { errorClass, name };
    expect(classifyError(mysqlDialect, { vendorCode: symbol, message })).toEqual(expected);
    expect(classifyError(mysqlDialect, { vendorCode: number, message })).toEqual(expected);
  });
});

describe('MySQL as data', () => {
  itIsData(mysqlDialect);

  it('reads back the types that it writes, in keys too', () => {
    const { native, nativeInKey, nativeInWideKey } = mysqlDialect.types;
    for (const types of [native, nativeInKey ?? {}, nativeInWideKey?.native ?? {}])
      for (const [type, text] of Object.entries(types)) expect(logicalType(text, mysqlDialect)).toBe(type);
  });

  it.each([
    ['tinyint(1)', 'BOOL'],
    ['tinyint(4)', 'NUMERIC'],
    ['int unsigned', 'NUMERIC'],
    ['decimal(10,2)', 'NUMERIC'],
    ['double', 'NUMERIC'],
    ['year', 'NUMERIC'],
    ['datetime(6)', 'DATETIME'],
    ['timestamp', 'DATETIME'],
    ['varbinary(16)', 'BINARY'],
    ['longblob', 'BINARY'],
    ['bit(8)', 'BINARY'],
    ['point', 'BINARY'],
    ['multipolygon', 'BINARY'],
    ['longtext', 'TEXT'],
    ["enum('a','b')", 'TEXT'],
    ['json', 'TEXT'],
  ])('%j is %s', (native, type) => {
    expect(logicalType(native, mysqlDialect)).toBe(type);
  });

  it('writes types of CREATE TABLE that hold what they must, and casts to what CAST knows', () => {
    expect(mysqlDialect.types.native.TEXT).toBe('LONGTEXT');
    // https://dev.mysql.com/doc/refman/8.4/en/cast-functions.html#function_cast: the types of CAST.
    const known = /^(BINARY|CHAR|DATE|DATETIME|DECIMAL|DOUBLE|FLOAT|JSON|NCHAR|REAL|SIGNED|TIME|UNSIGNED|YEAR)\b/;
    for (const type of [...DATA_TYPES, 'FLOAT'] as const) expect(castType(type, mysqlDialect)).toMatch(known);
  });

  it('has relations that compare with case and attributes that compare without', () => {
    const catalog = buildCatalog({
      dialect: mysqlDialect,
      name: 'shop',
      relations: ['Foo', 'foo'].map((relation) => ({
        nameParts: { schema: 'shop', relation },
        kind: 'table',
        attributes: [{ name: 'Id', nativeType: 'int', notNull: true }],
        primaryKey: ['ID'],
      })),
    });
    expect(catalog.schema.relations.map(({ name }) => name)).toEqual(['Foo', 'foo']);
    expect(validateSchema(catalog)).toEqual([]);
    const index = indexSchema(catalog);
    expect(index.relationsNamed('foo').map(({ name }) => name)).toEqual(['foo']);
    const [foo] = index.relationsNamed('Foo');
    expect(index.attributeNamed(foo?.id ?? '', 'iD')?.name).toBe('Id');
    expect(writeDdl(catalog, mysqlDialect)).toContain('CREATE TABLE shop.Foo (');
    expect(() => writeDdl(catalog, sqliteDialect)).toThrow(/both be called|called `foo`/);
  });

  it('quotes by its rules', () => {
    expect(quoteIdentifier('a`b"', mysqlDialect)).toBe('`a``b"`');
    expect(quoteIfNeeded('rank', mysqlDialect)).toBe('`rank`');
    expect(quoteIfNeeded('status', mysqlDialect)).toBe('status');
    expect(quoteString("it's \\", mysqlDialect)).toBe("'it\\'s \\\\'");
  });
});

describe('MariaDB as data', () => {
  itIsData(mariadbDialect);

  it.each<[string, string, ErrorClass, string | undefined]>([
    ['1969', 'Query execution was interrupted (max_statement_time exceeded)', 'timeout', undefined],
    ['4025', 'CONSTRAINT `positive` failed for `shop`.`product`', 'constraint', 'positive'],
    ['1054', "Unknown column 'c.nam' in 'SELECT'", 'identifier', 'c.nam'],
  ])('error %s %j is %s', (vendorCode, message, errorClass, name) => {
    expect(classifyError(mariadbDialect, { vendorCode, message })).toEqual(
      name === undefined ? { errorClass } : { errorClass, name },
    );
  });

  it('advises nothing that MariaDB lacks, and warns of nothing that it has', () => {
    const { hints, foreignFunctions = {}, foreignSyntax = {} } = mariadbDialect;
    expect(hints.join('\n')).not.toMatch(/column->|is determined by it/);
    expect(Object.keys(foreignFunctions)).not.toContain('NVL');
    expect(Object.values(foreignFunctions).join()).not.toMatch(/REGEXP_LIKE/);
    expect(Object.keys(foreignSyntax)).not.toContain('fetch');
    expect(quoteIfNeeded('offset', mariadbDialect)).toBe('`offset`');
  });
});

describe('text of MySQL', () => {
  const kinds = (sql: string): string[] => [...lexSql(sql, lexer)].map(({ kind, text }) => `${kind} ${text}`);

  it('has comments only where white space follows the two dashes', () => {
    expect(kinds('5--3')).toEqual(['number 5', 'operator -', 'operator -', 'number 3']);
    expect(kinds('5 -- 3')).toContain('comment -- 3');
    expect(kinds('1 --\n2 # x')).toEqual([
      'number 1',
      'blank  ',
      'comment --',
      'blank \n',
      'number 2',
      'blank  ',
      'comment # x',
    ]);
  });

  it('has strings in double quotes, names in backticks, and backslashes that escape', () => {
    expect(kinds(`"a\\"b" \`x\`\`y\` 'it''s'`).filter((kind) => !kind.startsWith('blank'))).toEqual([
      'string "a\\"b"',
      'quotedName `x``y`',
      "string 'it''s'",
    ]);
  });

  it.each([
    'SELECT 1 /*!50000 INTO OUTFILE "x" */',
    '/*! DELETE FROM t */',
    '/*M! DELETE FROM t */',
    'SELECT /*!40001 SLEEP(10) */',
    'SELECT GET_LOCK("x", 1)',
    "SELECT LOAD_FILE('/etc/passwd')",
    'SELECT 1 -- x\r; DELETE FROM t',
    'REPLACE INTO t VALUES (1)',
    'DO SLEEP(1)',
    'HANDLER t OPEN',
    'LOAD DATA INFILE "x" INTO TABLE t',
    "SELECT 1 /*!999999 ' */ INTO OUTFILE 'x' -- '",
    'SELECT /*M! 1 */',
    'SELECT * FROM t LOCK IN SHARE MODE',
    'SELECT * FROM t LIMIT ROWS EXAMINED 5',
    'SELECT * FROM (SELECT * FROM t LIMIT 9 OFFSET 1 rows/**/examined ?) AS s',
    'SELECT NEXTVAL(s)',
    'SELECT keyring_key_remove("x")',
  ])('is not read-only: %s', (sql) => {
    expect(readOnlyText(sql, lexer).ok).toBe(false);
  });

  it.each([
    'SELECT "a" FROM `t` /* x */ WHERE a = @x',
    'SHOW TABLES',
    'DESC t',
    'TABLE t',
    'SELECT 1 -- x',
    'SELECT `rows` examined FROM t',
  ])('is read-only: %s', (sql) => {
    expect(readOnlyText(sql, lexer)).toEqual({ ok: true });
  });
});
