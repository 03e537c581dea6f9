/**
 * Size, losslessness and time of the compression on the Spider 2.0 schemas.
 * Usage: node --conditions=@askema/source scripts/spider2/bars-compress.ts
 *
 * Counted are UTF-8 bytes of the text of each database, summed up, notation included, without sample values. What the
 * text holds is what the DDL holds: names, types, keys, and (second figure) the comments of the DDL, each cut at 240
 * characters. The bars were measured on the DDL text itself with its comments; the DDL of Snowflake has none.
 */

import { compress } from '@askema/grounding';
import type { Catalog } from '../../packages/core/src/index.ts';
import { decode } from '../../packages/grounding/src/compress/test-support/decode.ts';
import {
  differences,
  expectedRelations,
} from '../../packages/grounding/src/compress/test-support/expected-relations.ts';
import { CORPORA, type Corpus, type CorpusDatabase, hasCorpora, readCorpus } from './read-corpus.ts';
import { CORPUS_DIALECTS } from './warehouse-dialects.ts';

/** Megabytes of text that the compression must not exceed. */
const BARS: Readonly<Partial<Record<Corpus, number>>> = { snow: 3.67, 'lite-bigquery': 5.54, 'lite-snowflake': 1.11 };

if (!hasCorpora()) {
  console.error('The Spider 2.0 data is not there; set ASKEMA_DATA to the folder that holds spider2.');
  process.exit(1);
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
const noCount = (): number => 0;
let failed = false;

function run(databases: readonly CorpusDatabase[], options: Parameters<typeof compress>[1] = {}) {
  const started = performance.now();
  const results = databases.map(({ catalog }) =>
    compress(catalog, { countTokens: noCount, dialect: CORPUS_DIALECTS[catalog.dialect], ...options }),
  );
  const seconds = (performance.now() - started) / 1000;
  const bytes = results.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const hidden = results.reduce((sum, result) => sum + (result.omittedAttributes?.length ?? 0), 0);
  return { results, seconds, bytes, hidden };
}

function withoutComments({ catalog, ...rest }: CorpusDatabase): CorpusDatabase {
  const attributes: Record<string, Catalog['attributes'][string]> = {};
  for (const [id, info] of Object.entries(catalog.attributes)) {
    const nestedFields = info.nestedFields?.map(({ path, nativeType }) => ({ path, nativeType }));
    attributes[id] = { ...info, comment: undefined, nestedFields };
  }
  const relations = Object.fromEntries(
    Object.entries(catalog.relations).map(([id, info]) => [id, { ...info, comment: undefined }]),
  );
  return { ...rest, catalog: { ...catalog, attributes, relations } };
}

for (const corpus of CORPORA) {
  const databases = readCorpus(corpus);
  const relations = databases.reduce((sum, { catalog }) => sum + catalog.schema.relations.length, 0);
  const columns = databases.reduce((sum, { catalog }) => sum + catalog.schema.attributes.length, 0);
  const ddlBytes = databases.reduce((sum, database) => sum + database.ddlBytes, 0);
  const whole = run(databases);
  const bare = run(databases.map(withoutComments));
  const wrong = databases.flatMap(({ db, catalog }, position) => {
    const dialect = CORPUS_DIALECTS[catalog.dialect]!;
    return differences(expectedRelations(catalog, dialect), decode(whole.results[position]?.text ?? '')).map(
      (difference) => `${db}: ${difference}`,
    );
  });
  const bar = BARS[corpus];
  const isMet = (bar === undefined || whole.bytes <= bar * 1e6) && wrong.length === 0;
  failed ||= !isMet;
  console.log(
    `${corpus}: ${databases.length} databases, ${relations} relations, ${columns} columns, DDL ${megabytes(ddlBytes)}`,
  );
  console.log(
    `  with comments ${megabytes(whole.bytes)} (x${(ddlBytes / whole.bytes).toFixed(1)}), without ${megabytes(bare.bytes)}; bar ${bar ?? 'none'}${isMet ? '' : ': NOT MET'}`,
  );
  console.log(
    `  read back: ${wrong.length} differences in ${relations} relations and ${columns} columns with their types`,
  );
  for (const difference of wrong.slice(0, 5)) console.log(`    ${difference}`);
  for (const preset of ['v5', 'paper'] as const) {
    const other = run(databases, { preset });
    const names = other.results.flatMap(({ omittedAttributes = [] }, position) =>
      omittedAttributes.map((id) => `${position} ${id.replace(/\d(?=.*#)/g, '')}`),
    );
    console.log(
      `  ${preset} preset: ${megabytes(other.bytes)} with ${other.hidden} hidden columns, ${new Set(names).size} of them if a name counts once for names that are equal without digits`,
    );
  }
  if (corpus === 'snow') printGrowth(databases);
}
process.exitCode = failed ? 1 : 0;

/**
 * Time for a quarter, a half and all of a corpus; databases are dealt out so that each part has its share of large
 * ones.
 */
function printGrowth(databases: readonly CorpusDatabase[]): void {
  const bySize = [...databases].sort((a, b) => b.catalog.schema.attributes.length - a.catalog.schema.attributes.length);
  for (const parts of [4, 2, 1]) {
    const part = bySize.filter((_, position) => position % parts === 0);
    const columns = part.reduce((sum, { catalog }) => sum + catalog.schema.attributes.length, 0);
    const { seconds } = run(part);
    console.log(
      `  1/${parts} of it: ${columns} columns in ${seconds.toFixed(2)} s, ${((seconds * 1e6) / columns).toFixed(1)} µs a column`,
    );
  }
}
