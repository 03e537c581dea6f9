/**
 * Measures two pipelines on the same questions and compares them, without a key: the built-in reader of questions, and
 * a model that is scripted here so that it knows most answers. The run is stopped in the middle by its budget and goes
 * on from the disk, where nothing is paid twice. The same with a real model: take `openai({ … })` in place of
 * `scriptedModel`. On the command line: docs/guide/eval.md.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LanguageModel, Solver } from '@askema/core';
import {
  compareRuns,
  type EvaluationOptions,
  type EvaluationSummary,
  loadDataset,
  readRun,
  runBatch,
  runEvaluation,
  writeReport,
} from '@askema/eval';
import { lexical } from '@askema/lexical';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql, plain } from '@askema/text2sql';

const STORE = 'examples/store.sqlite';
const folder = mkdtempSync(join(tmpdir(), 'askema-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// 1. Questions with their right SQL. All are about one database, which does not lie beside them.
const dataset = await loadDataset('examples/store-questions', { databases: 'elsewhere' });
console.log(`${dataset.name}: ${dataset.questions.length} questions, ${dataset.problems.length} unreadable`);

// 2. Two runs. Each has a folder of its own, with one line for every finished question.
const measure = (
  name: string,
  model: LanguageModel | Solver,
  more: Partial<EvaluationOptions> = {},
): Promise<EvaluationSummary> =>
  runEvaluation({
    dataset,
    connect: () => sqlite({ file: STORE }),
    pipeline: (adapter) => createText2Sql({ adapter, model, flow: plain() }),
    out: join(folder, name),
    configuration: { model: name, flow: 'plain' },
    concurrency: 4,
    ...more,
  });
const tell = (name: string, { total, unfinished, spentUsd = 0 }: EvaluationSummary): void =>
  console.log(
    `${name}: ${total.counts.right} of ${total.counted} right, ${unfinished} to go, ${spentUsd.toFixed(2)} dollars spent`,
  );
tell('lexical', await measure('lexical', lexical()));

let paid = 0;
const knows = dataset.questions.filter(({ category }) => category !== 'aggregate');
const scripted = scriptedModel((request) => {
  paid += 1;
  const prompt = JSON.stringify(request.messages.at(-1));
  const sql = knows.find(({ question }) => prompt.includes(question))?.goldSql[0] ?? 'SELECT 0';
  return {
    json: { outcome: 'sql', sql, explanation: '', not_understood: [] },
    usage: { inputTokens: 10_000, outputTokens: 1_000 },
  };
});
const prices = { inputPerMillion: 1, outputPerMillion: 10 };
const begun = await measure('scripted', scripted, { prices, budgetUsd: 0.1 });
tell('scripted, with 0.10 dollars', begun);
if (begun.stopped !== 'budget') throw new Error('the budget did not end the run');
const whole = await measure('scripted', scripted, { prices, budgetUsd: 1 });
tell('scripted, gone on', whole);
if (whole.unfinished > 0 || paid !== dataset.questions.length) throw new Error(`paid for ${paid} calls`);

// 3. Question by question: is one better, or is it chance?
const before = await readRun(join(folder, 'lexical'));
const after = await readRun(join(folder, 'scripted'));
const { total, gained, lost } = compareRuns(before, after);
console.log(`${gained.length} gained, ${lost.length} lost, p = ${total.pValue.toFixed(2)}`);
for (const { id, a, b } of lost) console.log(`  ${id} (${a.verdict} → ${b.verdict}): ${b.question}`);
if (total.questions !== dataset.questions.length) throw new Error(`only ${total.questions} were compared`);

// 4. One page for both, which opens offline.
const page = await writeReport([before, after], join(folder, 'compared.html'));
console.log(`the report has ${readFileSync(page, 'utf8').length > 10_000 ? 'all of it' : 'nothing'}`);

// 5. A list of your own without gold: the same machine, with a result for each item on the disk at once.
const store = createText2Sql({ adapter: sqlite({ file: STORE }), model: lexical() });
const asked = ['How many customers are there?', 'Who is the tallest customer?', 'What is the most expensive product?'];
const batch = await runBatch({
  items: asked.map((question, index) => ({ id: `question-${index + 1}`, input: question })),
  work: async (question, { signal, runId }) => {
    const outcome = await store.ask(question, { signal, runId });
    return { type: outcome.type, sql: 'sql' in outcome ? (outcome.sql ?? null) : null };
  },
  out: join(folder, 'batch'),
});
await store.close();
console.log(`batch: ${batch.done} of ${batch.total} done, ${batch.failed} failed`);
if (batch.done !== asked.length || !existsSync(join(folder, 'batch', 'results.jsonl'))) throw new Error('not all done');
