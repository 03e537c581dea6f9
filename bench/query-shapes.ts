/**
 * What real and made statements refer to, against parsers. Usage: ASKEMA_DATA=… npm run -s query-shapes --prefix bench [-- --quick]
 */
import { askSqlglot } from './cte-splitting/reference.ts';
import { type Statement, statementSets } from './cte-splitting/statements.ts';
import type { Bench, Table } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { remarkOnPeer } from './harness/remarks.ts';
import { pipeline } from './query-shapes/pipeline.ts';
import { type Referred, SHAPERS, type Shaper } from './query-shapes/shapers.ts';

/** The last part of each name, in lower case; some libraries leave a name that is quoted as a whole (BigQuery) in one piece. */
const lastParts = (names: readonly string[]): string =>
  JSON.stringify([...new Set(names.map((name) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()))].sort());

async function shapeOrNothing(shaper: Shaper, statement: Statement): Promise<Referred | undefined> {
  try {
    return await shaper.shape(statement);
  } catch {
    return undefined;
  }
}

async function measureSets({ quick }: { readonly quick: boolean }): Promise<Table> {
  const rows: (number | string)[][] = [];
  const remarks: string[] = [];
  for (const { name, statements: all } of statementSets(quick)) {
    // All of them take the parsers a minute each.
    const statements = name === 'candidates' ? all.filter((_, at) => at % 4 === 0) : all;
    const reference = askSqlglot(statements);
    const megabytes = statements.reduce((sum, { sql }) => sum + Buffer.byteLength(sql), 0) / 1e6;
    const secondsOf = new Map<string, number>();
    for (const kind of SHAPERS) {
      const shaper = await kind.load();
      let read = 0;
      let right = 0;
      let columns: number | undefined = 0;
      for (const [at, statement] of statements.entries()) {
        const referred = await shapeOrNothing(shaper, statement);
        if (referred === undefined) continue;
        read += 1;
        columns = referred.columns === undefined || columns === undefined ? undefined : columns + referred.columns;
        const tables = reference?.readings[at]?.tables;
        if (tables != null && lastParts(tables) === lastParts(referred.tables)) right += 1;
      }
      const before = performance.now();
      for (const statement of statements) await shapeOrNothing(shaper, statement);
      const seconds = (performance.now() - before) / 1_000;
      await shaper.close();
      secondsOf.set(kind.name, seconds);
      const label = kind.own ? `**${kind.name}**` : kind.name;
      rows.push([
        name,
        label,
        statements.length,
        read,
        reference === undefined ? 'absent' : right,
        columns ?? '',
        megabytes / seconds,
        kind.gives,
      ]);
    }
    for (const own of SHAPERS.filter((kind) => kind.own))
      for (const peer of SHAPERS.filter((kind) => !kind.own)) {
        const [ours, theirs] = [secondsOf.get(own.name) ?? 0, secondsOf.get(peer.name) ?? 0];
        const remark = remarkOnPeer(`Real statements, ${name}, ${own.name}`, ours, theirs, peer.name);
        if (remark !== undefined) remarks.push(remark);
      }
    const known = reference?.readings.filter(({ tables }) => tables !== null).length ?? 'absent';
    const seconds = reference?.readings.reduce((sum, one) => sum + one.seconds, 0);
    const rate = seconds === undefined ? '' : megabytes / seconds;
    rows.push([name, 'sqlglot (Python)', statements.length, known, 'the reference', '', rate, 'a tree, no places']);
  }
  return {
    columns: ['statements', '', 'of them', 'read', 'tables right', 'columns found', 'MB a second', 'gives'],
    rows,
    remarks,
  };
}

export const bench: Bench = {
  id: 'query-shapes',
  title: 'Shapes of queries',
  about:
    'What a statement refers to: `@askema/sql-parser` against the plain [node-sql-parser](https://github.com/taozhi8833998/node-sql-parser) (`parse`) and the analysis of ' +
    '[@polyglot-sql/sdk](https://github.com/tobilg/polyglot) (`analyzeQuery`). Ours parses in a worker thread with a time limit, by sqlparser-rs (WebAssembly), and finds the span of every name.',
  peers: ['node-sql-parser', '@polyglot-sql/sdk'],
  versions: () => ({ 'sqlglot (Python)': askSqlglot([])?.version ?? 'absent' }),
  parts: [
    {
      kind: 'measurement',
      id: 'sets',
      title: 'Real statements',
      about:
        'Gold statements of Spider 2.0 (BigQuery, Snowflake, SQLite), every fourth of its recorded candidates (Snowflake), and the 27 statements with traps that the tests use. *Read*: an answer and no error. *Tables right*: the tables that ' +
        'are no CTE are those of the reference, by the last part of their names, without case. *Columns found*: references, not different names. Throughput is for one statement after another, the failing ones included, in the second round.',
      measure: measureSets,
    },
    {
      kind: 'comparison',
      id: 'pipeline',
      title: 'Growth with the length of the statement',
      about:
        'One statement of so many CTEs with two joins, filters, a grouping and a window each (about 0.5 kB a step).',
      size: { name: 'steps', values: [1, 10, 100, 300], quick: [1, 10, 100] },
      peer: 'node-sql-parser',
      perUnit: true,
      contenders: SHAPERS.map(({ name, own, load }) => ({
        name,
        own,
        async prepare(size: number) {
          const shaper = await load();
          const statement = { dialect: 'snowflake', sql: pipeline(size) };
          const bytes = Buffer.byteLength(statement.sql);
          const { tables } = await shaper.shape(statement);
          return {
            run: () => shaper.shape(statement),
            figures: (medianMs: number) => ({
              'MB a second': bytes / 1_000 / medianMs,
              'tables found': new Set(tables.map((table) => table.toLowerCase())).size,
            }),
            close: () => shaper.close(),
          };
        },
      })),
    },
  ],
  notes: [
    'Ours parses, finds the spans and builds the shape in its thread; what comes back is the shape alone, as JSON, since the structured clone of so many small objects costs twice as much. Warm, the way there and back and the ' +
      'reading of the shape are a third of the processor time; more where other programs keep the cores, since each statement changes the thread twice. The peers parse in the calling thread, which cannot be stopped while they do.',
    'The first dozen statements of a new thread take five to ten times as long as later ones: WebAssembly and JavaScript are compiled meanwhile. Few runs (`--quick`) and a loaded machine, on which that compiling waits for a core, measure this ' +
      'and not the parsing.',
    'Over node-sql-parser ours does what that parser does and then the spans, the shape and the way back: it is slower than the parser alone.',
    'Refused among the statements with traps are those that are no query (CREATE, INSERT, EXPLAIN), on purpose; `analyzeQuery` takes one statement and no script.',
  ],
};

await main(import.meta.url, bench);
