import { sqliteDialect, writeDdl } from '@askema/dialects';
import { type AdapterFactory, describeAdapter, fixtureCatalog } from '@askema/testkit';
import Database from 'better-sqlite3';
import { sqlite } from './sqlite.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';
import { writeFixture } from './test-support/write-fixture.ts';

const factory: AdapterFactory = {
  async load(fixture) {
    const folder = temporaryFolder();
    const file = folder.file(`${fixture.name}.sqlite`);
    writeFixture(file, { ...fixture, catalog: fixtureCatalog(fixture) });
    return {
      folder: folder.path,
      open: (access) => sqlite({ file, access }),
      state: async () => stateOf(file, folder.path),
      async plant(statements) {
        const database = new Database(file);
        database.unsafeMode(true);
        for (const sql of statements) database.exec(sql);
        database.close();
      },
      dispose: async () => folder[Symbol.dispose](),
    };
  },
  ddl: (schema) => writeDdl(schema, sqliteDialect),
  lacks: {
    decimals: 'numbers are 64-bit integers or doubles',
    nan: 'it stores NULL for NaN',
    'table comments': 'only what stands inside of the brackets of CREATE TABLE is kept',
    'nested types': 'JSON is text',
    'nested fields': 'JSON is text',
    schemas: 'a file is one schema',
    'temporal types': 'dates and times are text or numbers',
    'zoned timestamps': 'dates and times are text or numbers',
    'strict types': 'what is no number counts as 0',
    'division errors': 'a division by zero is NULL',
  },
};

describeAdapter('sqlite', factory);
