import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import { showBytes } from '../harness/render.ts';
import { scratchFile, scratchFolder } from '../harness/scratch.ts';
import type { Way } from './child.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const BUILT = fileOf('../../packages/cli/dist/main.js');
const CHILD = fileOf('./child.ts');
const ALL = 'SELECT id, customer, city, total, placed FROM orders';
const LOOK_MS = 10;
const DRIVER = 'better-sqlite3, `iterate()` to csv';
/** What a process that streams may ever have. */
const MOST_BYTES = 150e6;

interface Measured {
  readonly seconds: number;
  readonly bytes: number;
  readonly workerBytes: number;
}

/** Needs the built packages: what npm installs is measured, without the stripping of types. */
export async function measureWays({ quick }: { readonly quick: boolean }): Promise<Table> {
  if (!existsSync(BUILT)) throw new Error('Run `npx -y pnpm@10 -s build` first.');
  const rows = quick ? 100_000 : 1_000_000;
  const file = await scratchFile(`rows-${rows}.sqlite`, (name) => makeTable(name, rows));
  const ask = (sql: string, ...flags: readonly string[]): readonly string[] => [
    BUILT,
    ...['ask', file, 'Which orders are there?', '--config', configOf(sql), '--timeout', '10m', ...flags],
  ];
  const child = (way: Way): readonly string[] => ['--disable-warning=ExperimentalWarning', CHILD, way, file, ALL];
  const held = ['--max-rows', String(rows)];
  const ways: readonly (readonly [name: string, args: readonly string[]])[] = [
    ['node -e 0', ['-e', '0']],
    ['`askema ask`, one row', ask('SELECT count(*) AS orders FROM orders', '--format', 'csv')],
    [DRIVER, child('driver')],
    ['**askema, `stream` to csv**', child('stream')],
    ['**askema, `query` to csv, held**', child('query')],
    ['**`askema ask --format csv`**', ask(ALL, '--format', 'csv')],
    ['**`askema ask --format jsonl`**', ask(ALL, '--format', 'jsonl')],
    ['**`askema ask --format json`, held**', ask(ALL, '--format', 'json', ...held)],
  ];
  const found = ways.map((): Measured[] => []);
  for (let round = 0; round < (quick ? 1 : 5); round += 1)
    for (const [index, [, args]] of ways.entries()) found[index]?.push(await measure(args));
  const summaries = ways.map(([name], index) => summaryOf(name, found[index] ?? []));
  return {
    columns: ['', 'rows', 'seconds', 'most memory', 'of its worker'],
    rows: summaries.map(({ name, seconds, bytes, workerBytes }) => [
      name,
      name.includes('one row') ? 1 : name.startsWith('node') ? 0 : rows,
      seconds,
      showBytes(bytes),
      workerBytes === 0 ? '' : showBytes(workerBytes),
    ]),
    remarks: remarksOn(summaries),
  };
}

interface Summary extends Measured {
  readonly name: string;
}

function summaryOf(name: string, runs: readonly Measured[]): Summary {
  const seconds = runs.map((run) => run.seconds).sort((a, b) => a - b);
  return {
    name,
    seconds: quantile(seconds, 0.5),
    bytes: Math.max(...runs.map(({ bytes }) => bytes)),
    workerBytes: Math.max(...runs.map(({ workerBytes }) => workerBytes)),
  };
}

function remarksOn(summaries: readonly Summary[]): readonly string[] {
  const driver = summaries.find(({ name }) => name === DRIVER)?.seconds ?? Number.NaN;
  return summaries
    .filter(({ name }) => name.startsWith('**'))
    .flatMap(({ name, seconds, bytes }) => [
      ...(seconds > driver ? [`${name} took ${(seconds / driver).toPrecision(2)} times as long as the driver.`] : []),
      ...(bytes > MOST_BYTES && !name.includes('held')
        ? [`${name} had ${showBytes(bytes)}; it shall have ${showBytes(MOST_BYTES)} at most.`]
        : []),
    ]);
}

/** Runs Node to its end, with stdout in a file. */
async function measure(args: readonly string[]): Promise<Measured> {
  const output = openSync(path.join(scratchFolder(), 'output'), 'w');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, OLLAMA_HOST: '127.0.0.1:1' };
  const started = performance.now();
  const running = spawn(process.execPath, args, { env, stdio: ['ignore', output, 'pipe'] });
  let errors = '';
  running.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  let bytes = 0;
  let workerBytes = 0;
  const look = (): void => {
    bytes = Math.max(bytes, peakOf(running.pid));
    for (const pid of childrenOf(running.pid)) workerBytes = Math.max(workerBytes, peakOf(pid));
  };
  const timer = setInterval(look, LOOK_MS);
  const code = await new Promise<number | null>((resolve) => running.on('close', resolve));
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(timer);
  closeSync(output);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${errors}`);
  return { seconds, bytes, workerBytes };
}

/** https://man7.org/linux/man-pages/man5/proc_pid_status.5.html; 0 where there is none (any more). */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number | undefined): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** A configuration whose solver answers with this statement. */
function configOf(sql: string): string {
  const file = path.join(scratchFolder(), `config-${sql.length}.mjs`);
  const value = { outcome: 'sql', sql, explanation: '', not_understood: [] };
  const solved = { value, usage: {}, calls: 1, solvedBy: 'scripted', warnings: [] };
  const solver = `{ name: 'scripted', supports: () => true, solve: async () => (${JSON.stringify(solved)}) }`;
  writeFileSync(file, `export default { models: { scripted: () => (${solver}) }, defaults: { model: 'scripted' } };\n`);
  return file;
}

async function makeTable(file: string, rows: number): Promise<void> {
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(file);
  database.exec(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, city TEXT, total REAL NOT NULL, placed TEXT NOT NULL);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT INTO orders SELECT i, 'customer ' || (i * 7919 % 50000), CASE i % 11 WHEN 0 THEN NULL ELSE 'city ' || (i % 240) END,
      (i * 37 % 100000) / 100.0, date('2020-01-01', '+' || (i % 1800) || ' days') FROM n`);
  database.close();
}
