/**
 * Names of CTEs in real and in made statements, against parsers. Usage: ASKEMA_DATA=… npm run -s cte-splitting --prefix
 * bench [-- --quick]
 */
import { sqlparserTs } from '@askema/sql-parser';
import { chainOfCtes, nestedCtes } from './cte-splitting/chain.ts';
import { parserDialect } from './cte-splitting/parser-dialects.ts';
import { askSqlglot } from './cte-splitting/reference.ts';
import { SPLITTERS, type Splitter } from './cte-splitting/splitters.ts';
import { type Statement, statementSets } from './cte-splitting/statements.ts';
import type { Bench, Contender, Table } from './harness/bench.ts';
import { main } from './harness/main.ts';

/** Names in lower case, by statement; null where the reference has none. */
type Expected = readonly (readonly string[] | null)[];

interface Wanted {
  readonly by: string;
  readonly names: Expected;
  readonly seconds: number | undefined;
}

/** By sqlglot where there is one, else by the deep parser of the project, which has its own grammar of WITH. */
async function wantedNames(statements: readonly Statement[]): Promise<Wanted> {
  const reference = askSqlglot(statements);
  if (reference !== undefined)
    return {
      by: `sqlglot ${reference.version}`,
      names: reference.readings.map(({ ctes }) => ctes),
      seconds: reference.readings.reduce((sum, { seconds }) => sum + seconds, 0),
    };
  const parser = sqlparserTs({ timeoutMs: 20_000 });
  const names: (readonly string[] | null)[] = [];
  for (const { sql, dialect } of statements) {
    const result = await parser.parse(sql, parserDialect(dialect));
    names.push(result.ok ? (result.shape.blocks[0]?.ctes ?? []).map(({ name }) => name.text.toLowerCase()) : null);
  }
  await parser.close();
  return { by: 'sqlparser-ts', names, seconds: undefined };
}

async function measureSets({ quick }: { readonly quick: boolean }): Promise<Table> {
  const rows: (number | string)[][] = [];
  for (const { name, statements } of statementSets(quick)) {
    const wanted = await wantedNames(statements);
    const megabytes = statements.reduce((sum, { sql }) => sum + Buffer.byteLength(sql), 0) / 1e6;
    for (const kind of SPLITTERS) {
      const split = await kind.load();
      const { read, right } = count(split, statements, wanted.names);
      const times: number[] = [];
      for (let round = 0; round < (quick ? 1 : 5); round += 1) {
        const before = performance.now();
        for (const statement of statements) namesOrNothing(split, statement);
        times.push(performance.now() - before);
      }
      times.sort((a, b) => a - b);
      const seconds = (times[Math.floor(times.length / 2)] ?? Number.NaN) / 1_000;
      const label = kind.own ? `**${kind.name}**` : kind.name;
      rows.push([name, label, statements.length, read, right, wanted.by, megabytes / seconds]);
    }
    const { seconds } = wanted;
    const known = wanted.names.filter((one) => one !== null).length;
    if (seconds === undefined) rows.push([name, 'sqlglot (Python)', statements.length, 'absent', '', '', '']);
    else rows.push([name, 'sqlglot (Python)', statements.length, known, 'the reference', '', megabytes / seconds]);
  }
  return { columns: ['statements', '', 'of them', 'read', 'names right', 'by', 'MB a second'], rows };
}

function namesOrNothing(split: Splitter, statement: Statement): readonly string[] | undefined {
  try {
    return split(statement);
  } catch {
    return undefined;
  }
}

function count(split: Splitter, statements: readonly Statement[], wanted: Expected) {
  let read = 0;
  let right = 0;
  for (const [at, statement] of statements.entries()) {
    const names = namesOrNothing(split, statement);
    if (names === undefined) continue;
    read += 1;
    const expected = wanted[at];
    if (expected?.length === names.length && names.every((name, cte) => name.toLowerCase() === expected[cte]))
      right += 1;
  }
  return { read, right };
}

function contenders(make: (size: number) => string): readonly Contender[] {
  return SPLITTERS.map(({ name, own, load }) => ({
    name,
    own,
    async prepare(size: number) {
      const split = await load();
      const statement = { dialect: 'snowflake', sql: make(size) };
      const bytes = Buffer.byteLength(statement.sql);
      const found = split(statement).length;
      return {
        run: () => split(statement),
        figures: (medianMs: number) => ({ 'MB a second': bytes / 1_000 / medianMs, 'CTEs found': found }),
      };
    },
  }));
}

export const bench: Bench = {
  id: 'cte-splitting',
  title: 'Splitting CTEs',
  about:
    '`splitCtes` reads tokens and needs no grammar; [node-sql-parser](https://github.com/taozhi8833998/node-sql-parser) and ' +
    '[@polyglot-sql/sdk](https://github.com/tobilg/polyglot) (Rust, as WebAssembly) parse the whole statement. All give the names of the WITH of the last statement; ' +
    '`splitCtes` also gives the span and the text of each body, what it depends on, and the statements before.',
  peers: ['node-sql-parser', '@polyglot-sql/sdk'],
  versions: () => ({ 'sqlglot (Python)': askSqlglot([])?.version ?? 'absent' }),
  parts: [
    {
      kind: 'measurement',
      id: 'sets',
      title: 'Real statements',
      about:
        'Gold statements of Spider 2.0 (BigQuery, Snowflake, SQLite), its recorded candidates (Snowflake), and the 27 statements with traps that the tests use (five dialects). *Read*: no ' +
        'error. *Names right*: the same names in the same order as the reference, without case. Median of five rounds over all statements, with those that fail.',
      measure: measureSets,
    },
    {
      kind: 'comparison',
      id: 'chain',
      title: 'A chain of CTEs',
      about: 'One statement. Each CTE reads the one before; strings and comments hold brackets.',
      size: { name: 'CTEs', values: [10, 100, 1_000, 10_000], quick: [10, 100, 1_000] },
      peer: '@polyglot-sql/sdk',
      perUnit: true,
      contenders: contenders(chainOfCtes),
      seconds: 60,
    },
    {
      kind: 'comparison',
      id: 'nested',
      title: 'WITH inside of WITH',
      about: 'The body of each CTE begins with a WITH of its own. The WITH that counts here is the outermost.',
      size: { name: 'levels', values: [4, 16, 64, 256, 1_024], quick: [4, 64] },
      peer: '@polyglot-sql/sdk',
      contenders: contenders(nestedCtes),
      seconds: 60,
    },
  ],
  notes: [
    'Each pass over the tokens of a chain is linear, and lexing and splitting do nothing else. From some thousand CTEs on, the tokens (about thirty a CTE) outlive the young generation of the heap, and the collector copies them: a third of the time in a profile. That is why a CTE of a long chain costs more than one of a short chain. In processor time, the best of many runs, it is n^0.9 from 10 to 100 CTEs, n^1.1 to 1,000 and n^1.3 to 10,000.',
    '`splitCtes` and the reference differ on one statement with traps, `EXPLAIN WITH …`: sqlglot keeps what follows EXPLAIN as plain text, and `splitCtes` looks into it.',
  ],
};

await main(import.meta.url, bench);
