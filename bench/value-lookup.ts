/**
 * Looks values up by other forms of their text, in the value index and in its peers.
 * Usage: npm run values --prefix bench [-- --sizes 10000,100000,1000000] [--seconds 20] [--only value-index]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { CONTENDERS, type ContenderKind } from './values/contenders.ts';
import { generateValues } from './values/generate-values.ts';
import { pick, seededRandom } from './values/random.ts';
import { SURFACE_CHANGES } from './values/surface-changes.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    /** For the look-ups of one kind by one contender. */
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const LOOKUPS = 250;

interface Lookup {
  readonly text: string;
  readonly wanted: string;
}

function lookups(values: readonly string[]): ReadonlyMap<string, readonly Lookup[]> {
  const random = seededRandom(Number(options.seed) + 1_000);
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

interface Measured {
  readonly kind: string;
  readonly done: number;
  readonly p50: number;
  readonly p95: number;
  readonly recall: number;
}

async function measure(contender: ContenderKind, values: readonly string[]) {
  globalThis.gc?.();
  const memoryBefore = process.memoryUsage().rss;
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const built = await contender.build(values);
  const buildMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  globalThis.gc?.();
  const memory = process.memoryUsage().rss - memoryBefore;
  const measured: Measured[] = [];
  for (const [kind, wanted] of lookups(values)) {
    const times: number[] = [];
    let found = 0;
    const deadline = performance.now() + Number(options.seconds) * 1_000;
    for (const { text, wanted: value } of wanted) {
      const before = performance.now();
      const cells = await built.find(text);
      times.push(performance.now() - before);
      if (cells.includes(value)) found += 1;
      if (performance.now() > deadline) break;
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    measured.push({ kind, done: times.length, p50: at(0.5), p95: at(0.95), recall: found / times.length });
  }
  await built.close();
  return { buildMs, cpuMs: (user + system) / 1_000, memory, bytesOnDisk: built.bytesOnDisk, measured };
}

for (const size of options.sizes.split(',').map(Number)) {
  const values = [...generateValues(size, Number(options.seed))];
  console.log(`\n## ${size.toLocaleString('en')} distinct values (load ${loadavg()[0]?.toFixed(1)})\n`);
  let own: readonly Measured[] = [];
  for (const contender of CONTENDERS.filter(({ name }) => options.only === undefined || name === options.only)) {
    if (size > contender.maxValues) {
      console.log(
        `${contender.name}: not tried with more than ${contender.maxValues.toLocaleString('en')} values: ${contender.why}\n`,
      );
      continue;
    }
    const { buildMs, cpuMs, memory, bytesOnDisk, measured } = await measure(contender, values);
    if (contender.name === 'value-index') own = measured;
    const disk = bytesOnDisk === undefined ? 'nothing on disk' : `${(bytesOnDisk / 1e6).toFixed(0)} MB on disk`;
    console.log(
      `${contender.name}: built in ${(buildMs / 1_000).toFixed(1)} s (${(cpuMs / 1_000).toFixed(1)} s of processor time), ${disk}, ${(memory / 1e6).toFixed(0)} MB of memory more\n`,
    );
    console.log(
      '| look-up | done | p50 ms | p95 ms | recall@5 | p50 : value-index |\n| --- | --- | --- | --- | --- | --- |',
    );
    for (const [at, { kind, done, p50, p95, recall }] of measured.entries()) {
      const ratio = (p50 / (own[at]?.p50 ?? p50)).toFixed(p50 > (own[at]?.p50 ?? p50) * 10 ? 0 : 1);
      console.log(
        `| ${kind} | ${done} | ${p50.toFixed(2)} | ${p95.toFixed(2)} | ${(recall * 100).toFixed(1)} % | ${ratio} : 1 |`,
      );
    }
    console.log('');
  }
}
