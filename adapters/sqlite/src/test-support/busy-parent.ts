import { createCallContext, QUERY_DEFAULTS } from '@askema/core';
import { sqlite } from '../index.ts';

/** Starts a statement, prints the process ids of the workers when it is under way, and waits for its own end. */
const [file = '', sql = '', access = 'read'] = process.argv.slice(2);
const adapter = sqlite({ file, access: access === 'write' ? 'write' : 'read' });
const options = { ...QUERY_DEFAULTS, timeoutMs: 60_000, context: createCallContext() };
for await (const _ of adapter.executor.execute('SELECT 1', options));
const work = (async () => {
  for await (const _ of adapter.executor.execute(sql, { ...options, access: adapter.access }));
})();
// The statement has been sent by now; a moment more, and it runs.
setTimeout(() => process.stdout.write(`${adapter.workerPids().join(' ')}\n`), 200);
await work;
