/**
 * MetricFlow as an oracle: the metrics of jaffle-shop over DuckDB, as dbt computes them and as we do. Usage:
 *
 * pnpm bars:metricflow [--rows] [--python python3]
 *
 * Asks MetricFlow twice: of dbt's own files, and of what `exportDbt` makes of them once they are imported. Both have to
 * be parsed without a warning. Exits with 1 where rows differ and the request does not say why. Needs ASKEMA_DATA and
 * a Python with the packages of requirements.txt.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { AskemaError, type Catalog } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { DuckDBInstance } from '@duckdb/node-api';
import { readYaml } from '../../../packages/knowledge/src/formats/read-yaml.ts';
import {
  bindKnowledge,
  compileMetrics,
  exportDbt,
  importDbt,
  type Knowledge,
  type TextFile,
} from '../../../packages/knowledge/src/index.ts';
import { jaffleStar } from '../../../packages/knowledge/src/test-support/jaffle/jaffle-star.ts';
import { JAFFLE } from '../../../packages/knowledge/src/test-support/jaffle/metric-cases.ts';
import type { PlainStar } from '../../../packages/knowledge/src/test-support/plain-star.ts';
import { starCatalog, starStatements } from '../../../packages/knowledge/src/test-support/star-tables.ts';
import { PAIRS, type Pair } from './requests.ts';

type Section = Readonly<Record<string, unknown>>;
type Answer = { readonly rows: readonly (readonly unknown[])[] } | { readonly error: string };

const HERE = import.meta.dirname;
const SPINE = {
  name: 'metricflow_time_spine',
  time_spine: { standard_granularity_column: 'date_day' },
  columns: [{ name: 'date_day', granularity: 'day' }],
};

const { values: flags } = parseArgs({
  options: { rows: { type: 'boolean', default: false }, python: { type: 'string', default: 'python3' } },
});
const { python } = flags;
const root = mkdtempSync(join(tmpdir(), 'askema-metricflow-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

const star = withBalances(jaffleStar({ typed: true }));
const files = dbtFiles();
const imported = importDbt(files).knowledge;
const exported = exportDbt({ schemaVersion: 1, problems: [], ...imported });
const ours = await runOurs({ schemaVersion: 1, problems: [], ...imported }, starCatalog(star, duckdbDialect));

let failures = 0;
for (const [asked, project] of [
  ['files', files],
  ['export', exported.files],
] as const) {
  const theirs = await askMetricFlow(asked, project);
  const same = PAIRS.filter((pair, at) => judge(asked, pair, ours[at], theirs[at])).length;
  console.log(`${asked}: ${same} of ${PAIRS.length} requests have the same rows`);
}
process.exitCode = failures === 0 ? 0 : 1;

/** The semantic layer alone: tests and unit tests of the project need packages and models that are not here. */
function dbtFiles(): TextFile[] {
  const own = readdirSync(join(JAFFLE, 'dbt'))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => {
      const { semantic_models, metrics } = readYaml(readFileSync(join(JAFFLE, 'dbt', name), 'utf8'), name)
        .value as Section;
      return { path: name, text: JSON.stringify({ semantic_models, metrics }) };
    });
  const extra = { path: 'extra.yml', text: readFileSync(join(HERE, 'extra.yml'), 'utf8') };
  return [...own, extra, { path: 'spine.yml', text: JSON.stringify({ models: [SPINE] }) }];
}

/** What each location has taken in so far, on each day on which it took something. */
function withBalances(jaffle: PlainStar): PlainStar {
  const totals = new Map<unknown, number>();
  const orders = jaffle.tables.find(({ name }) => name === 'orders')?.rows ?? [];
  const balances = new Map<string, Record<string, string | number>>();
  for (const row of [...orders].sort((one, other) => (String(one.ordered_at) < String(other.ordered_at) ? -1 : 1))) {
    const balance = (totals.get(row.location_id) ?? 0) + Math.round(Number(row.order_total) * 100);
    totals.set(row.location_id, balance);
    const [location_id, booked_on] = [String(row.location_id), String(row.ordered_at)];
    balances.set(`${location_id} ${booked_on}`, { location_id, booked_on, balance: balance / 100 });
  }
  const columns = [
    { name: 'location_id', type: 'text' },
    { name: 'booked_on', type: 'date' },
    { name: 'balance', type: 'decimal' },
  ] as const;
  return { ...jaffle, tables: [...jaffle.tables, { name: 'balances', columns, rows: [...balances.values()] }] };
}

