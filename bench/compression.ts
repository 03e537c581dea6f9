/**
 * Compression of the schemas of Spider 2.0 against the rule of ReFoRCE's published code: size, loss, time.
 * Usage: ASKEMA_DATA=… npm run -s compression --prefix bench [-- --quick]
 */

import type { RelationId } from '@askema/core';
import { compress } from '@askema/grounding';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { decode } from '../packages/grounding/src/compress/test-support/decode.ts';
import { expectedRelations } from '../packages/grounding/src/compress/test-support/expected-relations.ts';
import { type Corpus, type CorpusDatabase, hasCorpora, readCorpus } from '../scripts/spider2/read-corpus.ts';
import { CORPUS_DIALECTS } from '../scripts/spider2/warehouse-dialects.ts';
import { type Columns, columnsByRelation, promptDescriber, stripDigits } from './compression/digit-stripping.ts';
import { addLosses, findLosses, type Losses, NO_LOSSES } from './compression/losses.ts';
import { makeCatalog } from './compression/make-catalog.ts';
import type { Bench, Table, Work } from './harness/bench.ts';
import { main } from './harness/main.ts';

interface Compressed {
  readonly text: string;
  /** What a reader of the text knows of each relation. Not part of the time. */
  readonly losses: () => Losses;
}

interface Way {
  readonly name: string;
  /** Done before, without being timed. */
  readonly prepare?: ((database: CorpusDatabase) => CorpusDatabase) | undefined;
  readonly compress: (database: CorpusDatabase) => Compressed;
}

/**
 * Bytes of DDL text that others measured with ReFoRCE's own code, and columns hidden; groups above ten, then all
 * groups.
 */
const REPORTED: Readonly<Partial<Record<Corpus, string>>> = {
  snow: '4.17 MB, 2.84 MB; 549 and 2,206 columns hidden',
  'lite-bigquery': '7.97 MB, 4.98 MB; 518 and 1,489 columns hidden',
  'lite-snowflake': '1.23 MB, 0.95 MB; 90 and 636 columns hidden',
};

const dialectOf = ({ catalog }: CorpusDatabase) => {
  const dialect = CORPUS_DIALECTS[catalog.dialect];
  if (dialect === undefined) throw new Error(`There is no dialect ${catalog.dialect}.`);
  return dialect;
};

const WAYS: readonly Way[] = [
  {
    name: 'the DDL as it is',
    compress: (database) => grouped(database, Number.POSITIVE_INFINITY, (id) => database.ddl.get(id) ?? ''),
  },
  { name: 'digits stripped, groups above 10, DDL', compress: (database) => grouped(database, 10, ddlOf(database)) },
  { name: 'digits stripped, all groups, DDL', compress: (database) => grouped(database, 1, ddlOf(database)) },
  {
    name: 'digits stripped, groups above 10, lines of its prompt',
    compress: (database) => grouped(database, 10, promptDescriber(database.catalog)),
  },
  { name: '**askema**', compress: ours },
  { name: '**askema**, without comments', prepare: withoutComments, compress: ours },
];

const ddlOf =
  ({ ddl }: CorpusDatabase) =>
  (id: RelationId): string =>
    ddl.get(id) ?? '';

function grouped({ catalog }: CorpusDatabase, over: number, describe: (id: RelationId) => string): Compressed {
  const { text, told } = stripDigits(catalog, over, describe);
  return { text, losses: () => findLosses(columnsByRelation(catalog), told()) };
}

/** The text is read back by a decoder that knows only the notation; each relation is expanded by its name as well. */
function ours(database: CorpusDatabase): Compressed {
  const dialect = dialectOf(database);
  const { text, expand } = compress(database.catalog, { countTokens: () => 0, dialect });
  return {
    text,
    losses() {
      const there = expectedRelations(database.catalog, dialect);
      const read = (part: string): Map<string, Columns> =>
        new Map(
          [...decode(part)].map(([name, { columns }]) => [
            name,
            new Map([...columns].map(([column, { type }]) => [column, type])),
          ]),
        );
      for (const name of there.keys())
        if (expand(name) === undefined) throw new Error(`${database.db}: ${name} cannot be expanded.`);
      return findLosses(there, read(text));
    },
  };
}

function withoutComments({ catalog, ...rest }: CorpusDatabase): CorpusDatabase {
  const attributes = Object.fromEntries(
    Object.entries(catalog.attributes).map(([id, info]) => [
      id,
      {
        ...info,
        comment: undefined,
        nestedFields: info.nestedFields?.map(({ path, nativeType }) => ({ path, nativeType })),
      },
    ]),
  );
  const relations = Object.fromEntries(
    Object.entries(catalog.relations).map(([id, info]) => [id, { ...info, comment: undefined }]),
  );
  return { ...rest, catalog: { ...catalog, attributes, relations } };
}

