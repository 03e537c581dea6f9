/** How long reading a schema takes. Usage: npm run -s introspection --prefix bench [-- --quick] */
import type { Absent, Bench, Contender, Work } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { startPostgres } from './harness/postgres-server.ts';

const inSqlite = () => import('./introspection/sqlite-contenders.ts');
const inPostgres = () => import('./introspection/postgres-contenders.ts');
const pull = () => import('./introspection/drizzle-kit.ts');
const SIZES = { name: 'tables', values: [100, 1_000, 10_000], quick: [50, 100] };

/** What works on the database of the started server. */
function onServer(work: (address: string, tables: number) => Work | Promise<Work>): Contender['prepare'] {
  return async (tables): Promise<Work | Absent> => {
    const address = await (await inPostgres()).postgresAddress(tables);
    return address === undefined ? { absent: 'no PostgreSQL server is installed' } : work(address, tables);
  };
}

export const bench: Bench = {
  id: 'introspection',
  title: 'Introspection',
  about:
    'Tables of 8 columns with a key, a unique constraint over two columns and a foreign key. askema reads all of it, with comments, views and what it could not read, and makes a checked catalog with a fingerprint; `raw statements` ask for columns, keys and references only and group the rows: that is the limit. [kysely](https://www.npmjs.com/package/kysely) (`introspection.getTables`) and [knex](https://www.npmjs.com/package/knex) (`columnInfo` of each table) read columns without keys; [drizzle-kit](https://www.npmjs.com/package/drizzle-kit) has its command `pull` only, which starts a process and writes a file.',
  peers: ['kysely', 'knex', 'drizzle-kit', 'better-sqlite3', 'pg'],
  start: startPostgres,
  versions: async () => {
    const { serverVersion } = await inPostgres();
    return { PostgreSQL: await serverVersion() };
  },
  parts: [
    {
      kind: 'comparison',
      id: 'sqlite',
      title: 'SQLite',
      about: 'askema reads in a worker process, which can be killed at a deadline; its rows travel between processes.',
      size: SIZES,
      peer: 'kysely',
      perUnit: true,
      contenders: [
        { name: 'askema', own: true, prepare: async (tables) => (await inSqlite()).askema(tables, 0) },
        { name: 'askema, rows counted', prepare: async (tables) => (await inSqlite()).askema(tables, undefined) },
        { name: 'raw statements', prepare: async (tables) => (await inSqlite()).rawStatements(tables) },
        { name: 'kysely', prepare: async (tables) => (await inSqlite()).kysely(tables) },
        { name: 'knex', prepare: async (tables) => (await inSqlite()).knex(tables) },
        {
          name: 'drizzle-kit pull',
          slow: true,
          prepare: async (tables) =>
            (await pull()).drizzleKitPull('sqlite', await (await inSqlite()).sqliteFile(tables), tables),
        },
      ],
    },
    {
      kind: 'comparison',
      id: 'postgres',
      title: 'PostgreSQL',
      about: 'A server on the same machine; all contenders have one connection open before.',
      size: SIZES,
      peer: 'kysely',
      perUnit: true,
      contenders: [
        {
          name: 'askema',
          own: true,
          prepare: onServer(async (at, tables) => (await inPostgres()).askema(at, tables, 0)),
        },
        {
          name: 'askema, rows counted',
          prepare: onServer(async (at, tables) => (await inPostgres()).askema(at, tables, undefined)),
        },
        {
          name: 'raw statements',
          prepare: onServer(async (at, tables) => (await inPostgres()).rawStatements(at, tables)),
        },
        { name: 'kysely', prepare: onServer(async (at, tables) => (await inPostgres()).kysely(at, tables)) },
        { name: 'knex', slow: true, prepare: onServer(async (at, tables) => (await inPostgres()).knex(at, tables)) },
        {
          name: 'drizzle-kit pull',
          slow: true,
          prepare: onServer(async (at, tables) => (await pull()).drizzleKitPull('postgresql', at, tables)),
        },
      ],
    },
  ],
  notes: [],
};

await main(import.meta.url, bench);
