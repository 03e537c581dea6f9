/**
 * How many business questions the flow `auto` answers with definitions and a model: those of metric-questions.ts, also
 * the fifth that the definitions do not answer. Usage: OPENAI_API_KEY=… node --conditions=@askema/source
 * scripts/knowledge/star-through-auto.ts --model openai:MODEL [--set developed,held-out] [--out FILE] [--concurrency 8]
 * [--list wrong,declined,failed]
 *
 * `--out` takes a line for each question, and what stands there already is not asked again, but for what failed.
 * OPENAI_BASE_URL names another server than that of OpenAI.
 *
 * Bars: at least 97 % are right, and nothing is wrong of what a metric or a verified query answered, whether the model
 * chose the metric or nobody asked it. Exits with 1 below them.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LanguageModel, Outcome, Usage } from '@askema/core';
import { openai } from '@askema/openai';
import { auto, createText2Sql } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { createKnowledge } from '../../packages/knowledge/src/index.ts';
import { knowledgeOf } from '../../packages/knowledge/src/test-support/plain-model.ts';
import { DEVELOPED } from './star-questions/developed.ts';
import { HELD_OUT } from './star-questions/held-out.ts';
import { type Verdict, verdictOf } from './star-questions/judge.ts';
import { openStar } from './star-questions/open-star.ts';
import { STAR, TODAY } from './star-questions/star.ts';
import { WORDS } from './star-questions/words.ts';

const LEAST_RIGHT = 0.97;
const SETS = { developed: DEVELOPED, 'held-out': HELD_OUT };
/** People may answer in place of a model. */
const TIMEOUT_MS = 6 * 3_600_000;

type Way = 'verified query' | 'compiled metric' | 'metric chosen by the model' | 'own SQL' | 'not answered';
const BY_DEFINITION: readonly Way[] = ['verified query', 'compiled metric', 'metric chosen by the model'];

interface AskedRecord {
  readonly id: string;
  readonly question: string;
  readonly verdict: Verdict;
  readonly way: Way;
  readonly calls: number;
  readonly usage: Usage;
  readonly sql?: string | undefined;
  /** How the answer was explained, or why there is none. */
  readonly said?: string | undefined;
}

const { values: flags } = parseArgs({
  options: {
    model: { type: 'string', default: '' },
    set: { type: 'string', default: 'developed,held-out' },
    out: { type: 'string' },
    concurrency: { type: 'string', default: '8' },
    list: { type: 'string', default: 'wrong,declined,failed' },
  },
});

function wayOf(outcome: Outcome): Way {
  if (outcome.type !== 'answered') return 'not answered';
  const kinds = new Set(outcome.basedOn.map(({ kind }) => kind));
  if (outcome.solvedBy === 'knowledge') return kinds.has('verifiedQuery') ? 'verified query' : 'compiled metric';
  return kinds.has('metric') ? 'metric chosen by the model' : 'own SQL';
}

function saidBy(outcome: Outcome): string | undefined {
  if ('reason' in outcome) return outcome.reason;
  if ('ask' in outcome) return outcome.ask;
  return 'error' in outcome ? outcome.error?.message : outcome.explanation;
}

function namedModel(name: string): LanguageModel {
  const [provider, model] = name.split(/:(.*)/su);
  if (provider === 'openai' && model) return openai({ model, timeoutMs: TIMEOUT_MS });
  console.error(`Name a model as \`--model openai:MODEL\`; ${JSON.stringify(name)} is none.`);
  process.exit(1);
}

const model = namedModel(flags.model);
const chosen = Object.entries(SETS).flatMap(([set, all]) => (flags.set.split(',').includes(set) ? all : []));
const records = new Map<string, AskedRecord>();
if (flags.out !== undefined && existsSync(flags.out))
  for (const line of readFileSync(flags.out, 'utf8').split('\n').filter(Boolean)) {
    const record = JSON.parse(line) as AskedRecord;
    const isSame = chosen.some(({ id, question }) => id === record.id && question === record.question);
    if (isSame && record.verdict !== 'failed') records.set(record.id, record);
  }

const tables = openStar();
const text2sql = createText2Sql({
  adapter: sqlite({ file: tables.file }),
  model,
  flow: auto(),
  knowledge: createKnowledge(knowledgeOf(STAR, WORDS)),
  askBack: 'never',
});
const waiting = chosen.filter(({ id }) => !records.has(id));
const worker = async (): Promise<void> => {
  for (let asked = waiting.shift(); asked !== undefined; asked = waiting.shift()) {
    const outcome = await text2sql.ask(asked.question, { today: TODAY });
    const { id, question } = asked;
    const { calls, usage, sql } = outcome;
    const verdict = verdictOf(asked, outcome, tables.run);
    const record = { id, question, verdict, way: wayOf(outcome), calls, usage, sql, said: saidBy(outcome) };
    records.set(id, record);
    if (flags.out !== undefined) appendFileSync(flags.out, `${JSON.stringify(record)}\n`);
  }
};
try {
  await Promise.all(Array.from({ length: Number(flags.concurrency) }, worker));
} finally {
  await text2sql.close();
  tables.close();
}

const all = chosen.flatMap(({ id }) => records.get(id) ?? []);
for (const { id, question, verdict, way, sql, said } of all)
  if (flags.list.split(',').includes(verdict))
    console.log(`${verdict}: ${id} ${question} (${way})\n    ${said ?? ''}\n    ${sql ?? ''}`);
const countOf = (some: readonly AskedRecord[], verdict: Verdict): number =>
  some.filter((record) => record.verdict === verdict).length;
const sumOf = (some: readonly AskedRecord[], part: (record: AskedRecord) => number | undefined): number =>
  some.reduce((sum, record) => sum + (part(record) ?? 0), 0);
console.log('| how it was answered | questions | right | wrong | declined | failed | calls | tokens in | tokens out |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const [way, some] of [...Map.groupBy(all, (record) => record.way), ['all', all] as const]) {
  const counts = (['right', 'wrong', 'declined', 'failed'] as const).map((verdict) => countOf(some, verdict));
  const tokens = [sumOf(some, ({ usage }) => usage.inputTokens), sumOf(some, ({ usage }) => usage.outputTokens)];
  console.log(`| ${[way, some.length, ...counts, sumOf(some, ({ calls }) => calls), ...tokens].join(' | ')} |`);
}
const share = countOf(all, 'right') / all.length;
const wrong = countOf(
  all.filter(({ way }) => BY_DEFINITION.includes(way)),
  'wrong',
);
console.log(
  `right: ${(100 * share).toFixed(1)} % (bar: ${100 * LEAST_RIGHT}); wrong by a metric or a verified query: ${wrong} (bar: 0)`,
);
process.exitCode = share >= LEAST_RIGHT && wrong === 0 ? 0 : 1;
