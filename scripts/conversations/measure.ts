/**
 * How many turns of conversations are right, and what they cost. Usage: OPENAI_API_KEY=… node
 * --conditions=@askema/source scripts/conversations/measure.ts --model openai:MODEL [--arms ours,alone,whole,none]
 * [--history own,gold] [--count 40] [--long 50] [--seed A] [--flow auto|plain] [--out FILE] [--concurrency 4] [--list]
 *
 * Conversations are drawn by hash from the development half. `ours` is conversation(); `whole` gives the same model all
 * that was asked before, with its statements, in each prompt; `none` asks each message by itself; `alone` asks what ours has
 * written, without the statement that it changes. With `--history own`
 * a turn follows what this arm has answered, with `gold` what is right. `--long` asks one conversation of so many turns
 * about one database, by `ours` alone. A turn is right by the execution match of @askema/eval.
 *
 * `--out` takes a line for each conversation of an arm; those that stand there are not asked again. ASKEMA_DATA names
 * the folder that holds the data, OPENAI_BASE_URL another server than that of OpenAI.
 *
 * Bars: with their own history, ours has at least as many turns right as the whole history in each prompt; at turn 3 it
 * takes at most 1.3 times the tokens of a single question; a turn takes no more at turn 50 than at turn 10, by more than a
 * tenth. Exits with 1 below those that were measured.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  AskemaError,
  checkChoice,
  type LanguageModel,
  type QueryResult,
  resolveAdapter,
  type Usage,
} from '@askema/core';
import { executionMatch } from '@askema/eval';
import { openai } from '@askema/openai';
import { auto, createText2Sql, plain, type Text2Sql } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { ARMS, HISTORIES, type TurnGiven } from './arms.ts';
import { drawnConversations, type GoldConversation, type GoldTurn, longConversation } from './read-conversations.ts';

const BARS = { tokensAtTurn3: 1.3, growth: 1.1 } as const;
/** The day on which "last year" is said. */
const TODAY = '2026-11-29';
/** People may answer in place of a model. */
const TIMEOUT_MS = 6 * 3_600_000;

const { values: flags } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    arms: { type: 'string', default: 'ours,whole,none' },
    history: { type: 'string', default: 'own,gold' },
    count: { type: 'string', default: '40' },
    long: { type: 'string', default: '0' },
    seed: { type: 'string', default: 'A' },
    flow: { type: 'string', default: 'auto' },
    out: { type: 'string' },
    concurrency: { type: 'string', default: '4' },
    list: { type: 'boolean', default: false },
  },
});

/** One turn, as it is written down: no rows. */
interface TurnRecord extends Omit<TurnGiven, 'outcome' | 'error'> {
  readonly utterance: string;
  readonly ended: string;
  readonly sql?: string | undefined;
  /** Undefined where gold is not stable. */
  readonly isRight: boolean | undefined;
}

interface ConversationRecord {
  readonly key: string;
  readonly arm: string;
  readonly history: string;
  readonly id: string;
  readonly turns: readonly TurnRecord[];
}

const data = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const model = namedModel(flags.model);
const flow = checkChoice('--flow', flags.flow, ['auto', 'plain'] as const) === 'auto' ? auto() : plain();
const ARM_NAMES = ['ours', 'alone', 'whole', 'none'] as const;
const arms = flags.arms.split(',').map((arm) => checkChoice('--arms', arm, ARM_NAMES));
const histories = flags.history.split(',').map((one) => checkChoice('--history', one, HISTORIES));

function namedModel(name: string): LanguageModel {
  const [provider, id] = name.split(/:(.*)/su);
  if (provider === 'openai' && id) return openai({ model: id, timeoutMs: TIMEOUT_MS });
  console.error(`Name a model as \`--model openai:MODEL\`; ${JSON.stringify(name)} is none.`);
  process.exit(1);
}

