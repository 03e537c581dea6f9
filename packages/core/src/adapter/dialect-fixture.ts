import type { Catalog } from '../catalog/catalog.ts';
import { catalogFixture, schemaFixture } from '../schema/schema-fixture.ts';
import type { AdapterSpec, ExecuteOptions, ResultColumn, ResultEvent } from './adapter-spec.ts';
import type { Dialect } from './dialect.ts';

/** For tests: a small dialect that folds to upper case, as Snowflake does. */
export const fixtureDialect: Dialect = {
  name: 'fixture',
  displayName: 'Fixture',
  identifiers: {
    quote: ['"', '"'],
    escape: 'double',
    unquotedFolding: 'upper',
    comparison: 'sensitive',
    plainPattern: '[A-Za-z_][A-Za-z0-9_]*',
    reservedWords: ['ORDER', 'SELECT'],
    qualifiers: ['database', 'schema'],
  },
  lexer: {
    lineComments: ['--'],
    blockComments: 'flat',
    stringQuotes: ["'"],
    backslashEscapes: false,
    dollarQuotes: false,
    identifierQuotes: [['"', '"']],
    parameterPrefixes: ['?'],
  },
  types: {
    native: { NUMERIC: 'NUMBER', TEXT: 'TEXT', DATETIME: 'TIMESTAMP', BINARY: 'BYTES', BOOL: 'BOOLEAN' },
    logical: [
      { pattern: 'number(\\(.*\\))?', type: 'NUMERIC' },
      { pattern: '.*(date|time).*', type: 'DATETIME' },
    ],
    fallback: 'TEXT',
  },
  ddl: { primaryKey: 'informational', foreignKey: 'informational', unique: 'informational', forwardReference: 'alter' },
  errors: [
    { vendorCode: '42S02', errorClass: 'identifier' },
    { vendorCode: '22000', pattern: 'overflow', errorClass: 'type' },
    { pattern: "object '(?<name>.+)' does not exist", errorClass: 'identifier' },
  ],
  hints: [],
  probes: {},
};

/** For tests: the same with backslashes, as BigQuery does. */
export const backslashDialect: Dialect = {
  ...fixtureDialect,
  identifiers: {
    ...fixtureDialect.identifiers,
    quote: ['`', '`'],
    escape: 'backslash',
    unquotedFolding: 'none',
    qualifiers: ['database', 'schema'],
  },
  lexer: { ...fixtureDialect.lexer, backslashEscapes: true },
};

export const fixtureCatalog: Catalog = catalogFixture(
  schemaFixture({ t: { attributes: ['id NUMERIC', 'a "name" TEXT'], key: ['id'] }, u: { attributes: ['x TEXT'] } }),
);

/** For tests: what an executor yields for one column of values. */
export function resultEvents(values: readonly unknown[], name = 'x'): ResultEvent[] {
  const columns: ResultColumn[] = [{ name, nativeType: 'TEXT', type: 'TEXT' }];
  return [
    { type: 'columns', columns },
    { type: 'rows', rows: values.map((value) => [value as string]) },
    { type: 'end' },
  ];
}

/** For tests: an adapter whose executor is a function from a statement to what it yields. */
export function fixtureSpec(
  execute: (sql: string, options: ExecuteOptions) => AsyncIterable<ResultEvent> | Iterable<ResultEvent>,
  parts: Partial<AdapterSpec> = {},
): AdapterSpec {
  return {
    contract: 1,
    dialect: fixtureDialect,
    name: 'fixture',
    access: 'read',
    executor: {
      async *execute(sql, options) {
        yield* execute(sql, options);
      },
    },
    introspector: { introspect: async () => fixtureCatalog },
    close: async () => undefined,
    ...parts,
  };
}
