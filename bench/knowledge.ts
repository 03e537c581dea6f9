/** Folders of knowledge, loaded, and metrics of them, compiled. Usage: npm run -s knowledge --prefix bench [-- --quick] */
import path from 'node:path';
import { loadKnowledge, usableKnowledge } from '../packages/knowledge/src/index.ts';
import type { Bench, Table } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { quantile } from './harness/measure-work.ts';
import { scratchFolder } from './harness/scratch.ts';
import { type Amount, makeFolder } from './knowledge/make-folder.ts';
import { measureCompiling } from './knowledge/measure-compiling.ts';
import { selecting } from './knowledge/selecting.ts';

const LARGE: Amount = { metrics: 500, queries: 5_000, fields: 20_000 };
const SMALL: Amount = { metrics: 50, queries: 500, fields: 2_000 };

async function measureLoading({ quick }: { readonly quick: boolean }): Promise<Table> {
  const rows: (number | string)[][] = [];
  for (const amount of quick ? [SMALL] : [SMALL, LARGE])
    for (const as of ['yaml', 'json'] as const) {
      const folder = path.join(scratchFolder(), `knowledge-${amount.fields}-${as}`);
      const bytes = makeFolder(folder, amount, as);
      const times: number[] = [];
      for (let round = 0; round < (quick ? 3 : 9); round += 1) {
        const before = performance.now();
        const { knowledge } = usableKnowledge(await loadKnowledge(folder));
        times.push(performance.now() - before);
        const fields = knowledge.models[0]?.datasets.reduce((sum, dataset) => sum + dataset.fields.length, 0);
        if (
          fields !== amount.fields ||
          knowledge.verifiedQueries.length !== amount.queries ||
          knowledge.problems.length > 0
        )
          throw new Error('The folder was not read as it was made.');
      }
      const [first = Number.NaN] = times;
      times.sort((a, b) => a - b);
      rows.push([amount.metrics, amount.queries, amount.fields, as, bytes / 1e6, first, quantile(times, 0.5)]);
    }
  return { columns: ['metrics', 'verified queries', 'fields', 'model as', 'MB', 'first, ms', 'median, ms'], rows };
}

export const bench: Bench = {
  id: 'knowledge',
  title: 'Knowledge',
  about:
    'A folder of knowledge with one model and a file for each verified query, from its files to what may be used; the SQL of its metrics; and what a question needs of it.',
  peers: [],
  parts: [
    {
      kind: 'measurement',
      id: 'loading',
      title: 'Loading a folder',
      about:
        'Files stand in the cache of the system. *First* is the first time in the process, before the code is compiled.',
      measure: measureLoading,
    },
    selecting({ small: SMALL, large: LARGE }),
    {
      kind: 'measurement',
      id: 'compiling',
      title: 'Compiling metrics',
      about:
        'A request for metrics of three datasets, or of one, by month and by a field of a dataset that all of them join, under a condition on that dataset and one on the time. *Looked up* is `bindKnowledge`. *First* is the first time with these definitions; in the first row also the first time in the process. *First of others* is the first time with definitions that were looked up anew, when the code has run before.',
      measure: ({ quick }) => measureCompiling(quick ? [SMALL] : [LARGE, SMALL], quick ? 20 : 300),
    },
  ],
  notes: [
    'YAML is read by `js-yaml`.',
    'Compiling was measured against no peer: Cube (npm) and MetricFlow (Python) compile metrics as well, but of models in their own formats and to other statements. The first time in a process is mostly V8, which reads and compiles the functions that it runs for the first time. The first time with definitions also indexes their joins.',
  ],
};

await main(import.meta.url, bench);
