/** Memory of the server, and what one tenant can do to another. Usage: npm run -s server-harm --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'server-harm',
  title: 'The server over time, and under attack',
  about: 'The server of the bench `server` over SQLite, with all that `askema serve` has: keys, audit, runs on disk.',
  peers: ['@hono/node-server', 'autocannon'],
  parts: [
    {
      kind: 'measurement',
      id: 'harm',
      title: 'What one tenant does to another',
      about:
        'Four clients of one tenant ask the questions of an analyst, before, while and after another tenant does harm. `alone` is the mean of before and after.',
      measure: async (options) => (await import('./server/measure-harm.ts')).measureHarm(options),
    },
    {
      kind: 'measurement',
      id: 'memory',
      title: 'Memory over 100,000 requests',
      about:
        'Questions as JSON and as events, each with an `Idempotency-Key` of its own, statements, statements with mistakes, bodies that are none, runs that are not there, keys that nobody has. After each 10,000, garbage is collected and the memory of the process is taken.',
      measure: async (options) => (await import('./server/measure-memory.ts')).measureMemory(options),
    },
  ],
  notes: [
    'Two tenants share the process that answers and the processors; each has an adapter of its own. Callers of one tenant share an adapter as well: there, `statementsAtOnce` keeps one of them from taking all its places, and a reader who does not read holds a place until the deadline of the statement. Here the limits that hold by themselves are lifted: one key sends all that a tenant does.',
    'Results of more than 10,000 rows give way: while others have asked within the last second, all large results together get a million cells a second. Without that the p95 of the other was 5 to 7 times as long while the largest table was read again and again.',
  ],
};

await main(import.meta.url, bench);