async function measureCorpora({ quick }: { readonly quick: boolean }): Promise<Table> {
  const columns = [
    'corpus',
    '',
    'MB',
    'million tokens',
    'MB of DDL a second',
    'relations',
    'named',
    'told in full',
    'columns hidden',
    'columns wrong',
  ];
  if (!hasCorpora()) return { columns, rows: [['absent: set ASKEMA_DATA to the folder that holds spider2']] };
  const rows: (number | string)[][] = [];
  const corpora: readonly Corpus[] = quick
    ? ['lite-snowflake', 'lite-sqlite']
    : ['snow', 'lite-bigquery', 'lite-snowflake', 'lite-sqlite'];
  for (const corpus of corpora) {
    const databases = readCorpus(corpus);
    const megabytesOfDdl = databases.reduce((sum, { ddlBytes }) => sum + ddlBytes, 0) / 1e6;
    for (const { name, prepare, compress: run } of WAYS) {
      const prepared = prepare === undefined ? databases : databases.map(prepare);
      const times: number[] = [];
      let made: readonly Compressed[] = [];
      for (let round = 0; round < (quick ? 1 : 3); round += 1) {
        const before = performance.now();
        made = prepared.map(run);
        times.push(performance.now() - before);
      }
      times.sort((a, b) => a - b);
      const seconds = (times[Math.floor(times.length / 2)] ?? Number.NaN) / 1_000;
      const losses = made.reduce((sum, one) => addLosses(sum, one.losses()), NO_LOSSES);
      const bytes = made.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      const tokens = made.reduce((sum, { text }) => sum + countTokens(text), 0);
      rows.push([
        corpus,
        name,
        (bytes / 1e6).toFixed(2),
        (tokens / 1e6).toFixed(3),
        name === 'the DDL as it is' ? '' : megabytesOfDdl / seconds,
        losses.relations,
        losses.named,
        losses.told,
        losses.hidden,
        losses.wrong,
      ]);
    }
    rows.push([corpus, `reported of ReFoRCE's own code: ${REPORTED[corpus] ?? 'no group'}`]);
  }
  return { columns, rows: rows.map((row) => [...row, ...Array<string>(columns.length - row.length).fill('')]) };
}

function work(make: () => string): Work {
  let bytes = 0;
  return {
    run() {
      const text = make();
      bytes = Buffer.byteLength(text);
      return text;
    },
    figures: () => ({ 'kB of text': bytes / 1_000 }),
  };
}

export const bench: Bench = {
  id: 'compression',
  title: 'Compression of schemas',
  about:
    'Schemas as prompt text, without a budget and without a model. `compress` stands against the rule of [ReFoRCE](https://arxiv.org/abs/2502.00675), which we wrote anew from ' +
    'its published code: relations whose names are equal without digits are a group, and one of them is described. The schemas are those of Spider 2.0.',
  peers: [],
  versions: () => ({ 'data of Spider 2.0': hasCorpora() ? 'present' : 'absent' }),
  parts: [
    {
      kind: 'measurement',
      id: 'corpora',
      title: 'All schemas of Spider 2.0',
      about:
        'UTF-8 bytes and tokens (o200k_base) of the texts of all databases, without sample values. A relation is *told in full* when a reader of the text alone learns ' +
        'each of its columns with its type, and no other column. For askema the reader is a decoder that knows only the notation; for stripped digits it takes the columns of ' +
        'the relation that stands for the group. *Hidden* columns are those that the reader does not learn of. *Wrong* columns are those that the relation does not have, or ' +
        'has with another type. Median of three rounds.',
      measure: measureCorpora,
    },
    {
      kind: 'comparison',
      id: 'growth',
      title: 'Growth with the number of relations',
      about:
        'Made catalogs, all in one schema, with 30 columns a relation. A third of the relations are days of one series, and every tenth of these has one more column. A third ' +
        'are years of 40 others, and a third are unlike. Stripped digits write the lines of the ReFoRCE prompt.',
      size: { name: 'relations', values: [100, 1_000, 10_000], quick: [100, 1_000] },
      peer: 'digits stripped',
      perUnit: true,
      contenders: [
        {
          name: 'askema',
          own: true,
          prepare: (size) => {
            const catalog = makeCatalog(size);
            return work(() => compress(catalog, { countTokens: () => 0 }).text);
          },
        },
        {
          name: 'digits stripped',
          prepare: (size) => {
            const catalog = makeCatalog(size);
            return work(() => stripDigits(catalog, 10, promptDescriber(catalog)).text);
          },
        },
      ],
    },
  ],
  notes: [
    'Stripping digits is one pass that compares no columns. That makes it faster, and makes it leave columns out. `compress` compares the columns of all relations of a family, looks for relations with nearly the same columns, and quotes names. It runs once a schema, and takes less time than sending a prompt of that size.',
    '`compress` looks each column up a fixed number of times, in maps by id, by name and by form. With 10,000 relations these maps hold 100,000 to 300,000 entries. A profile shows that the look-ups themselves get slower; none is made more often. In processor time, the best of many runs, that is n^1.1 to n^1.3 from 1,000 relations on, and about n below.',
    "The reported figures count hidden columns only where the data's column files have the table, and each name once a group. Here every column of every relation in the DDL counts. Bytes of the DDL agree with the reported ones on both Snowflake corpora. lite-bigquery has 70 tables fewer here, which the data holds twice.",
  ],
};

await main(import.meta.url, bench);
