import { describeCrashes } from '@askema/testkit';
import { sqlite } from './index.ts';
import { makeDatabase } from './test-support/make-database.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';

const GREEDY =
  'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000) SELECT count(*) FROM (SELECT x, zeroblob(4000) || x AS filler FROM n ORDER BY hex(filler))';

describeCrashes('sqlite', {
  open(options) {
    const folder = temporaryFolder();
    const file = makeDatabase(folder.file('x.sqlite'), 'CREATE TABLE t (id); INSERT INTO t VALUES (1), (2)');
    const spec = sqlite({ file, ...options });
    return { spec, pids: spec.workerPids, dispose: () => folder[Symbol.dispose]() };
  },
  processes: (poolSize) => poolSize,
  endless: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n',
  greedy: [GREEDY],
  greedyBytes: 160 * 1024 * 1024,
});
