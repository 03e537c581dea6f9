/** What docs/benchmarks.md shows, in the order in which a user feels it. Every figure is looked up in bench/results. */
import {
  FEWER,
  type Headline,
  ITEMS_PER_SECOND,
  type Measure,
  MORE,
  SECONDS,
  SHARE,
  THROUGHPUT,
  TIME,
  TOKENS,
  TOKENS_SENT,
} from './harness/headline.ts';

export interface HeadlineGroup {
  readonly title: string;
  /** What is compared, under which conditions, and why something is slower; Markdown, one paragraph each. */
  readonly about: readonly string[];
  readonly headlines: readonly Headline[];
}

/** A row of a comparison: the same size by ours and by a peer. */
const compare =
  (bench: string, part: string, ours: string, peer: string, peerName?: string) =>
  (what: string, size: number): Headline => ({
    what,
    bench,
    part,
    measure: TIME,
    ours: { contender: ours, size },
    peer: { contender: peer, size },
    peerName,
  });

/** A cell of a table, in the row of ours and in that of a peer. */
const tabulated =
  (bench: string, part: string, by: string, measure: Measure, column: string) =>
  (
    what: string,
    ours: string | number,
    peer: string | number,
    where: Readonly<Record<string, string>> = {},
    peerName?: string,
  ): Headline => ({
    what,
    bench,
    part,
    measure,
    ours: { where: { ...where, [by]: ours }, column },
    peer: { where: { ...where, [by]: peer }, column },
    peerName,
  });

const EMPTY = 'an empty Node program';
const OURS = '**askema**';
const STRIPPED = 'digits stripped, groups above 10, lines of its prompt';
const starting = tabulated('command', 'starts', '', TIME, 'median');
const tokens = tabulated('compression', 'corpora', '', TOKENS, 'million tokens');
const hidden = tabulated('compression', 'corpora', '', FEWER, 'columns hidden');
const sending = tabulated('flows', 'tokens', '', TOKENS_SENT, 'prompt tokens');
const compressing = compare('compression', 'growth', 'askema', 'digits stripped', 'digits stripped');
const lookUp = tabulated('values', 'look-ups', '', TIME, 'p50 ms');
const recall = tabulated('values', 'look-ups', '', SHARE, 'recall@5');
const building = tabulated('values', 'build', '', SECONDS, 'seconds');
const buildingLarge = tabulated('values-large', 'build', '', SECONDS, 'seconds');
const dead = tabulated('deadline', 'engines', '', TIME, 'dead after');
const evaluation = tabulated('whole-run', 'evaluation', 'at a time', ITEMS_PER_SECOND, 'items/s');
const splitting = tabulated('cte-splitting', 'sets', '', THROUGHPUT, 'MB a second');
const namesRight = tabulated('cte-splitting', 'sets', '', MORE, 'names right');
const shaping = tabulated('query-shapes', 'sets', '', THROUGHPUT, 'MB a second');
const tablesRight = tabulated('query-shapes', 'sets', '', MORE, 'tables right');
const synthesis = (what: string, attributes: number): Headline => ({
  what,
  bench: 'normal-form',
  part: 'random',
  measure: TIME,
  ours: { where: { attributes }, column: 'synthesis' },
  peer: { where: { attributes }, column: 'peer' },
  peerName: 'functional-dependencies (Python)',
});
const million = { values: '1,000,000' };

