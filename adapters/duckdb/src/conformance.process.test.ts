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
      plant: (statements) => writeDatabase(file, statements),
      dispose: async () => folder[Symbol.dispose](),
    };
  },
  ddl: (schema) => writeDdl(schema, duckdbDialect),
  lacks: {
    'division errors': 'a division by zero gives infinity or NULL',
    'writing beside readers': 'a process that may write has the file to itself',
  },
};

// A machine that is busy gets its time.
describeAdapter('duckdb', factory, { timeoutMs: 60_000 });
