/**
 * From a dbt project to answers, without a key: its semantic layer is imported, accepted by somebody, checked against
 * the database, and asked. What is asked for is computed as it is defined; what no definition answers is declined.
 * Usage: node examples/10-ask-a-dbt-project.ts [FOLDER_OF_MODELS SQLITE_FILE QUESTION…]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveAdapter } from '@askema/core';
import {
  acceptEntry,
  checkKnowledge,
  importDbt,
  knowledgeSolver,
  loadKnowledge,
  writeProposals,
} from '@askema/knowledge';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';

const [project = 'examples/knowledge/dbt/models', file = 'examples/store.sqlite', ...asked] = process.argv.slice(2);
const QUESTIONS = [
  'What was our revenue in 2024?',
  'Revenue by country since November 2024',
  'Top 3 countries by orders',
  'Cancellation rate by loyalty level in 2024',
  'Revenue growth in the last quarter of 2024',
  'Amount paid by invoice in December',
  'Amount paid per payment method last year',
  'Why did revenue fall?',
];
const folder = mkdtempSync(join(tmpdir(), 'askema-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// 1. Import: everything is a proposal, and what is lost is listed.
const files = readdirSync(project)
  .filter((path) => path.endsWith('.yml'))
  .map((path) => ({ path, text: readFileSync(join(project, path), 'utf8') }));
const imported = importDbt(files);
await writeProposals(folder, imported);
for (const { what, reason } of imported.lost) console.log(`lost: ${what}. ${reason}`);

// 2. Accept: somebody stands by it. `askema knowledge accept` does the same for single entries.
for (const { name } of imported.knowledge.models) await acceptEntry(folder, `model:${name}`, 'ada');

// 3. Check: sources, keys, joins and metrics are run against the database. What fails reaches no answer.
const adapter = resolveAdapter(sqlite({ file }));
const { knowledge, findings, statements } = await checkKnowledge({ knowledge: await loadKnowledge(folder), adapter });
await adapter.close();
console.log(
  `checked by ${statements} statements: ${findings.filter(({ severity }) => severity === 'error').length} errors`,
);

// 4. Ask.
const store = createText2Sql({ adapter: sqlite({ file }), model: knowledgeSolver(knowledge) });
for (const question of asked.length > 0 ? asked : QUESTIONS) {
  const outcome = await store.ask(question, { today: '2025-01-15' });
  console.log(`\n${question}`);
  if (outcome.type === 'answered') {
    console.log(`  ${outcome.explanation}`);
    for (const row of outcome.result.rows.slice(0, 4)) console.log(`  ${row.join(' | ')}`);
  } else if (outcome.type === 'unanswerable') console.log(`  declined: ${outcome.reason}`);
  else throw new Error(`${question} ended as ${outcome.type}`);
}
await store.close();
