import type { Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import { showMs } from '../harness/render.ts';
import { ask, askModel, emptyProgram, help, isBuilt, type Process } from './processes.ts';

const EMPTY = 'node -e 0';

interface Start {
  readonly name: string;
  readonly run: Process;
  /** How many times as long as an empty program it may take. */
  readonly most?: number | undefined;
}

/**
 * Each process in turn, again and again, so that what else the machine does meets all of them alike. The first round
 * fills caches and does not count.
 */
export async function measureStarts({ quick }: { readonly quick: boolean }): Promise<Table> {
  if (!isBuilt()) throw new Error('Run `npx -y pnpm@10 -s build` first.');
  const model = await askModel();
  const starts: readonly Start[] = [
    { name: EMPTY, run: emptyProgram },
    { name: '`askema --help`, installed', run: help('built'), most: 2 },
    { name: '`askema ask`, installed', run: ask('built'), most: 8 },
    { name: '`askema ask`, in a clone', run: ask('sources'), most: 25 },
    { name: '`askema --help`, in a clone', run: help('sources') },
    { name: '`askema ask`, installed, nothing kept of earlier starts', run: ask('built', { cache: false }) },
    { name: '`askema ask` with a model, installed', run: model.run('built') },
    { name: '`askema ask` with a model, in a clone', run: model.run('sources') },
  ];
  const times = starts.map((): number[] => []);
  for (let round = 0; round <= (quick ? 5 : 25); round += 1)
    for (const [index, { run }] of starts.entries()) {
      const before = performance.now();
      await run();
      if (round > 0) times[index]?.push(performance.now() - before);
    }
  await model.close();
  for (const list of times) list.sort((a, b) => a - b);
  const medians = times.map((list) => quantile(list, 0.5));
  const ratios = medians.map((median) => median / (medians[0] ?? Number.NaN));
  const show = (list: readonly number[], share: number): string => showMs(quantile(list, share));
  return {
    columns: ['', 'runs', 'median', 'quartiles', `: ${EMPTY}`, 'at most'],
    rows: starts.map(({ name, most }, index) => {
      const list = times[index] ?? [];
      const quartiles = `${show(list, 0.25)} … ${show(list, 0.75)}`;
      return [name, list.length, show(list, 0.5), quartiles, (ratios[index] ?? 0).toPrecision(3), most ?? ''];
    }),
    remarks: starts.flatMap(({ name, most }, index) => {
      const ratio = ratios[index] ?? 0;
      if (most === undefined || ratio <= most) return [];
      return [
        `${name} took ${ratio.toPrecision(3)} times as long as \`${EMPTY}\`; it shall take ${most} times at most.`,
      ];
    }),
  };
}
