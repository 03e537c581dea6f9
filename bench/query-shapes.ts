/**
 * What real and made statements refer to, against parsers. Usage: ASKEMA_DATA=… npm run -s query-shapes --prefix bench
 * [-- --quick]
 */
import { askSqlglot } from './cte-splitting/reference.ts';
import { type Statement, statementSets } from './cte-splitting/statements.ts';
import type { Bench, Table } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { remarkOnPeer } from './harness/remarks.ts';
import { pipeline } from './query-shapes/pipeline.ts';
import { type Referred, SHAPERS, type Shaper } from './query-shapes/shapers.ts';

/**
 * The last part of each name, in lower case; some libraries leave a name that is quoted as a whole (BigQuery) in one
 * piece.
 */
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
    '[@polyglot-sql/sdk](https://github.com/tobilg/polyglot) (`analyzeQuery`). askema parses in a worker thread with a time limit, by sqlparser-rs (WebAssembly), and finds the span of every name.',
  peers: ['node-sql-parser', '@polyglot-sql/sdk'],
  versions: () => ({ 'sqlglot (Python)': askSqlglot([])?.version ?? 'absent' }),
  parts: [
    {
      kind: 'measurement',
      id: 'sets',
      title: 'Real statements',
      about:
        'Gold statements of Spider 2.0 (BigQuery, Snowflake, SQLite), every fourth of its recorded candidates (Snowflake), and the 27 statements with traps that the tests use. *Read*: an answer and no error. *Tables right*: the tables, ' +
        'CTEs left out, are those of the reference; the last part of each name counts, without case. *Columns found* counts references, not names. Throughput is of one statement after another in the second round, with those that fail.',
      measure: measureSets,
    },
    {
      kind: 'comparison',
      id: 'pipeline',
      title: 'Growth with the length of the statement',
      about: 'One statement. Each step is a CTE with two joins, filters, a grouping and a window, about 0.5 kB.',
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
    'askema parses, finds the spans and builds the shape in a thread of its own. Only the shape comes back, as JSON: the structured clone of so many small objects takes twice as long. Once warm, the way to the thread and back and the reading of the shape take a third of the processor time. They take more where other programs keep the cores busy, because each statement changes the thread twice. The peers parse in the calling thread, and nothing can stop them there.',
    'The first dozen statements of a new thread take five to ten times as long as later ones, while WebAssembly and JavaScript are compiled. A run with `--quick`, or on a busy machine, measures this compiling and not the parsing.',
    'With node-sql-parser behind it, askema does what that parser does, and then finds the spans, builds the shape and sends it back. So it is slower than the parser alone.',
    'Among the statements with traps askema refuses, on purpose, those that are no query (CREATE, INSERT, EXPLAIN). `analyzeQuery` takes one statement and no script.',
  ],
};

await main(import.meta.url, bench);
