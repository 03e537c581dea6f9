import type { RelationKind } from '@askema/core';

/**
 * What an adapter knows of servers of MySQL and MariaDB beside their SQL, as data. Sources, where none stands with a
 * field: https://dev.mysql.com/doc/refman/8.4/en (information-schema, sql-mode, privileges-provided), and tried on
 * MariaDB 10.11.
 */
export interface MysqlServer {
  /** Databases that come with the server. */
  readonly systemSchemas: readonly string[];
  /** Modes in which quotes, backslashes or operators mean something else than the dialect's lexer takes them for. */
  readonly otherSyntaxModes: readonly string[];
  /** What a relation is by its `TABLE_TYPE`; sequences are no relations. */
  readonly relationKinds: Readonly<Record<string, RelationKind>>;
  /**
   * Engines that keep the rows of a table themselves, in lower case. A table of any other may show those of other tables
   * (MERGE, SPIDER, CONNECT, FEDERATED): https://mariadb.com/kb/en/storage-engines/.
   */
  readonly ownRowsEngines: readonly string[];
  /** Relations that do something when they are read: they set counters to 0, or run code of files. */
  readonly actingRelations: readonly { readonly schema: string; readonly name: string; readonly call: string }[];
  /** Relations of information_schema that open every view to tell of it; each of MariaDB 10.11 was tried. */
  readonly openingRelations: readonly string[];
  /** A view of `sys` on one of them. */
  readonly openingViewOfSys: string;
  /**
   * Functions of geometries, which MariaDB has and information_schema does not tell, as a regular expression source over
   * the whole name in upper case. The others go down collections within collections and do not look at their stack:
   * 1,000,000 of them in a text end MariaDB 10.11 (each function was tried).
   */
  readonly untoldFunctions: string;
  /** Privileges that only let their user read. */
  readonly readingPrivileges: readonly string[];
  /** What some privileges come to, beyond what their names say: verb phrases. */
  readonly powers: Readonly<Record<string, string>>;
  /**
   * What errors are about that are not about the statement itself, by their numbers
   * (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html and MariaDB's error-codes).
   */
  readonly errorKinds: Readonly<Record<number, 'timed out' | 'read-only' | 'locked' | 'busy' | 'role'>>;
  /** Numbers of errors by which another session has ended the statement, or the connection. */
  readonly interruptions: readonly number[];
  /**
   * The types of columns of results by the number that the protocol has for them; types of text are of bytes where the
   * character set is that of bytes:
   * https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html
   */
  readonly wireTypes: Readonly<Record<number, string>>;
  /** Flags of such a column. */
  readonly columnFlags: { readonly unsigned: number; readonly enum: number; readonly set: number };
  /** The number of the character set of bytes. */
  readonly bytesCharacterSet: number;
}

/** Types of results from the number 0 on, and those from 245 on; a vector is 242. */
const FIRST_TYPES =
  'decimal tinyint smallint int float double null timestamp bigint mediumint date time datetime year date varchar bit'.split(
    ' ',
  );
const LAST_TYPES = 'json decimal enum set tinytext mediumtext longtext text varchar char geometry'.split(' ');
const LAST_FROM = 245;

/** See {@link MysqlServer}. */
export const mysqlServer: MysqlServer = {
  systemSchemas: ['information_schema', 'mysql', 'performance_schema', 'sys'],
  otherSyntaxModes:
    'ANSI ANSI_QUOTES DB2 IGNORE_SPACE MAXDB MSSQL NO_BACKSLASH_ESCAPES ORACLE PIPES_AS_CONCAT POSTGRESQL'.split(' '),
  relationKinds: {
    'BASE TABLE': 'table',
    'SYSTEM VERSIONED': 'table',
    VIEW: 'view',
    'SYSTEM VIEW': 'view',
  },
  ownRowsEngines: 'innodb myisam aria memory archive csv blackhole rocksdb columnstore tokudb ndbcluster'.split(' '),
  actingRelations: [
    { schema: 'information_schema', name: 'innodb_cmp_reset', call: 'resets counters of the server' },
    { schema: 'information_schema', name: 'innodb_cmpmem_reset', call: 'resets counters of the server' },
    { schema: 'information_schema', name: 'innodb_cmp_per_index_reset', call: 'resets counters of the server' },
    { schema: 'information_schema', name: 'all_plugins', call: 'loads every library of the folder of plugins' },
  ],
  openingRelations: ['columns', 'tables', 'views', 'geometry_columns'],
  openingViewOfSys: 'schema_auto_increment_columns',
  untoldFunctions:
    '(ST_)?(AS(BINARY|WKB)|CENTROID|ENDPOINT|EXTERIORRING|GEOMETRYTYPE|INTERIORRINGN|IS(EMPTY|RING)|NUM(GEOMETRIES|INTERIORRINGS|POINTS)|POINTN|SRID|STARTPOINT|X|Y|DISTANCE_SPHERE|(GEOM|(M|MULTI)?(LINE|POINT|POLY))\\w*FROM(TEXT|WKB|GEOJSON))|(MULTI)?(LINESTRING|POINT|POLYGON)|GEOMETRYCOLLECTION',
  readingPrivileges: ['USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES'],
  powers: {
    FILE: 'read and write files of the server',
    SUPER: 'change settings of the server and end the statements of others',
    PROCESS: 'see the statements of other users',
    EXECUTE: 'run procedures and functions, with the rights of those who made them',
    RELOAD: 'close tables and lock the server',
  },
  errorKinds: {
    1040: 'busy',
    1053: 'busy',
    1203: 'busy',
    1205: 'locked',
    1213: 'locked',
    1290: 'read-only',
    1792: 'read-only',
    1836: 'read-only',
    1959: 'role',
    1969: 'timed out',
    3024: 'timed out',
    3530: 'role',
    3572: 'locked',
  },
  interruptions: [1317, 1927],
  wireTypes: Object.fromEntries([
    ...FIRST_TYPES.entries(),
    ...LAST_TYPES.map((name, at) => [LAST_FROM + at, name]),
    [242, 'vector'],
  ]),
  columnFlags: { unsigned: 32, enum: 256, set: 2048 },
  bytesCharacterSet: 63,
};
