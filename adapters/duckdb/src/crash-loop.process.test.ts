import { writeFileSync } from 'node:fs';
import { describeCrashes } from '@askema/testkit';
import { duckdb } from './index.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';

describeCrashes('duckdb', {
  open(options) {
    const folder = temporaryFolder();
    writeFileSync(folder.file('t.csv'), 'id\n1\n2\n');
    const spec = duckdb({ files: folder.file('t.csv'), ...options });
    return { spec, pids: spec.workerPids, dispose: () => folder[Symbol.dispose]() };
  },
  processes: () => 1,
  endless: 'SELECT md5(range::VARCHAR) FROM range(1000000000000)',
  greedy: ["SELECT printf('%2000000000d', 1)"],
  greedyBytes: 64 * 1024 * 1024,
  crashing: ["SELECT json_structure((repeat('[', 100000) || repeat(']', 100000))::JSON)"],
});
