import { duckdbDialect, writeDdl } from '@askema/dialects';
import { type AdapterFactory, describeAdapter } from '@askema/testkit';
import { duckdb } from './index.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';
import { fixtureStatements, writeDatabase } from './test-support/write-database.ts';

const factory: AdapterFactory = {
  async load(fixture) {
    const folder = temporaryFolder();
    const file = folder.file(`${fixture.name}.duckdb`);
    await writeDatabase(file, fixtureStatements(fixture));
    return {
      folder: folder.path,
      open: (access) => duckdb({ file, access }),
      state: async () => stateOf(file, folder.path),
      dispose: async () => folder[Symbol.dispose](),
    };
  },
  statements: {
    namedPlaceholder: (name) => `$${name}`,
    // A recursive query takes its time for each of many rows.
    rows: (count) => `SELECT range AS x FROM range(1, ${count + 1})`,
    failingRows: (count) => `SELECT ${2n ** 63n - 1n - BigInt(count)} + range AS x FROM range(1, ${count + 1_000})`,
  },
  ddl: (schema) => writeDdl(schema, duckdbDialect),
  lacks: { 'division errors': 'a division by zero gives infinity or NULL' },
};

describeAdapter('duckdb', factory);
