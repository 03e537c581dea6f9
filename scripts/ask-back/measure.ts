/**
 * Whether a question with two readings is asked back, or answered with the other one said, and whether a clear one is
 * left alone. Usage: OPENAI_API_KEY=… node --conditions=@askema/source scripts/ask-back/measure.ts MODEL
 * [--concurrency 8] [--list]
 *
 * 60 ambiguous questions are made by rule from the databases of text2sql-dev, each with the statements of both readings;
 * 60 clear ones are questions of text2sql-dev, drawn by hash. ASKEMA_DATA names the folder that holds text2sql-dev;
 * OPENAI_BASE_URL names another server than that of OpenAI.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LanguageModel, type Outcome, resolveAdapter, resultsAgree, textOf } from '@askema/core';
import { openai } from '@askema/openai';
import { createText2Sql, plain, type Text2Sql } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { type AmbiguousQuestion, ambiguousQuestions } from './ambiguous-questions.ts';

const BARS = { ambiguous: 0.75, clear: 0.05 };
const COUNT = 60;
/** The day on which "last year" is said. */
const TODAY = '2026-11-29';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '8' }, list: { type: 'boolean', default: false } },
});
const [modelName] = positionals;
if (modelName === undefined) {
  console.error('Name a model: measure.ts MODEL');
  process.exit(1);
}
const data = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));
const folder = path.join(data, 'text2sql-dev');
const model = openai({ model: modelName });

interface Asked {
  readonly outcome: Outcome;
  /** The first statement that the model wrote, and those of its other readings. */
  readonly statements: readonly string[];
}

/** By run. */
const written = new Map<string, readonly string[]>();
const listening: LanguageModel = {
  ...model,
  async generate(request) {
    const result = await model.generate(request);
    const { runId } = request.context;
    written.set(runId, [...(written.get(runId) ?? []), ...statementsOf(textOf(result.content))]);
    return result;
  },
};
const opened = new Map<string, Text2Sql>();

async function ask(file: string, question: string, evidence?: string): Promise<Asked> {
  const text2sql = opened.get(file) ?? createText2Sql({ adapter: sqlite({ file }), model: listening, flow: plain() });
  opened.set(file, text2sql);
  const outcome = await text2sql.ask(question, { today: TODAY, evidence });
  return { outcome, statements: written.get(outcome.runId) ?? [] };
}

function statementsOf(text: string): readonly string[] {
  try {
    const { sql, other_readings = [] } = JSON.parse(text) as { sql?: string; other_readings?: { sql: string }[] };
    return [sql ?? '', ...other_readings.map((reading) => reading.sql)].filter((one) => one !== '');
  } catch {
    return [];
  }
}

/** True where one of the statements gives what one of these gives. */
async function isAmong(file: string, statements: readonly string[], readings: readonly string[]): Promise<boolean> {
  const adapter = resolveAdapter(sqlite({ file }));
  const results = await Promise.all(statements.map((sql) => adapter.query(sql).catch(() => undefined)));
  const wanted = await Promise.all(readings.map((sql) => adapter.query(sql)));
  await adapter.close();
  return results.some((result) => result !== undefined && wanted.some((other) => resultsAgree(result, other)));
}

/** What `work` gives for each, so many at a time. */
async function several<In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<readonly Out[]> {
  const results: Out[] = [];
  const waiting = [...all.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: Number(options.concurrency) }, worker));
  return results;
}

type Verdict = 'asked' | 'assumed' | 'other readings' | 'missed';

/** `other readings`: something was asked or said, but not these two readings. */
async function judge({ file, readings }: AmbiguousQuestion, { outcome, statements }: Asked): Promise<Verdict> {
  const isAsked = outcome.type === 'needsClarification';
  const isSaid = outcome.type === 'answered' && outcome.assumptions.length > 0;
  if (!isAsked && !isSaid) return 'missed';
  const found = await Promise.all(readings.map((reading) => isAmong(file, statements, reading)));
  if (!found.every((one) => one)) return 'other readings';
  return isAsked ? 'asked' : 'assumed';
}

const ambiguous = ambiguousQuestions([path.join(folder, 'databases'), path.join(folder, 'defog/sqlite')], TODAY, COUNT);
const judged = await several(ambiguous, async (question) => {
  const asked = await ask(question.file, question.question);
  return { question, asked, verdict: await judge(question, asked) };
});
for (const [rule, group] of Map.groupBy(judged, ({ question }) => question.rule)) {
  const counts = [...Map.groupBy(group, ({ verdict }) => verdict)].map(([verdict, all]) => `${all.length} ${verdict}`);
  console.log(`${rule}: ${counts.join(', ')} of ${group.length}`);
}
if (options.list)
  for (const { question, asked, verdict } of judged)
    if (verdict === 'missed' || verdict === 'other readings')
      console.log(
        `${verdict}: ${path.basename(question.file)}: ${question.question}\n  ${asked.statements.join('\n  ')}`,
      );
const right = judged.filter(({ verdict }) => verdict === 'asked' || verdict === 'assumed').length / judged.length;

interface Question {
  readonly id: string;
  readonly db_id: string;
  readonly question: string;
  readonly evidence?: string;
}
const hashOf = ({ id }: Question): string => createHash('sha256').update(`clear ${id}`).digest('hex');
const clear = readFileSync(path.join(folder, 'questions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Question)
  .toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))
  .slice(0, COUNT);
const answered = await several(clear, async (question) => {
  const file = path.join(folder, 'databases', `${question.db_id}.sqlite`);
  return { question, asked: await ask(file, question.question, question.evidence || undefined) };
});
const asked = answered.filter((one) => one.asked.outcome.type === 'needsClarification');
const said = answered.filter(({ asked: { outcome } }) => outcome.type === 'answered' && outcome.assumptions.length > 0);
if (options.list) for (const { question } of asked) console.log(`asked: ${question.db_id}: ${question.question}`);
console.log(`clear: ${asked.length} asked, ${said.length} answered with an assumption, of ${clear.length}`);

await Promise.all([...opened.values()].map((text2sql) => text2sql.close()));

const isMet = right >= BARS.ambiguous && asked.length / clear.length <= BARS.clear;
console.log(
  `ambiguous and asked, or answered with the reading said: ${(100 * right).toFixed(1)} % (bar: ${100 * BARS.ambiguous}); clear and asked: ${((100 * asked.length) / clear.length).toFixed(1)} % (bar: at most ${100 * BARS.clear})`,
);
process.exitCode = isMet ? 0 : 1;
