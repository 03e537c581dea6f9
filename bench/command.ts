/** How long the command takes from start to end. Usage: npm run -s command --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'command',
  title: 'The command',
  about:
    'Whole processes, from start to end, against an empty program of Node, in turns. `installed` is what npm installs. `in a clone` is the command from its sources, of which Node strips the types.',
  peers: [],
  parts: [
    {
      kind: 'measurement',
      id: 'starts',
      title: 'From start to end',
      about:
        'The questions are asked of the sample database (11 tables, SQLite), whose files the system has cached. Without a model the built-in reader answers. With one, the command sends the prompt to a server on the loopback that answers at once.',
      measure: async (options) => (await import('./command/measure-starts.ts')).measureStarts(options),
    },
  ],
  notes: [
    'A test names the packages that each start may load. `--help` loads the parser of options and nothing of core. A question starts a second Node for the statement, because SQLite runs in a process that can be killed at its deadline; that process starts while the rest is loaded. With a model the command also loads the SDK of the vendor.',
    'The command keeps what V8 compiled, and in a clone what was left without types ([where](../guide/cli.md#environment)); the first start makes it. One row shows a start that reads and keeps nothing of that.',
  ],
};

await main(import.meta.url, bench);