const stores = new Map<string, Text2Sql>();
const fileOf = (db: string): string => path.join(data, 'text2sql-dev/databases', `${db}.sqlite`);
function storeOf(db: string): Text2Sql {
  const store =
    stores.get(db) ?? createText2Sql({ adapter: sqlite({ file: fileOf(db) }), model, flow, askBack: 'never' });
  stores.set(db, store);
  return store;
}

async function goldOf(db: string, { gold_sql }: GoldTurn): Promise<QueryResult> {
  const adapter = resolveAdapter(sqlite({ file: fileOf(db) }));
  try {
    return await adapter.query(gold_sql);
  } finally {
    await adapter.close();
  }
}

async function recordOf(given: TurnGiven, gold: GoldTurn, db: string): Promise<TurnRecord> {
  const { outcome, error, ...turn } = given;
  const result = outcome?.type === 'answered' ? outcome.result : undefined;
  const match = result && executionMatch(await goldOf(db, gold), result, { orderMatters: gold.order_matters }).match;
  return {
    ...turn,
    utterance: gold.utterance,
    ended: outcome?.type ?? 'not asked',
    sql: outcome?.sql,
    isRight: gold.stable ? match === true : undefined,
  };
}

/** A server that is not there says nothing of a turn; nor does what was stopped because of another one. */
const OUTAGES: ReadonlySet<string> = new Set([
  'ABORTED',
  'DATABASE_CLOSED',
  'MODEL_AUTHENTICATION',
  'MODEL_NOT_FOUND',
  'MODEL_RATE_LIMITED',
  'MODEL_REQUEST_FAILED',
  'MODEL_TIMEOUT',
  'MODEL_UNAVAILABLE',
]);

interface Job {
  readonly key: string;
  readonly arm: keyof typeof ARMS;
  readonly history: (typeof HISTORIES)[number];
  readonly asked: GoldConversation;
}

async function converse({ key, arm, history, asked }: Job): Promise<ConversationRecord> {
  const turns: TurnRecord[] = [];
  const { db_id } = asked;
  const input = { asked, store: storeOf(db_id), model, today: TODAY, history };
  for await (const given of ARMS[arm]({ ...input, goldOf: (turn) => goldOf(db_id, turn) })) {
    if (given.error !== undefined && OUTAGES.has(given.error.code)) throw AskemaError.fromJSON(given.error);
    const gold = asked.turns[turns.length];
    if (gold !== undefined) turns.push(await recordOf(given, gold, db_id));
  }
  return { key, arm, history, id: asked.id, turns };
}

const drawn = drawnConversations(data, Number(flags.count), flags.seed);
const jobOf = (arm: Job['arm'], history: Job['history'], asked: GoldConversation): Job => ({
  ...{ key: `${flags.model} ${flags.flow} ${arm} ${history} ${asked.id} ${asked.turns.length}`, arm, history, asked },
});
const jobs = histories.flatMap((history) =>
  // Without context there is no history.
  arms
    .filter((arm) => arm !== 'none' || history === histories[0])
    .flatMap((arm) => drawn.map((one) => jobOf(arm, history, one))),
);
const long = Number(flags.long);
if (long > 0) jobs.push(jobOf('ours', 'own', longConversation(drawnConversations(data, 1_000, flags.seed), long)));

const records = new Map<string, ConversationRecord>();
if (flags.out !== undefined && existsSync(flags.out))
  for (const line of readFileSync(flags.out, 'utf8').split('\n').filter(Boolean)) {
    const record = JSON.parse(line) as ConversationRecord;
    records.set(record.key, record);
  }
const waiting = jobs.filter(({ key }) => !records.has(key));
const worker = async (): Promise<void> => {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    const record = await converse(job);
    records.set(record.key, record);
    if (flags.out !== undefined) appendFileSync(flags.out, `${JSON.stringify(record)}\n`);
  }
};
try {
  await Promise.all(Array.from({ length: Number(flags.concurrency) }, worker));
} finally {
  await Promise.all([...stores.values()].map((store) => store.close()));
}

const tokensOf = ({ inputTokens = 0, outputTokens = 0 }: Usage): number => inputTokens + outputTokens;
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;

