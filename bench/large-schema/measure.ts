import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isBuilt } from '../command/processes.ts';
import type { Table } from '../harness/bench.ts';
import { showMs } from '../harness/render.ts';
import { scratchFile, scratchFolder } from '../harness/scratch.ts';
import type { Asked } from './ask-twice.ts';
import { COLUMNS, makeDatabase, QUESTION } from './make-database.ts';

/** Tables, and how long the whole command may take, in milliseconds. */
const SIZES: readonly (readonly [tables: number, most: number | undefined])[] = [
  [200, 500],
  [2_000, 1_000],
  [8_750, undefined],
  [20_000, 6_000],
];
/** The second start, as a share of the first one. */
const SECOND_START_TABLES = 20_000;
const SECOND_START_SHARE = 0.25;
/** The second question. */
const SECOND_MS = 100;
/** 70,000 columns. */
const MEMORY_TABLES = 8_750;
const MEMORY_MB = 500;

const run = promisify(execFile);
const COMMAND = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
const TWICE = fileURLToPath(new URL('./ask-twice.ts', import.meta.url));

export async function measureQuestions({ quick }: { readonly quick: boolean }): Promise<Table> {
  if (!isBuilt()) throw new Error('Run `npx -y pnpm@10 -s build` first.');
  const rows: (number | string)[][] = [];
  const remarks: string[] = [];
  const expect = (what: string, value: number, most: number | undefined, unit: string): void => {
    if (most !== undefined && value > most)
      remarks.push(`${what}: ${Math.round(value)} ${unit}; it shall be ${most} ${unit} at most.`);
  };
  for (const [tables, most] of SIZES.slice(0, quick ? 2 : undefined)) {
    const file = await scratchFile(`large-${tables}.sqlite`, (path) => makeDatabase(path, tables));
    // In turn, so that what else the machine does slows down both.
    const [starts, again]: [number[], number[]] = [[], []];
    for (let round = 0; round < 4; round += 1) {
      starts.push(await askOnce(file, '--refresh'));
      again.push(await askOnce(file));
    }
    const [ask, second] = [starts, again].map((times) => Math.min(...times.slice(1))) as [number, number];
    const [lexical, plain] = [await askTwice(file, 'lexical'), await askTwice(file, 'plain')];
    const memory = Math.max(lexical.memoryMb, plain.memoryMb);
    expect(`\`ask\` over ${tables} tables`, ask, most, 'ms');
    const share = Math.round((second / ask) * 100);
    if (tables === SECOND_START_TABLES)
      expect(`The second start over ${tables} tables, of the first`, share, SECOND_START_SHARE * 100, '%');
    for (const [way, { second }] of Object.entries({ lexical, plain }))
      expect(`The second question (${way}) over ${tables} tables`, second.ms, SECOND_MS, 'ms');
    if (tables === MEMORY_TABLES) expect(`${tables * COLUMNS} columns`, memory, MEMORY_MB, 'MB');
    const show = ({ first, second }: Asked): string[] => [
      showMs(first.processorMs),
      showMs(second.ms),
      showMs(second.processorMs),
    ];
    rows.push([
      tables,
      tables * COLUMNS,
      showMs(ask),
      showMs(second),
      `${share} %`,
      ...show(lexical),
      ...show(plain),
      `${Math.round(memory)} MB`,
    ]);
  }
  const heads = (way: string): string[] => [`first, ${way}: processor`, `second, ${way}`, `second, ${way}: processor`];
  return {
    columns: [
      'tables',
      'columns',
      '`ask`, best of 3',
      'second start',
      'of the first',
      ...heads('lexical'),
      ...heads('plain'),
      'memory',
    ],
    rows,
    remarks,
  };
}

async function askOnce(file: string, ...flags: readonly string[]): Promise<number> {
  const { PATH, HOME } = process.env;
  const cache = `${scratchFolder()}/cache`;
  const env = { PATH, HOME, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache, OLLAMA_HOST: '127.0.0.1:1' };
  const before = performance.now();
  const running = run(process.execPath, [COMMAND, 'ask', file, QUESTION, ...flags], { env });
  running.child.stdin?.end();
  const { stdout } = await running;
  if (!stdout.includes('(2 rows)')) throw new Error(`The command printed: ${stdout}`);
  return performance.now() - before;
}

/** The median of three instances by the second question. Without the condition that means sources. */
async function askTwice(file: string, way: 'lexical' | 'plain'): Promise<Asked> {
  const asked: Asked[] = [];
  while (asked.length < 3) {
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', TWICE, file, way]);
    asked.push(JSON.parse(stdout) as Asked);
  }
  return asked.sort((a, b) => a.second.ms - b.second.ms)[1] as Asked;
}
