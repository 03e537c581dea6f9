/** Questions a second, against the drivers alone. Usage: npm run -s throughput --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { startPostgres } from './harness/postgres-server.ts';

export const bench: Bench = {
  id: 'throughput',
  title: 'Questions a second',
  about:
    'The sample database (11 tables) in three engines, and a relation of 15,000 rows beside it. `driver` runs the statement alone: a pool of pg, @duckdb/node-api with a connection for each statement at a time, better-sqlite3. `query` runs it through the adapter: read only, with a deadline, an abort and caps. `ask` answers a question by the plain flow with a model of this process that answers at once: it makes the prompt, checks the reply, runs the statement, and makes the outcome. `ask each` does the same with a number in each statement that no statement had before; in `query` and `ask` nine statements come again and again. All with their default options. They take turns of a second each; the first five of each are not counted.',
  peers: ['pg', 'better-sqlite3'],
  start: startPostgres,
  versions: async () => (await import('./throughput/engines.ts')).versions(),
  parts: [
    {
      kind: 'measurement',
      id: 'rates',
      title: 'Groups of 15,000 rows, at 1 and 32 at a time',
      about:
        'Medians of the turns. Ratios are of turns that follow each other. `processor` is the time of the process that asks, and that of the engine: the processes of the server, or of the adapter.',
      measure: async (options) => (await import('./throughput/measure-rates.ts')).measureRates('groups', options),
    },
    {
      kind: 'measurement',
      id: 'short',
      title: 'Four tables of at most 2,400 rows, at 1 and 32 at a time',
      about: 'The same for a short statement, beside which all else counts for more.',
      measure: async (options) => (await import('./throughput/measure-rates.ts')).measureRates('join', options),
    },
  ],
  notes: [
    'PostgreSQL: the driver sends one message and gets one answer. askema sends four: the beginning of a transaction that can only read, with its deadline and a look at the functions that the statement calls; the statement to be parsed; its rows; and the end of all of it. Two things are kept: what is known of the functions, and where columns come from. Both hold while no transaction of the server is committed, which the first message asks each time; where one was, a fifth message asks where the columns come from. No statement is kept, so one that was not there before costs no more. By default 8 statements run at a time, where the driver has 10 connections. Beside the statement, the first message costs the server most: it sets what an owner of a database may have set otherwise.',
    'DuckDB: the statement runs in a process that can be killed. Before it runs, its tree is looked through for functions that do more than read. Two things are kept where the file is opened read-only, so that nothing in it can change: that the tree of a statement was found to be harmless, which counts for all that differ from it in their numbers alone; and, for each connection, the last 16 statements without parameters as DuckDB has prepared them. `ask each` has the first and never the second: to prepare a statement by itself takes about a third of what the driver takes for all of it. A text with another string, name or clause is looked through, which takes about another third. Within the process, a statement that was not there before takes about a sixth more than the driver takes for it; the rest is the process that asks, and the messages between the two. DuckDB itself works in several threads, so the driver already uses all processors.',
    'SQLite: the driver runs in the thread of the program, and blocks it: it uses one processor, whatever is asked at a time. askema runs statements in two processes that can be killed beside the one that asks, and keeps nothing of them. What a statement sorts or groups stays in memory, so that nothing of it is written to the disk and the memory that it takes is bounded: SQLite then takes about a fifth longer for the statement over 15,000 rows. So a question takes more processor time than a statement of the driver, and two idle processors are needed to keep up with it.',
    'The process that asks: the first questions of a process take about three times as much as those after some thousand, when V8 has compiled what runs; the turns that count are after that.',
    'On a machine that does other work, the rates compare shares of its processors: the server of PostgreSQL asks for ten at a time, the process that asks for one. The column by processor time does not depend on that.',
  ],
};

await main(import.meta.url, bench);
