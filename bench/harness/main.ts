import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Figures } from './bench.ts';
import { measureComparison } from './measure-comparison.ts';
import { renderBench } from './render.ts';
import type { BenchResult, ComparisonResult, TableResult } from './result.ts';
import { removeScratch } from './scratch.ts';

const BENCH_FOLDER = fileURLToPath(new URL('..', import.meta.url));
/** What the page is made of. */
export const RESULTS_FOLDER = path.join(BENCH_FOLDER, 'results');
/** What `--quick` measured: never on the page. */
export const QUICK_FOLDER = path.join(BENCH_FOLDER, 'temp');

/**
 * Runs a bench when its file is the program, and does nothing when a child imports it. Writes `results/<id>.json`
 * (`temp/<id>.json` with `--quick`) and prints its tables. `--only <id of a part>` measures one part and writes
 * nothing.
 */
export async function main(file: string, bench: Bench): Promise<void> {
  if (process.argv[1] !== fileURLToPath(file)) return;
  const quick = process.argv.includes('--quick');
  const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
  const startedAt = performance.now();
  const loadBefore = oneMinuteLoad();
  const measuredAt = new Date().toISOString();
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const started = await bench.start?.({ quick });
  if (started !== undefined && 'absent' in started) say(started.absent);
  else Object.assign(process.env, started?.environment);
  const parts: (ComparisonResult | TableResult)[] = [];
  for (const part of bench.parts) {
    if (only !== undefined && part.id !== only) continue;
    if (part.kind === 'comparison') {
      parts.push(await measureComparison(file, part, quick, say));
      continue;
    }
    const { id, title, about, measure } = part;
    say(`${id} …`);
    parts.push({ kind: 'table', id, title, about, ...(await measure({ quick })) });
  }
  const further = await bench.versions?.();
  if (started !== undefined && 'stop' in started) await started.stop();
  removeScratch();
  const processors = cpus();
  const result: BenchResult = {
    schemaVersion: 1,
    id: bench.id,
    title: bench.title,
    about: bench.about,
    command: `npm run -s ${bench.id} --prefix bench`,
    measuredAt,
    quick,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    machine: {
      processor: processors[0]?.model ?? 'unknown',
      cores: processors.length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      // Without what a distribution or a host appends.
      system: `${type()} ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`.trim(),
      load: [loadBefore, oneMinuteLoad()],
    },
    versions: {
      askema: ownVersion(),
      node: process.version,
      ...versionsOf(bench.peers),
      ...further,
    },
    parts,
    notes: bench.notes,
  };
  process.stdout.write(renderBench(result));
  if (only !== undefined) return;
  const folder = quick ? QUICK_FOLDER : RESULTS_FOLDER;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${bench.id}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
}

const oneMinuteLoad = (): number => Number((loadavg()[0] ?? 0).toFixed(1));

/** The commit of the sources; with `+` when something of the packages is not committed. */
function ownVersion(): string {
  try {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: BENCH_FOLDER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const changed = git('status', '--porcelain', '--', '../packages', '../adapters') !== '';
    return `${git('rev-parse', '--short=9', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}

function versionsOf(peers: readonly string[]): Figures {
  return Object.fromEntries(
    peers.map((peer) => {
      try {
        const file = path.join(BENCH_FOLDER, 'node_modules', peer, 'package.json');
        return [peer, String((JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version)];
      } catch {
        return [peer, 'absent'];
      }
    }),
  );
}
