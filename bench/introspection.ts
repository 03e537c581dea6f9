/** How long reading a schema takes. Usage: npm run -s introspection --prefix bench [-- --quick] */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Absent, Bench, Contender, Work } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { startPostgres } from './harness/postgres-server.ts';

const inSqlite = () => import('./introspection/sqlite-contenders.ts');
const inPostgres = () => import('./introspection/postgres-contenders.ts');
const pull = () => import('./introspection/drizzle-kit.ts');
const SLOW = 'not tried: one pass takes more than 10 s';
const SIZES = { name: 'tables', values: [100, 1_000, 10_000], quick: [50, 100] };

/** Says what takes a while before the first contender runs. */
async function made(engine: string, sizes: readonly number[], make: () => Promise<unknown>): Promise<void> {
  const before = performance.now();
  process.stderr.write(`${engine}: making databases of ${sizes.join(', ')} tables …\n`);
  await make();
  process.stderr.write(`${engine}: made in ${((performance.now() - before) / 1_000).toFixed(1)} s\n`);
}

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
    'Tables of 8 columns with a key, a unique constraint over two columns and a foreign key. askema reads all of it, and also comments, views and what it could not read. It makes a checked catalog with a fingerprint. `raw statements` ask only for columns, keys and references and group the rows: nothing can be much faster. [kysely](https://www.npmjs.com/package/kysely) (`introspection.getTables`) and [knex](https://www.npmjs.com/package/knex) (`columnInfo` of each table) read columns without keys. [drizzle-kit](https://www.npmjs.com/package/drizzle-kit) has only its command `pull`, which starts a process and writes a file.',
  peers: ['kysely', 'knex', 'drizzle-kit', 'better-sqlite3', 'pg'],
  start: async ({ quick }) => {
    // Neither the server nor the databases are on the clock of a contender.
    const started = await startPostgres();
    if ('environment' in started) Object.assign(process.env, started.environment);
    const sizes = quick ? SIZES.quick : SIZES.values;
    await Promise.all([
      made('SQLite', sizes, () =>
        once(new Worker(new URL('./introspection/make-files.ts', import.meta.url), { workerData: sizes }), 'exit'),
      ),
      'environment' in started
        ? made('PostgreSQL', sizes, async () => {
            const { postgresAddress } = await inPostgres();
            for (const tables of sizes) await postgresAddress(tables);
          })
        : undefined,
    ]);
    return started;
  },
  versions: async () => {
    const { serverVersion } = await inPostgres();
    return { PostgreSQL: await serverVersion() };
  },
  parts: [
    {
      kind: 'comparison',
      id: 'sqlite',
      title: 'SQLite',
      about:
        'askema reads in a worker process, which can be killed at a deadline. The rows travel between the processes.',
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
          most: { size: 100, why: 'not tried: several seconds for each pass' },
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
      about: 'A server on the same machine. Each contender has opened its connection before.',
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
          slow: true,
          prepare: onServer(async (at, tables) => (await inPostgres()).askema(at, tables, undefined)),
        },
        {
          name: 'raw statements',
          prepare: onServer(async (at, tables) => (await inPostgres()).rawStatements(at, tables)),
        },
        { name: 'kysely', prepare: onServer(async (at, tables) => (await inPostgres()).kysely(at, tables)) },
        {
          name: 'knex',
          most: { size: 1_000, why: SLOW },
          slow: true,
          prepare: onServer(async (at, tables) => (await inPostgres()).knex(at, tables)),
        },
        {
          name: 'drizzle-kit pull',
          most: { size: 100, why: SLOW },
          slow: true,
          prepare: onServer(async (at, tables) => (await pull()).drizzleKitPull('postgresql', at, tables)),
        },
      ],
    },
  ],
  notes: [
    'Compared with the raw statements, askema pays for the catalog: ids, types, families, gaps, and a fingerprint over all of it. In SQLite it also pays for a process that can be killed. Compared with kysely, it also reads keys, unique constraints, defaults, CHECK texts and comments. The number of statements does not depend on the number of tables. knex needs one statement for each table; drizzle-kit needs several, and a process.',
    'In SQLite the pragma functions of the engine take about a quarter of the time at 1,000 and 10,000 tables; the raw statements call them as well. Making the catalog takes three fifths: the fingerprint about a fifth of the whole, the texts of CREATE TABLE a tenth or less. The way between the processes takes about an eighth. The two processes do not work at the same time: the catalog begins when all rows are there. The time for one table grows somewhat with the number of tables, in kysely and the raw statements too. We did not find out why.',
    "In PostgreSQL askema reads what the raw statements read, and also comments, CHECK texts, enumerations, domains, partitions, privileges and sizes. It sends eight statements in one round trip, then one for the types (once for each distinct type, not for each column), one for the sizes, and two that begin and end the transaction. For 10,000 tables the server works for about 400 ms, and for the raw statements about 200 ms. Half of the 400 ms go to the sizes: the server asks the file system about up to twelve files of each table, 19 µs in all. No peer asks for sizes. The server does this while the client builds the catalog, which saves time where a second core is free. Of the client's time about 60 % go to the checked catalog with its ids and fingerprint, 20 % to the tables as they were read, and 10 % to the driver. At 100 tables, planning the statements and the five round trips take most of the time.",
  ],
};

await main(import.meta.url, bench);