async function openDuckDB(file: string) {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const sql of starStatements(star, duckdbDialect)) await connection.run(sql);
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function runOurs(knowledge: Knowledge, catalog: Catalog): Promise<readonly Answer[]> {
  const bound = bindKnowledge(knowledge, { catalog, dialect: duckdbDialect });
  for (const problem of bound.problems) throw new Error(problem.message);
  const { connection, close } = await openDuckDB(':memory:');
  const answers: Answer[] = [];
  for (const { ours: request } of PAIRS) {
    try {
      const reader = await connection.runAndReadAll(compileMetrics(request, bound).sql);
      answers.push({ rows: reader.getRowsJS() });
    } catch (thrown) {
      if (!(thrown instanceof AskemaError)) throw thrown;
      answers.push({ error: thrown.message });
    }
  }
  close();
  return answers;
}

async function askMetricFlow(name: string, project: readonly TextFile[]): Promise<readonly Answer[]> {
  const folder = join(root, name);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write(
    'dbt_project.yml',
    JSON.stringify({ name, version: '1.0', profile: 'p', flags: { send_anonymous_usage_stats: false } }),
  );
  write(
    'profiles.yml',
    JSON.stringify({ p: { target: 'd', outputs: { d: { type: 'duckdb', path: 'jaffle.duckdb' } } } }),
  );
  for (const { path, text } of project) write(`models/${path}`, text);
  // They are never built: the tables are there.
  for (const table of star.tables) write(`models/${table.name}.sql`, 'SELECT 1');
  (await openDuckDB(join(folder, 'jaffle.duckdb'))).close();
  const run = (program: string, args: readonly string[], input = ''): string => {
    const ran = spawnSync(program, args, { cwd: folder, input, encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`${args.join(' ')}\n${ran.stdout}\n${ran.stderr}`);
    return ran.stdout;
  };
  const parsed = run(python, ['-m', 'dbt.cli.main', '--no-use-colors', 'parse', '--show-all-deprecations']);
  if (/WARN|Error/i.test(parsed)) {
    failures += 1;
    console.log(`dbt parse of ${name}:\n${parsed}`);
  }
  const asked = PAIRS.map(({ ours: { metrics }, by = [], where = [], start, end }) => ({
    metrics,
    by,
    where,
    start,
    end,
  }));
  return JSON.parse(
    run(python, [join(HERE, 'query.py')], JSON.stringify(asked))
      .trim()
      .split('\n')
      .at(-1) ?? '',
  );
}

/** Whether the rows are the same. */
function judge(asked: 'files' | 'export', { ours: request, differs }: Pair, own?: Answer, other?: Answer): boolean {
  const [mine, theirs] = [linesOf(own), linesOf(other)];
  const isSame = mine.length === theirs.length && mine.every((line, at) => line === theirs[at]);
  const why = (differs?.in ?? asked) === asked ? differs?.why : undefined;
  if (isSame && why === undefined) return true;
  const what = isSame ? 'the same rows' : 'other rows';
  console.log(`${JSON.stringify(request)}: ${what}: ${why ?? 'it is not known why'}`);
  // A difference that has gone is one to look at, too.
  if (isSame || why === undefined) failures += 1;
  else if (!flags.rows) return false;
  const list = (title: string, lines: readonly string[], others: readonly string[]): void =>
    console.log([`  ${title}:`, ...lines.filter((line) => !others.includes(line)).slice(0, 6)].join('\n    '));
  list('ours alone', mine, theirs);
  list('theirs alone', theirs, mine);
  return isSame;
}

function linesOf(answer: Answer | undefined): readonly string[] {
  if (answer === undefined || 'error' in answer) return [`error: ${answer?.error}`];
  return answer.rows.map((row) => row.map(textOf).join(' | ')).sort();
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return 'NULL';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell === 'boolean' || typeof cell === 'string') return String(cell);
  return Number(cell)
    .toPrecision(9)
    .replace(/\.?0+(e|$)/, '$1');
}
