import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../command/processes.ts';
import type { Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import { exponentOf, showMs, showNumber } from '../harness/render.ts';
import { scratchFile } from '../harness/scratch.ts';
import { makeDatabase } from '../large-schema/make-database.ts';
import type { Asked } from './ask-twice.ts';

const SIZES = [10, 100, 1_000, 10_000];
const WHOLE = 'whole schema';
const WAYS = [WHOLE, 'direct', 'plain', 'auto', 'inspect', 'react', 'refine'];
/** What a context commonly holds. */
const CONTEXT = 200_000;
const CHILD = fileURLToPath(new URL('./ask-twice.ts', import.meta.url));

interface Found {
  readonly size: number;
  readonly way: string;
  readonly first: Asked;
  readonly second: Asked;
}

type Questions = readonly [first: Asked, second: Asked];

/** What each way sends at each size. */
export async function measureTokens({ quick }: { readonly quick: boolean }): Promise<Table> {
  const found = await measureSizes(quick, 1);
  const rows = found.map(({ size, way, first, second }) => {
    const share = (part: number, of: Asked): string => `${Math.round((part / of.tokens) * 100)} %`;
    const before = at(found, size / 10, way)?.first.tokens;
    const exponent = before === undefined ? undefined : exponentOf(size / 10, before, size, first.tokens);
    return [
      size,
      nameOf(way),
      first.calls,
      first.tokens,
      showNumber(first.tokens / (at(found, size, WHOLE)?.first.tokens ?? Number.NaN)),
      exponent === undefined ? '' : `n^${exponent.toFixed(2).replace('-0.00', '0.00')}`,
      first.largest <= CONTEXT ? 'yes' : `no: ${showNumber(first.largest / CONTEXT)} times as long`,
      share(first.repeated, first),
      share(first.repeatedAll, first),
      share(second.repeated, second),
      share(second.repeatedAll, second),
    ];
  });
  return {
    columns: [
      ...['relations', '', 'calls', 'prompt tokens', `: ${WHOLE}`, 'grew as', `fits ${CONTEXT.toLocaleString('en')}`],
      ...['repeated', 'repeated, tools and schema too', 'second question: repeated', 'tools and schema too'],
    ],
    rows,
    remarks: WAYS.flatMap((way) => remarkOn(found, way, 'prompt tokens', ({ first }) => first.tokens)),
  };
}

/** What each way takes at each size, without the model. */
export async function measureTimes({ quick }: { readonly quick: boolean }): Promise<Table> {
  const found = await measureSizes(quick, quick ? 1 : 3);
  const rows = found.map(({ size, way, first, second }) => {
    const whole = at(found, size, WHOLE);
    const cells = (asked: Asked, peer: Asked | undefined): string[] => [
      showMs(asked.ms),
      showNumber(asked.ms / (peer?.ms ?? Number.NaN)),
      showMs(asked.processorMs),
    ];
    return [size, nameOf(way), ...cells(first, whole?.first), ...cells(second, whole?.second)];
  });
  const columns = (which: string): string[] => [
    `${which} question`,
    `: ${WHOLE}, ${which}`,
    `${which} question: processor`,
  ];
  return {
    columns: ['relations', '', ...columns('first'), ...columns('second')],
    rows,
    remarks: WAYS.flatMap((way) => [
      ...remarkOn(found, way, 'milliseconds of the first question', ({ first }) => first.ms),
      ...remarkOn(found, way, 'milliseconds of the second question', ({ second }) => second.ms),
    ]),
  };
}

const at = (found: readonly Found[], size: number, way: string): Found | undefined =>
  found.find((one) => one.size === size && one.way === way);

const nameOf = (way: string): string => (way === WHOLE ? way : `**${way}**`);

/** All ways in turn, each time in a process of its own. */
async function measureSizes(quick: boolean, rounds: number): Promise<readonly Found[]> {
  if (!isBuilt()) throw new Error('Run `npx -y pnpm@10 -s build` first.');
  const found: Found[] = [];
  for (const size of quick ? SIZES.slice(0, 3) : SIZES) {
    const file = await scratchFile(`flows-${size}.sqlite`, (path) => makeDatabase(path, size));
    const runs = new Map<string, Questions[]>(WAYS.map((way) => [way, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [way, results] of runs) {
        // Without the condition that means sources.
        const args = ['--disable-warning=ExperimentalWarning', CHILD, file, way];
        results.push(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Questions);
      }
    for (const [way, results] of runs)
      found.push({ size, way, first: medianOf(results, 0), second: medianOf(results, 1) });
  }
  return found;
}

/** What was sent is the same each time; of times, the median. */
function medianOf(results: readonly Questions[], question: 0 | 1): Asked {
  const all = results.map((result) => result[question]);
  const median = (of: (asked: Asked) => number): number =>
    quantile(
      all.map(of).sort((a, b) => a - b),
      0.5,
    );
  return { ...(all[0] as Asked), ms: median(({ ms }) => ms), processorMs: median(({ processorMs }) => processorMs) };
}

/** Where a flow has more of something than the whole schema. */
function remarkOn(found: readonly Found[], way: string, what: string, of: (found: Found) => number): readonly string[] {
  const ratios = found.flatMap((ours) => {
    const whole = ours.way === way ? at(found, ours.size, WHOLE) : undefined;
    const ratio = whole === undefined ? 0 : of(ours) / of(whole);
    return ratio > 1.05 ? [`${showNumber(ratio)} times at ${ours.size.toLocaleString('en')} relations`] : [];
  });
  return ratios.length === 0 ? [] : [`${way}, ${what} beside those of the whole schema: ${ratios.join(', ')}.`];
}
