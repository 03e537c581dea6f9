/**
 * The whole way, without a key: a requirement becomes a schema, the schema a SQLite database, and `askema ask` answers
 * questions about its rows. A designer drafts, a QA engineer who sees no design writes tests, a reviewer argues by
 * counter-examples, and code runs all of it. What they say is what a language model replied; it is in
 * recordings/design.recorded-replies.jsonl and is said again here (to record again: recorded-replies.ts). The proof of
 * third normal form, the runs of the tests, the planted mistakes, DDL, rows and answers are made anew.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDialect, writeDdl } from '@askema/dialects';
import { verifyCertificate } from '@askema/normal-form';
import { sqlite } from '@askema/sqlite';
import { createText2Schema } from '@askema/text2schema';
import Database from 'better-sqlite3';
import { recordedReplies } from './recorded-replies.ts';
import { rowWriter } from './row-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const replies = recordedReplies('examples/recordings/design.recorded-replies.jsonl');

// 1. From the requirement to a schema. The tests run in an empty database of their own.
let runs = 0;
const text2schema = createText2Schema({
  model: replies.model,
  scratch: () => {
    runs += 1;
    const file = join(folder, `scratch-${runs}.sqlite`);
    writeFileSync(file, '');
    return sqlite({ file, access: 'write', poolSize: 1 });
  },
  onEvent: (event) => {
    if (event.type !== 'call' || event.call !== 'turn') return;
    const { role, next, kind } = event.data;
    console.log(`${role}: ${kind === 'end' ? 'TERMINAL' : `${kind}${next === undefined ? '' : ` → ${next}`}`}`);
  },
});
const outcome = await text2schema.design(readFileSync('examples/tool-library.md', 'utf8'));
if (outcome.type !== 'designed')
  throw new Error(`not designed: ${outcome.type}: ${'error' in outcome ? outcome.error.message : ''}`);
const { schema, artefacts, accepted } = outcome;
const tests = artefacts.testReport?.run?.counts;
const { planted, noticed } = artefacts.mutationCheck ?? {};
console.log(`${accepted ? 'accepted' : 'not accepted'}, ${tests?.passed} of ${sum(tests)} tests passed`);
console.log(`${noticed} of ${planted} mistakes that code planted would be noticed`);
if (!accepted) throw new Error(`not accepted: ${outcome.warnings.join(' ')}`);

// 2. The proof of third normal form, checked by code that shares nothing with what made it.
for (const decomposition of artefacts.design?.decompositions ?? []) {
  const { valid, problems } = verifyCertificate(decomposition);
  console.log(
    `${decomposition.relations.map(({ name }) => name).join(', ')}: certificate ${valid ? 'holds' : problems}`,
  );
  if (!valid) throw new Error('a certificate does not hold');
}

// 3. A database of it, with a few rows. What contradicts the requirement, the database itself refuses.
const ddl = writeDdl(schema, sqliteDialect);
console.log(`\n${ddl}`);
const file = join(folder, 'tools.sqlite');
const database = new Database(file);
database.pragma('foreign_keys = ON');
database.exec(ddl);
const insert = rowWriter(database, schema);
insert('category', { code: 'PWR', name: 'Power tools', shelf: 'B2' }, { code: 'GRD', name: 'Garden', shelf: 'A1' });
insert(
  'tool',
  { 'inventory number': 'T-101', name: 'Jigsaw', 'daily fee': 4, category: 'PWR' },
  { 'inventory number': 'T-102', name: 'Hammer drill', 'daily fee': 6, category: 'PWR' },
  { 'inventory number': 'T-104', name: 'Lawn rake', 'daily fee': 1, category: 'GRD' },
);
insert(
  'member',
  { 'membership number': 'M-16', name: 'Ines Okafor', 'phone number': '555 0101', 'join date': '2024-03-01' },
  { 'membership number': 'M-17', name: 'Piet Solano', 'phone number': '555 0102', 'join date': '2024-05-17' },
);
const loan = { 'inventory number': 'T-101', 'loan date': '2024-06-01', 'due date': '2024-06-08' };
insert('loan', { ...loan, 'membership number': 'M-16', 'return date': '2024-06-05' });
for (const [why, row] of [
  ['the same tool twice on one day', { ...loan, 'membership number': 'M-17' }],
  ['a loan to nobody', { ...loan, 'loan date': '2024-06-09', 'membership number': 'M-99' }],
] as const) {
  try {
    insert('loan', row);
  } catch (error) {
    console.log(`refused, ${why}: ${(error as Error).message}`);
    continue;
  }
  throw new Error(`not refused: ${why}`);
}
database.close();

// 4. Questions about it. The built-in parser answers, not the recording.
// In this repository the command is run from its source, elsewhere as it was installed.
const source = 'packages/cli/src/main.ts';
const command = existsSync(source) ? ['--conditions=@askema/source', source] : ['node_modules/askema/dist/main.js'];
const askema = [...command, 'ask', file];
for (const [question, expected] of [
  ['How many tools are there?', /\b3\b/],
  ['Which tools have a daily fee above 3?', /Jigsaw[\s\S]*Hammer drill|Hammer drill[\s\S]*Jigsaw/],
] as const) {
  const answer = execFileSync(process.execPath, [...askema, question, '--model', 'lexical'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  console.log(`\n${question}\n${answer.trimEnd()}`);
  if (!expected.test(answer)) throw new Error(`not as expected: ${answer}`);
}
replies.finish();

function sum(counts: object = {}): number {
  return Object.values(counts).reduce((total: number, each: number) => total + each, 0);
}
