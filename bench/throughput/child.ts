/** The turns of one engine at one concurrency: `child.ts {"work":"groups","engine":"SQLite","lanes":32,"turns":7,"turnMs":1000}`. */
import { type Message, resolveAdapter } from '@askema/core';
import { createText2Sql, plain } from '@askema/text2sql';
import { scriptedModel } from '../harness/scripted-model.ts';
import { type EngineName, openEngine, processorSeconds } from './engines.ts';

export interface RatesRequest {
  readonly work: keyof typeof WORKS;
  readonly engine: EngineName;
  readonly lanes: number;
  readonly turns: number;
  readonly turnMs: number;
}

/** Turns that are not counted: they open what is opened once, and V8 compiles what runs often. */
const WARM_UP = 5;

/** The ways, in the order of their turns. */
export const WAYS = ['driver', 'query', 'ask', 'askEach'] as const;

export interface Turn {
  readonly perSecond: number;
  /** Processor time for each statement, of this process and of the engine's, in milliseconds. */
  readonly ownMs: number;
  readonly engineMs: number;
}

export type Rates = Readonly<Record<(typeof WAYS)[number], readonly Turn[]>>;

/** So many questions, and statements, come again and again. */
const CATEGORIES = 9;

/** What is asked for, and the statement that answers it. `beyond` is a number that changes the text alone. */
export const WORKS = {
  groups: {
    question: (most: number, beyond: number) =>
      `Which ${most} pages were looked at longest, with more than -${beyond} visits?`,
    sql: (most: number, beyond: number) =>
      `SELECT page, COUNT(*) AS visits, SUM(seconds) AS seconds FROM visits GROUP BY page HAVING COUNT(*) > -${beyond} ORDER BY seconds DESC, page LIMIT ${most}`,
  },
  join: {
    question: (most: number, beyond: number) =>
      `Which ${most} categories sold most, by amount, with more than -${beyond} orders?`,
    sql: (most: number, beyond: number) =>
      `SELECT ca.name, COUNT(DISTINCT o.order_id) AS orders, SUM(i.line_total) AS amount FROM categories AS ca JOIN products AS p ON p.category_id = ca.category_id JOIN order_items AS i ON i.product_id = p.product_id JOIN "order" AS o ON o.order_id = i.order_id GROUP BY ca.category_id, ca.name HAVING COUNT(*) > -${beyond} ORDER BY amount DESC LIMIT ${most}`,
  },
};

const request = JSON.parse(process.argv[2] ?? '') as RatesRequest;
const { question, sql } = WORKS[request.work];

const lastText = (messages: readonly Message[]): string =>
  messages
    .at(-1)
    ?.content.map((part) => ('text' in part ? part.text : ''))
    .join('') ?? '';

/** Answers at once. */
const instant = scriptedModel((messages) => {
  const asked = /Which (\d+) (?:categories|pages).* -(\d+) /.exec(lastText(messages));
  return sql(Number(asked?.[1]), Number(asked?.[2]));
});

async function measure({ engine: name, lanes, turns, turnMs }: RatesRequest): Promise<Rates | undefined> {
  const engine = await openEngine(name, lanes);
  if (engine === undefined) return undefined;
  const adapter = resolveAdapter(engine.adapter);
  const text2sql = createText2Sql({ adapter, model: instant, flow: plain() });
  const answer = async (most: number, beyond: number): Promise<number> => {
    const outcome = await text2sql.ask(question(most, beyond));
    return outcome.type === 'answered' ? outcome.result.rows.length : -1;
  };
  let asked = 0;
  const another = (): number => {
    asked += 1;
    return asked;
  };
  const ways = {
    // The drivers keep nothing of a statement, so one way of theirs is enough.
    driver: (most: number, lane: number) => engine.run(sql(most, another()), lane),
    query: async (most: number) => (await adapter.query(sql(most, 1))).rows.length,
    ask: (most: number) => answer(most, 1),
    askEach: (most: number) => answer(most, another()),
  };
  const found = { driver: [] as Turn[], query: [] as Turn[], ask: [] as Turn[], askEach: [] as Turn[] };
  for (let turn = -WARM_UP; turn < turns; turn += 1)
    for (const way of WAYS) {
      const measured = await takeTurn(ways[way], lanes, turnMs, engine.pids);
      if (turn >= 0) found[way].push(measured);
    }
  await text2sql.close();
  await engine.close();
  return found;
}

/** Asks for so long, with so many lanes. */
async function takeTurn(
  run: (most: number, lane: number) => Promise<number> | number,
  lanes: number,
  turnMs: number,
  pids: () => Promise<readonly number[]> | readonly number[],
): Promise<Turn> {
  const before = new Map((await pids()).map((pid) => [pid, processorSeconds(pid)]));
  const own = process.cpuUsage();
  const started = performance.now();
  let count = 0;
  const lane = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() - started < turnMs) {
      const most = (count % CATEGORIES) + 1;
      count += 1;
      const rows = await run(most, index);
      if (rows !== most) throw new Error(`${rows} rows came in place of ${most}.`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(own);
  let engine = 0;
  for (const pid of await pids()) engine += processorSeconds(pid) - (before.get(pid) ?? 0);
  return { perSecond: count / seconds, ownMs: (user + system) / 1e3 / count, engineMs: (engine * 1e3) / count };
}

process.stdout.write(JSON.stringify((await measure(request)) ?? null));