interface Figures {
  readonly right: number;
  readonly tokensAt: readonly number[];
}

function report(title: string, all: readonly ConversationRecord[]): Figures {
  const counted = all.flatMap(({ turns }) => turns.filter(({ isRight }) => isRight !== undefined));
  const right = counted.filter(({ isRight }) => isRight === true).length / counted.length;
  const later = all.flatMap(({ turns }) => turns.slice(1).filter(({ isRight }) => isRight !== undefined));
  const laterRight = later.filter(({ isRight }) => isRight === true).length / later.length;
  const whole = all.filter(({ turns }) => turns.every(({ isRight }) => isRight !== false)).length / all.length;
  const most = Math.max(0, ...all.map(({ turns }) => turns.length));
  const tokensAt = Array.from({ length: most }, (_, at) =>
    mean(all.flatMap(({ turns }) => (turns[at] === undefined ? [] : [tokensOf(turns[at].usage)]))),
  );
  const calls = mean(all.flatMap(({ turns }) => turns.map((turn) => turn.calls)));
  console.log(
    `${title}: ${percent(right)} of ${counted.length} turns right, ${percent(laterRight)} of the ${later.length} behind the first; ${percent(whole)} of ${all.length} conversations whole; ${calls.toFixed(2)} calls a turn; tokens by turn: ${tokensAt.slice(0, 5).map(Math.round).join(', ')}`,
  );
  return { right, tokensAt };
}

const isMet: boolean[] = [];
function bar(text: string, met: boolean): void {
  isMet.push(met);
  console.log(`${met ? 'met' : 'NOT MET'}: ${text}`);
}

for (const history of histories) {
  const of = (arm: Job['arm']) =>
    jobs.flatMap((job) =>
      job.arm === arm && job.history === history && drawn.includes(job.asked) ? (records.get(job.key) ?? []) : [],
    );
  const figures = new Map(
    arms.flatMap((arm) => {
      const all = of(arm);
      return all.length === 0 ? [] : [[arm, report(`${arm}, ${history} history`, all)] as const];
    }),
  );
  const [ours, whole, none] = [figures.get('ours'), figures.get('whole'), figures.get('none')];
  if (history === 'own' && ours !== undefined && whole !== undefined)
    bar(`${percent(ours.right)} right, and ${percent(whole.right)} with the whole history`, ours.right >= whole.right);
  const single = none?.tokensAt[2];
  const third = ours?.tokensAt[2];
  if (single !== undefined && third !== undefined)
    bar(
      `${(third / single).toFixed(2)} times the tokens of a single question at turn 3 (at most ${BARS.tokensAtTurn3})`,
      third <= BARS.tokensAtTurn3 * single,
    );
}

for (const { asked, key } of jobs.filter(({ asked }) => asked.id.startsWith('long-'))) {
  const turns = records.get(key)?.turns ?? [];
  // Ten turns each: statements differ in length.
  const [early, late] = [turns.slice(5, 15), turns.slice(-10)].map((some) => ({
    all: mean(some.map(({ usage }) => tokensOf(usage))),
    reading: mean(some.map(({ reading }) => tokensOf(reading))),
  }));
  if (early === undefined || late === undefined) continue;
  const text = (of: typeof early): string => `${Math.round(of.all)} (${Math.round(of.reading)} of them to read it)`;
  bar(
    `a turn of ${asked.id} takes ${text(early)} tokens around turn 10, ${text(late)} in the last ten of ${turns.length}`,
    late.all <= BARS.growth * early.all,
  );
}

if (flags.list)
  for (const { arm, history, id, turns } of records.values()) {
    console.log(`\n${id} (${arm}, ${history} history)`);
    for (const { utterance, kind, of, question, sql, isRight } of turns)
      console.log(
        `  ${isRight === false ? 'wrong' : 'right'}: ${utterance}\n    ${kind} ${of ?? ''} ${question ?? ''}\n    ${(sql ?? '').replaceAll(/\s+/g, ' ')}`,
      );
  }
process.exitCode = isMet.every((met) => met) ? 0 : 1;
