/**
 * What a token budget keeps of the tables that a question needs, without a model. Usage: node
 * --conditions=@askema/source scripts/spider2/bars-budget.ts [--set snow|lite] [--tokens 8000] [--bare] [--list] Gold
 * tables and gold SQL only score the result; the selection sees question, document and catalog. `--bare` leaves out the
 * descriptions and sample rows of the column files, `--list` names the tasks that lost a table or a column that their
 * gold SQL names.
 */
import { parseArgs } from 'node:util';
import { compress } from '@askema/grounding';
import { foldName } from '../../packages/core/src/index.ts';
import { requireTool } from '../require-tool.ts';
import { CORPORA, type Corpus, type CorpusDatabase, hasCorpora, readCorpus, readLines } from './read-corpus.ts';
import { CORPUS_DIALECTS } from './warehouse-dialects.ts';

const { countTokens } = requireTool<{ countTokens(text: string): number }>('gpt-tokenizer/encoding/o200k_base');

interface Task {
  readonly instance_id: string;
  readonly set: 'lite' | 'snow';
  readonly db: string;
  readonly question: string;
  readonly external_knowledge: string | null;
  readonly gold_tables: readonly string[];
}

interface Score {
  readonly task: Task;
  readonly columns: number;
  readonly tokens: number;
  readonly ms: number;
  /** Gold tables that are in the catalog, those in the text, and those there with all columns. */
  readonly gold: number;
  readonly kept: number;
  readonly whole: number;
  /** Columns of gold tables that the gold SQL names, and those of them in the text. */
  readonly goldColumns: number;
  readonly keptColumns: number;
  readonly relations: number;
  readonly omitted: number;
  readonly shortened: boolean;
  /** Gold tables, and columns of others, that are not in the text. */
  readonly lost: readonly string[];
}

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'snow' },
    tokens: { type: 'string', default: '8000' },
    bare: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const maxTokens = Number(values.tokens);
if (!hasCorpora()) {
  console.error('The Spider 2.0 data is not there; set ASKEMA_DATA to the folder that holds spider2.');
  process.exit(1);
}

const documents = new Map(
  readLines<{ name: string; text: string; text_snow?: string }>('documents.jsonl').map((line) => [line.name, line]),
);
const goldSql = new Map(
  readLines<{ instance_id: string; set: string; sql: string }>('gold-sql.jsonl').map((line) => [
    `${line.set} ${line.instance_id}`,
    line.sql,
  ]),
);
const tasks = readLines<Task>('tasks.jsonl').filter(({ set }) => set === values.set);
const plain = (text: string): string => foldName(text, 'insensitive');
const corpusOf = ({ set, instance_id }: Task): Corpus => {
  if (set === 'snow') return 'snow';
  if (instance_id.startsWith('local')) return 'lite-sqlite';
  return instance_id.startsWith('sf') ? 'lite-snowflake' : 'lite-bigquery';
};

const scores: Score[] = [];
const unscored: string[] = [];
for (const corpus of CORPORA) {
  const own = tasks.filter((task) => corpusOf(task) === corpus);
  if (own.length === 0) continue;
  const databases = new Map(
    readCorpus(corpus, { withColumns: !values.bare }).map((database) => [databaseKey(database.db), database]),
  );
  for (const task of own) {
    const database = databases.get(databaseKey(task.db));
    const score = database === undefined ? undefined : scoreTask(task, database);
    if (score === undefined) unscored.push(task.instance_id);
    else scores.push(score);
  }
}

/** Some tasks spell a database in a different way than its folder. */
function databaseKey(name: string): string {
  return plain(name).replaceAll('-', '_');
}

