import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CONTENDERS } from './contenders.ts';
import { generateValues } from './generate-values.ts';
import { pick, seededRandom } from './random.ts';
import { SURFACE_CHANGES } from './surface-changes.ts';

/** Look-ups of one kind. */
const LOOKUPS = 250;

export interface ContenderRequest {
  readonly contender: string;
  readonly size: number;
  /** For the look-ups of one kind. */
  readonly seconds: number;
  readonly seed: number;
}

export interface LookupFigures {
  readonly kind: string;
  readonly done: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  /** Share of the look-ups whose value was among the first five. */
  readonly recall: number;
}

export interface ContenderFigures {
  readonly buildMs: number;
  /** Processor time of building, all threads. */
  readonly cpuMs: number;
  /** By how much the process grew over building. */
  readonly memoryBytes: number;
  readonly bytesOnDisk: number | undefined;
  readonly lookups: readonly LookupFigures[];
}

/** In a process of its own, so that the memory of one says nothing about another. */
export function measureInChild(request: ContenderRequest): Promise<ContenderFigures> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(request)], {
    execArgv: ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.on('message', (figures) => resolve(figures as ContenderFigures));
    child.on('exit', (code) => reject(new Error(`${request.contender} ended with ${code} and without figures.`)));
  });
}

async function measure({ contender, size, seconds, seed }: ContenderRequest): Promise<ContenderFigures> {
  const kind = CONTENDERS.find(({ name }) => name === contender);
  if (kind === undefined) throw new Error(`There is no ${contender}.`);
  const values = [...generateValues(size, seed)];
  globalThis.gc?.();
  const memoryBefore = process.memoryUsage().rss;
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const built = await kind.build(values);
  const buildMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  globalThis.gc?.();
  const memoryBytes = Math.max(0, process.memoryUsage().rss - memoryBefore);
  const lookups: LookupFigures[] = [];
  for (const [name, wanted] of lookupsOf(values, seed)) {
    const times: number[] = [];
    let found = 0;
    const deadline = performance.now() + seconds * 1_000;
    for (const { text, wanted: value } of wanted) {
      const before = performance.now();
      const cells = await built.find(text);
      times.push(performance.now() - before);
      if (cells.includes(value)) found += 1;
      if (performance.now() > deadline) break;
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    lookups.push({ kind: name, done: times.length, p50: at(0.5), p95: at(0.95), recall: found / times.length });
  }
  await built.close();
  return { buildMs, cpuMs: (user + system) / 1_000, memoryBytes, bytesOnDisk: built.bytesOnDisk, lookups };
}

interface Lookup {
  readonly text: string;
  readonly wanted: string;
}

function lookupsOf(values: readonly string[], seed: number): ReadonlyMap<string, readonly Lookup[]> {
  const random = seededRandom(seed + 1_000);
  return new Map(
    Object.entries(SURFACE_CHANGES).map(([kind, change]) => {
      const made: Lookup[] = [];
      while (made.length < LOOKUPS) {
        const wanted = pick(values, random);
        const text = change(wanted, random);
        if (text !== undefined && (kind === 'exact' || text !== wanted)) made.push({ text, wanted });
      }
      return [kind, made];
    }),
  );
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await measure(JSON.parse(process.argv[2] ?? '') as ContenderRequest);
  process.send?.(figures);
  process.disconnect?.();
}