export const HEADLINES: readonly HeadlineGroup[] = [
  {
    title: 'Starting',
    about: [
      'Whole processes, from start to end. The question is asked of the sample database. Without a model the built-in reader answers; the model is a server on the same machine that answers at once, so a real model adds its own time. The peer is the floor: no program of Node starts faster than an empty one.',
      'A question takes longer than an empty program because it starts a second process for the statement, reads the schema, and, with a model, loads its SDK. In a clone, the modules are many more.',
    ],
    headlines: [
      ...[
        '`askema --help`, installed',
        '`askema ask`, installed',
        '`askema ask`, in a clone',
        '`askema ask` with a model, installed',
      ].map((what) => starting(what, what, 'node -e 0', {}, EMPTY)),
    ],
  },
  {
    title: 'Large schemas in a prompt',
    about: [
      'The schemas of Spider 2.0 as text for a model. The peer is the rule of ReFoRCE, which we wrote anew: tables whose names differ only in digits are a group, and one of them is described.',
      '`compress` is slower because it compares the columns of all tables of a group. That is why it hides none.',
      'The flow `plain` is held against one prompt with every CREATE TABLE. With 10,000 tables that prompt fits into no context of 200,000 tokens.',
    ],
    headlines: [
      tokens('Tokens, the schemas on Snowflake', OURS, STRIPPED, { corpus: 'snow' }, 'digits stripped'),
      hidden('Columns that the text hides, the same schemas', OURS, STRIPPED, { corpus: 'snow' }, 'digits stripped'),
      tokens('Tokens, the schemas on BigQuery', OURS, STRIPPED, { corpus: 'lite-bigquery' }, 'digits stripped'),
      compressing('Time, 1,000 made tables', 1_000),
      compressing('Time, 10,000 made tables', 10_000),
      ...[10, 100, 1_000, 10_000].map((relations) => ({
        ...sending(
          `Tokens of a question by \`plain\`, ${relations.toLocaleString('en')} tables`,
          '**plain**',
          'whole schema',
        ),
        ours: { where: { relations, '': '**plain**' }, column: 'prompt tokens' },
        peer: { where: { relations, '': 'whole schema' }, column: 'prompt tokens' },
      })),
    ],
  },
  {
    title: 'Reading the schema of a database',
    about: [
      'Tables of 8 columns. askema reads more than its peers: keys, unique constraints, comments, views and CHECK texts. It builds a checked catalog with a fingerprint. kysely and knex read columns and no keys.',
      'SQLite loses most: its rows come from a process that can be killed, and most of the time goes into the catalog.',
    ],
    headlines: [
      compare('introspection', 'sqlite', 'askema', 'kysely')('SQLite, 1,000 tables', 1_000),
      compare('introspection', 'sqlite', 'askema', 'knex')('SQLite, 1,000 tables', 1_000),
      compare('introspection', 'postgres', 'askema', 'kysely')('PostgreSQL, 1,000 tables', 1_000),
      compare('introspection', 'postgres', 'askema', 'knex')('PostgreSQL, 1,000 tables', 1_000),
      compare('introspection', 'postgres', 'askema', 'drizzle-kit pull')('PostgreSQL, 100 tables', 100),
    ],
  },
  {
    title: 'Looking up values',
    about: [
      'Made names, places, addresses and codes. The value index is a file; minisearch holds everything in memory and builds it at each start; a `LIKE` scan of SQLite needs only the table, and finds only the same letters.',
      'Building is slower because the forms and trigrams of each value are written to disk, where they stay. Among few values, shortened words pass every stage of the search.',
    ],
    headlines: [
      lookUp('A value as it is stored, 1,000,000 values', '**value-index**', 'LIKE scan', {
        ...million,
        'look-up': 'exact',
      }),
      lookUp('The same', '**value-index**', 'minisearch', { ...million, 'look-up': 'exact' }),
      lookUp('A misspelt value, 1,000,000 values', '**value-index**', 'minisearch', {
        ...million,
        'look-up': 'misspelt',
      }),
      recall('Found among the first five, the same', '**value-index**', 'minisearch', {
        ...million,
        'look-up': 'misspelt',
      }),
      recall('Found among the first five, shortened words', '**value-index**', 'minisearch', {
        ...million,
        'look-up': 'abbreviated',
      }),
      lookUp('A shortened word, 10,000 values', '**value-index**', 'minisearch', {
        values: '10,000',
        'look-up': 'abbreviated',
      }),
      building('Building, 1,000,000 values', '**value-index**', 'minisearch', million),
      building('The same', '**value-index**', 'LIKE scan', million),
      buildingLarge('Building, 10,000,000 values', '**value-index**', 'LIKE scan', { values: '10,000,000' }),
    ],
  },
  {
    title: 'Overhead of the flow engine',
    about: [
      'Steps that add one to a number, so only the engine is measured. A call to a model takes far longer than any of these.',
      'pocketflow calls three functions a step. askema also gives each step a context that can be stopped, resumed and traced, about a microsecond. A journal on disk waits for the disk after each step, so that a power failure loses nothing; no peer writes to disk. Building checks every name and route, once for each flow.',
    ],
    headlines: [
      compare('flow', 'chain', 'askema', 'pocketflow')('100 steps', 100),
      compare('flow', 'chain', 'askema', 'langgraph')('100 steps', 100),
      compare('flow', 'chain', 'askema, journal', 'langgraph, saver')('100 steps, each remembered in memory', 100),
      compare(
        'flow',
        'chain',
        'askema, journal on disk',
        'pocketflow',
      )('100 steps, each written to disk by askema', 100),
      compare('flow', 'fan-out', 'askema', 'pocketflow')('1,000 items at once', 1_000),
      compare('flow', 'fan-out', 'askema', 'langgraph')('1,000 items at once', 1_000),
      compare('flow', 'batch', 'askema', 'pocketflow')('One step over 10,000 items', 10_000),
      compare('flow', 'build', 'askema', 'pocketflow')('Building a chain of 1,000 steps', 1_000),
      compare('flow', 'build', 'askema', 'langgraph')('Building a chain of 1,000 steps', 1_000),
    ],
  },
  {
    title: 'Many questions, and stopping one',
    about: [
      'An evaluation of 1,000 questions with a model that answers after 20 ms, on two cores. No peer does the same work, so askema is held against itself. Then a statement that never ends, with a deadline of 250 ms: the time from the deadline until the engine no longer works on it.',
    ],
    headlines: [
      evaluation('8 questions at a time', 8, 1, {}, 'itself, one at a time'),
      evaluation('32 questions at a time', 32, 1, {}, 'itself, one at a time'),
      dead('PostgreSQL: the statement is dead', '**askema, PostgreSQL**', 'knex, `timeout` with `cancel`'),
      dead('The same', '**askema, PostgreSQL**', 'pg, `query_timeout`'),
    ],
  },
  {
    title: 'Reading SQL, and normal forms',
    about: [
      'Gold statements of Spider 2.0, in the dialects of BigQuery, Snowflake and SQLite; and short statements with traps. sqlglot decides what is right. The parser of askema runs in a thread that can be stopped.',
      'The way to that thread and back makes short statements slower than in a parser that runs in place.',
    ],
    headlines: [
      splitting('Splitting CTEs, gold statements', OURS, '@polyglot-sql/sdk', { statements: 'gold' }),
      splitting('The same', OURS, 'node-sql-parser', { statements: 'gold' }),
      namesRight('Statements whose CTEs are right', OURS, 'node-sql-parser', { statements: 'gold' }),
      shaping('Shape of a query, gold statements', OURS, 'node-sql-parser', { statements: 'gold' }),
      tablesRight('Statements whose tables are right', OURS, 'node-sql-parser', { statements: 'gold' }),
      shaping('Shape of a query, short statements with traps', OURS, 'node-sql-parser', {
        statements: 'our own, with traps',
      }),
      shaping('The same', OURS, '@polyglot-sql/sdk', { statements: 'our own, with traps' }),
      synthesis('Third normal form, 100 attributes', 100),
      synthesis('Third normal form, 1,000 attributes', 1_000),
    ],
  },
];
