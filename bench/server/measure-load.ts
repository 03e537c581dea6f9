import type { Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import { ENGINES } from '../throughput/engines.ts';
import { makeSales } from './engines.ts';
import { type Turn, takeTurn } from './load.ts';
import { KEYS, type ServerRequest } from './protocol.ts';
import { WORKLOADS, type Workload } from './sales.ts';
import { type Listening, startChild } from './start-child.ts';

const CLIENTS = [1, 4, 16, 64, 256];
const FEW = [16];
/** Of the driver's requests, at least. */
const LEAST = 0.4;

/** The ways, in the order of their turns. */
const WAYS = ['driver', 'ask', 'sql'] as const;
type Way = (typeof WAYS)[number];
type Turns = Readonly<Record<Way, Turn[]>>;

/** Each engine with each number of clients: the driver, questions and statements take turns. */
export async function measureLoad(
  workload: Workload,
  journal: ServerRequest['journal'],
  { quick }: { readonly quick: boolean },
): Promise<Table> {
  const rows: (string | number)[][] = [];
  const remarks: string[] = [];
  for (const engine of ENGINES) {
    const place = await makeSales(engine);
    if (place === undefined) {
      remarks.push(`${engine} is not installed, so it was not measured.`);
      continue;
    }
    const driver = await startChild({ kind: 'driver', engine, place });
    const askema = await startChild({ kind: 'askema', engine, place, journal });
    const servers = { driver, ask: askema, sql: askema };
    const rates = { driver: 50, ask: 50, sql: 50 };
    for (const clients of quick || journal === 'memory' ? FEW : CLIENTS) {
      const turns = await takeTurns(servers, workload, { clients, rates, quick });
      rows.push([engine, clients, ...figuresOf(turns)]);
      process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`);
      for (const way of ['ask', 'sql'] as const) {
        const ratio = ratioOf(turns[way], turns.driver);
        const failed = turns[way].reduce((sum, { errors }) => sum + errors, 0);
        const what = `${engine}, ${clients} ${clients === 1 ? 'client' : 'clients'}, \`/v1/${way}\``;
        if (failed > 0) remarks.push(`${what}: ${failed} requests failed.`);
        if (workload === 'analyst' && ratio < LEAST)
          remarks.push(`${what}: ${ratio.toFixed(2)} requests for each of the driver; it shall be ${LEAST} at least.`);
      }
    }
    await driver.stop();
    await askema.stop();
  }
  return { columns: COLUMNS, rows, remarks };
}

const COLUMNS = [
  ...['engine', 'clients', 'driver/s', 'ask/s', 'sql/s', 'ask: driver', 'sql: driver'],
  ...['ask: driver, by processor time', 'sql: driver, by processor time'],
  ...WAYS.flatMap((way) => [`${way}, p50 ms`, `${way}, p95 ms`]),
  ...['errors', ...WAYS.map((way) => `processor, ${way}, ms`)],
];

async function takeTurns(
  servers: Readonly<Record<Way, Listening>>,
  workload: Workload,
  { clients, rates, quick }: { readonly clients: number; readonly rates: Record<Way, number>; readonly quick: boolean },
): Promise<Turns> {
  const bodies = {
    ask: WORKLOADS[workload].map(({ question }) => ({ question })),
    sql: WORKLOADS[workload].map(({ sql }) => ({ sql })),
  };
  const seconds = quick ? 1 : 2;
  const take = (way: Way, amount: number): Promise<Turn> => {
    const kind = way === 'ask' ? 'ask' : 'sql';
    return takeTurn(servers[way], { path: `/v1/${kind}`, key: KEYS[0], bodies: bodies[kind], clients, amount });
  };
  const turns: Turns = { driver: [], ask: [], sql: [] };
  for (let turn = -1; turn < (quick ? 1 : 2); turn += 1)
    for (const way of WAYS) {
      const taken = await take(way, Math.max(clients, Math.ceil(rates[way] * seconds)));
      rates[way] = taken.perSecond;
      // The first one opens what is opened once, and lets V8 compile.
      if (turn >= 0) turns[way].push(taken);
    }
  return turns;
}

function figuresOf(turns: Turns): (string | number)[] {
  const of = (way: Way, figure: (turn: Turn) => number): number => median(turns[way].map(figure));
  return [
    ...WAYS.map((way) => Math.round(of(way, ({ perSecond }) => perSecond))),
    ratioOf(turns.ask, turns.driver).toFixed(2),
    ratioOf(turns.sql, turns.driver).toFixed(2),
    ratioOfProcessor(turns.ask, turns.driver).toFixed(2),
    ratioOfProcessor(turns.sql, turns.driver).toFixed(2),
    ...WAYS.flatMap((way) => [of(way, ({ p50 }) => p50), of(way, ({ p95 }) => p95)]),
    WAYS.flatMap((way) => turns[way]).reduce((sum, { errors }) => sum + errors, 0),
    ...WAYS.map(
      (way) => `${of(way, ({ ownMs }) => ownMs).toFixed(2)} + ${of(way, ({ engineMs }) => engineMs).toFixed(2)}`,
    ),
  ];
}

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** What does not depend on how busy the machine is. */
const processorMs = ({ ownMs, engineMs }: Turn): number => ownMs + engineMs;

const ratioOfProcessor = (ours: readonly Turn[], theirs: readonly Turn[]): number =>
  median(theirs.map(processorMs)) / median(ours.map(processorMs));

/** Of turns that follow each other, so that what else the machine does meets both alike. */
const ratioOf = (ours: readonly Turn[], theirs: readonly Turn[]): number =>
  median(ours.map(({ perSecond }, turn) => perSecond / (theirs[turn]?.perSecond ?? Number.NaN)));
