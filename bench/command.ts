/** How long the command takes from start to end. Usage: npm run -s command --prefix bench [-- --quick] */
import type { Bench, Comparison } from './harness/bench.ts';
import { main } from './harness/main.ts';

const processes = () => import('./command/processes.ts');
const NODE = { name: 'node -e 0', prepare: async () => (await processes()).emptyProgram() };
const common = {
  kind: 'comparison',
  size: { name: 'processes', values: [1], quick: [1] },
  peer: NODE.name,
  grows: false,
  memory: false,
} as const satisfies Partial<Comparison>;

export const bench: Bench = {
  id: 'command',
  title: 'The command',
  about:
    'Whole processes, from start to end, against an empty program of Node. `built` is what npm installs. `sources` is the command of a fresh clone, where Node strips the types at each start.',
  peers: [],
  parts: [
    {
      ...common,
      id: 'help',
      title: '`askema --help`',
      contenders: [
        NODE,
        { name: 'built', prepare: async () => (await processes()).help('built') },
        { name: 'sources', prepare: async () => (await processes()).help('sources') },
      ],
    },
    {
      ...common,
      id: 'ask',
      title: '`askema ask`, warm',
      about:
        'A question to the sample database (11 tables, SQLite), whose files the system has cached. The command reads the schema with samples, sends the prompt to a server on the loopback that answers at once, runs the statement in a worker process, and prints the rows.',
      contenders: [
        NODE,
        { name: 'built', prepare: async () => (await processes()).ask('built') },
        { name: 'sources', prepare: async () => (await processes()).ask('sources') },
      ],
    },
  ],
  notes: [
    '`--help` loads the parser of options and nothing of core; a test keeps it so. A question starts a second Node for the statement, because SQLite runs in a process that can be killed at its deadline, and it loads the SDK of the vendor. Compiling these modules takes most of the processor time. A cache of compiled code (`NODE_COMPILE_CACHE`) saved 5 % when we measured it; we leave it to the user.',
  ],
};

await main(import.meta.url, bench);