function scoreTask(task: Task, { catalog, samples }: CorpusDatabase): Score | undefined {
  const document = documents.get(task.external_knowledge ?? '');
  const knowledge = task.set === 'snow' ? (document?.text_snow ?? document?.text) : document?.text;
  const started = performance.now();
  const compressed = compress(catalog, {
    maxTokens,
    question: task.question,
    knowledge: knowledge ?? '',
    countTokens,
    samples,
    dialect: CORPUS_DIALECTS[catalog.dialect],
  });
  const ms = performance.now() - started;
  if (countTokens(compressed.text) > maxTokens) throw new Error(`${task.instance_id}: the budget was not kept`);

  const byName = new Map(
    catalog.schema.relations.map(({ id, name }) => {
      const { database, schema } = catalog.relations[id]?.nameParts ?? {};
      const parts = catalog.dialect === 'sqlite' ? [name] : [database, schema, name];
      return [plain(parts.join('.')), id];
    }),
  );
  const last = (name: string): string => (catalog.dialect === 'sqlite' ? (name.split('.').at(-1) ?? name) : name);
  const gold = new Map(
    task.gold_tables.flatMap((name) => {
      const id = byName.get(plain(last(name)));
      return id === undefined ? [] : [[id, name] as const];
    }),
  );
  if (gold.size === 0) return undefined;
  const omitted = new Set(compressed.omitted);
  const hidden = new Set(compressed.omittedAttributes);
  const shortened = new Set<string>();
  let goldColumns = 0;
  let keptColumns = 0;
  const lost = [...gold].filter(([id]) => omitted.has(id)).map(([, name]) => name);
  const named = new Set((goldSql.get(`${task.set} ${task.instance_id}`) ?? '').toLowerCase().match(/\w+/g));
  for (const { id, relation, name } of catalog.schema.attributes) {
    if (!gold.has(relation)) continue;
    if (hidden.has(id)) shortened.add(relation);
    if (!named.has(plain(name))) continue;
    goldColumns += 1;
    if (!hidden.has(id) && !omitted.has(relation)) keptColumns += 1;
    else if (!omitted.has(relation)) lost.push(`${gold.get(relation)}.${name}`);
  }
  const kept = [...gold.keys()].filter((id) => !omitted.has(id));
  return {
    task,
    columns: catalog.schema.attributes.length,
    tokens: compressed.tokens,
    ms,
    gold: gold.size,
    kept: kept.length,
    whole: kept.filter((id) => !shortened.has(id)).length,
    goldColumns,
    keptColumns,
    relations: catalog.schema.relations.length,
    omitted: omitted.size,
    shortened: hidden.size > 0,
    lost,
  };
}

function report(name: string, group: readonly Score[]): void {
  const sum = (pick: (score: Score) => number): number => group.reduce((total, score) => total + pick(score), 0);
  const all = group.filter(({ kept, gold }) => kept === gold).length;
  const needed = group.filter(
    ({ keptColumns, goldColumns, kept, gold }) => keptColumns === goldColumns && kept === gold,
  ).length;
  const whole = group.filter((score) => score.whole === score.gold).length;
  const cut = group.filter(({ omitted, shortened }) => omitted > 0 || shortened);
  const share = (part: number, of: number): string => `${((100 * part) / Math.max(of, 1)).toFixed(1)} %`;
  console.log(
    `${name}: ${group.length} tasks, ${cut.length} of them with something left out besides comments and values`,
  );
  console.log(`  all gold tables in the text      ${all} = ${share(all, group.length)}`);
  console.log(`  all columns that gold SQL names  ${needed} = ${share(needed, group.length)}`);
  console.log(`  all of them with all columns     ${whole} = ${share(whole, group.length)}`);
  if (cut.length > 0) {
    const allCut = cut.filter(({ kept, gold }) => kept === gold).length;
    const relations = cut.reduce((total, score) => total + 1 - score.omitted / score.relations, 0);
    console.log(
      `  of those with something left out ${allCut} = ${share(allCut, cut.length)}; relations in the text: ${share(relations, cut.length)}`,
    );
  }
  console.log(`  columns that gold SQL names      ${sum((s) => s.keptColumns)} of ${sum((s) => s.goldColumns)}`);
  console.log(
    `  mean ${Math.round(sum((s) => s.tokens) / Math.max(group.length, 1))} tokens, ${Math.round(sum((s) => s.ms) / Math.max(group.length, 1))} ms, slowest ${Math.round(Math.max(0, ...group.map(({ ms }) => ms)))} ms`,
  );
}

console.log(
  `Budget ${maxTokens} tokens (o200k_base), ${values.bare ? 'without' : 'with'} descriptions and sample rows`,
);
report(`${values.set}, all`, scores);
report(
  `${values.set}, databases above 3,000 columns`,
  scores.filter(({ columns }) => columns > 3_000),
);
if (unscored.length > 0) console.log(`Without a gold table in the catalog, not scored: ${unscored.join(', ')}`);
if (values.list)
  for (const { task, lost } of scores)
    if (lost.length > 0)
      console.log(
        `${task.instance_id} ${task.db}: ${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''}`,
      );
