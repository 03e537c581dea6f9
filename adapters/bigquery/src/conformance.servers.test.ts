import { bigqueryDialect, writeDdl } from '@askema/dialects';
import { type AdapterFactory, describeAdapter } from '@askema/testkit';
import { afterAll, beforeAll } from 'vitest';
import { bigquery } from './bigquery.ts';
import { type BigQueryLocal, startBigQueryLocal } from './test-support/bigquery-local.ts';

let server: BigQueryLocal;
beforeAll(async () => {
  server = await startBigQueryLocal();
}, 120_000);
afterAll(() => server?.stop());

let made = 0;

const factory: AdapterFactory = {
  async load(fixture) {
    made += 1;
    const projectId = `test-${fixture.name}-${made}`;
    const dataset = fixture.name;
    // To make each of 500 tables takes a twelfth of a second. So many, and a thousand shards, are read in the unit tests of the introspector.
    await server.load(
      projectId,
      dataset,
      fixture.name === 'many' ? { ...fixture, tables: fixture.tables.slice(0, 40) } : fixture,
    );
    return {
      location: { database: projectId, schema: dataset },
      open: (access) =>
        bigquery({
          projectId,
          // The fixture of two schemas has both read.
          ...(fixture.schemas === undefined ? { datasets: [dataset] } : {}),
          apiEndpoint: server.url,
          access,
          metadata: 'rest',
          // So that results come in many pages, each of which takes a while.
          pageRows: 20,
        }),
      state: () => server.state(projectId),
      dispose: () => server.remove(projectId),
    };
  },
  ddl: (schema) => writeDdl(schema, bigqueryDialect),
  lacks: {
    'free names': 'names of tables have no dots and quotes, those of columns no brackets and slashes',
    returning: 'INSERT, UPDATE and DELETE give no rows',
    'unfinished results': 'rows can be read when the job has ended',
    'parallel statements': 'the stand-in runs one at a time',
  },
};

/** Each is a gap of bigquery-local 0.7.1 (servers/README.md), or what BigQuery itself has not. */
const NO_KEYS = 'the stand-in forgets the keys of a table';
const ERRORS = 'the stand-in gives messages of DuckDB, with the reason `invalid`';
const POSITIONAL = 'the stand-in refuses parameters by position';
const DECIMALS = 'the stand-in reads NUMERIC and BIGNUMERIC as numbers of DuckDB with other digits';
const NEVER_FAILS = 'BigQuery enforces no keys, and the stand-in no required columns';

describeAdapter('bigquery', factory, {
  expectedFailures: {
    'catalog-primary-keys': NO_KEYS,
    'catalog-foreign-keys': NO_KEYS,
    'catalog-schemas': NO_KEYS,
    explore: NO_KEYS,
    'catalog-unique-keys': 'BigQuery has no UNIQUE',
    'catalog-row-counts': 'the stand-in counts no rows in tables.get',
    'catalog-many-tables': 'the stand-in takes most of a minute to make 500 tables',
    'ddl-accepted': 'the stand-in does not parse NOT ENFORCED; ZetaSQL takes the same DDL',
    'write-schema': 'the stand-in does not parse NOT ENFORCED; ZetaSQL takes the same DDL',
    'values-floats': 'the stand-in writes 1e-300.0 for 1e-300, and 0.0 for the greatest number',
    'values-text-nul': 'the stand-in cuts the statement at the character that \\x00 stands for',
    'values-decimals': DECIMALS,
    'values-decimal-fractions': DECIMALS,
    'values-decimal-whole': DECIMALS,
    'values-duplicate-columns': 'the stand-in keeps rows by the names of their columns',
    'values-zoned-timestamp': 'the stand-in gives a DATETIME for CAST(… AS TIMESTAMP)',
    'parameters-by-position': POSITIONAL,
    'parameters-hostile-text': POSITIONAL,
    'parameters-exact': POSITIONAL,
    'probes-values': POSITIONAL,
    'error-table': ERRORS,
    'error-column': ERRORS,
    'error-nearest-names': ERRORS,
    'error-position': ERRORS,
    'error-position-unicode': ERRORS,
    'error-function': ERRORS,
    'functions-lacking': ERRORS,
    'error-type': ERRORS,
    'error-division': 'the stand-in gives NULL for a division by zero',
    'error-while-streaming': 'the stand-in gives NULL for a division by zero',
    'write-counts-rows': 'the stand-in gives no numDmlAffectedRows',
    'write-fails-whole': NEVER_FAILS,
    'write-stopped-whole': 'the stand-in gives no numDmlAffectedRows',
  },
  timeoutMs: 60_000,
});
