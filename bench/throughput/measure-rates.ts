import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import type { Rates, RatesRequest, Turn } from './child.ts';
import { ENGINES, type EngineName } from './engines.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const FLAGS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'];

/** The most questions at a time, and the least that they shall be of the driver's statements then. */
const CROWD = 32;
const LEAST: Readonly<Record<EngineName, number>> = { PostgreSQL: 0.5, DuckDB: 0.5, SQLite: 1 };

/** Each engine at each concurrency, in a process of its own. */
export async function measureRates(work: RatesRequest['work'], { quick }: { readonly quick: boolean }): Promise<Table> {
  const rows: (string | number)[][] = [];
  const remarks: string[] = [];
  for (const engine of ENGINES)
    for (const lanes of quick ? [CROWD] : [1, CROWD]) {
      const rates = ratesOf({ work, engine, lanes, turns: quick ? 3 : 7, turnMs: quick ? 500 : 1_000 });
      if (rates === null) {
        remarks.push(`${engine} is not installed, so it was not measured.`);
        break;
      }
      const ratio = ratioOf(rates.ask, rates.driver);
      const ratioEach = ratioOf(rates.askEach, rates.driver);
      const least = work === 'groups' && lanes === CROWD ? LEAST[engine] : undefined;
      const perSecond = (turns: readonly Turn[]): number => Math.round(median(turns.map((turn) => turn.perSecond)));
      rows.push([
        engine,
        lanes,
        perSecond(rates.driver),
        perSecond(rates.query),
        perSecond(rates.ask),
        ratioOf(rates.query, rates.driver).toFixed(2),
        ratio.toFixed(2),
        ratioEach.toFixed(2),
        least ?? '',
        ratioOfProcessor(rates.ask, rates.driver).toFixed(2),
        ratioOfProcessor(rates.askEach, rates.driver).toFixed(2),
        processorOf(rates.driver),
        processorOf(rates.query),
        processorOf(rates.ask),
        processorOf(rates.askEach),
      ]);
      for (const [what, found] of [
        ['questions', ratio],
        ['questions with statements that were not there before', ratioEach],
      ] as const)
        if (least !== undefined && found < least)
          remarks.push(
            `${engine}: ${found.toFixed(2)} ${what} for each statement of the driver; it shall be ${least} at least.`,
          );
    }
  const ways = ['driver', 'query', 'ask', 'ask each'];
  return {
    columns: [
      ...['engine', 'at a time', 'driver/s', 'query/s', 'ask/s', 'query: driver', 'ask: driver', 'ask each: driver'],
      ...['at least', 'ask: driver, by processor time', 'ask each: driver, by processor time'],
      ...ways.map((way) => `processor, ${way}, ms`),
    ],
    rows,
    remarks,
  };
}

function ratesOf(request: RatesRequest): Rates | null {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] } as const;
  return JSON.parse(execFileSync(process.execPath, [...FLAGS, CHILD, JSON.stringify(request)], options)) as Rates;
}

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** Of turns that follow each other, so that what else the machine does meets both alike. */
const ratioOf = (ours: readonly Turn[], theirs: readonly Turn[]): number =>
  median(ours.map(({ perSecond }, turn) => perSecond / (theirs[turn]?.perSecond ?? Number.NaN)));

/** What does not depend on how busy the machine is. */
const processorMs = ({ ownMs, engineMs }: Turn): number => ownMs + engineMs;

const ratioOfProcessor = (ours: readonly Turn[], theirs: readonly Turn[]): number =>
  median(theirs.map(processorMs)) / median(ours.map(processorMs));

function processorOf(turns: readonly Turn[]): string {
  const own = median(turns.map(({ ownMs }) => ownMs));
  const engine = median(turns.map(({ engineMs }) => engineMs));
  return `${own.toFixed(2)} + ${engine.toFixed(2)}`;
}
