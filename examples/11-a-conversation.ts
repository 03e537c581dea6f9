/**
 * A conversation over two databases: the sample store, and the vans of its carrier. Each message is written as a question
 * that stands alone, for the database that it is about; "the second one" is looked up in the rows that were shown; what is
 * unclear is asked back; "why" becomes questions whose numbers are computed, and is told in sentences whose numbers code
 * puts in. What the model says is what a language model replied; it is in recordings/conversation.recorded-replies.jsonl
 * and is said again here (to record again: recorded-replies.ts). Prompts, statements, rows and numbers are made anew.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { conversation, createText2Sql, plain, type Turn } from '@askema/text2sql';
import Database from 'better-sqlite3';
import { recordedReplies } from './recorded-replies.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'fleet.sqlite');
makeFleet(file);

const { model, finish } = recordedReplies('examples/recordings/conversation.recorded-replies.jsonl');
const open = (path: string) => createText2Sql({ adapter: sqlite({ file: path }), model, flow: plain() });
const databases = { store: open('examples/store.sqlite'), fleet: open(file) };
const chat = conversation({ databases, model, id: 'example' });

const today = '2025-01-15';
await say('How many orders were there in 2024?', { database: 'store', is: 'answered' });
await say('and by country, the most first', { kind: 'refine', database: 'store' });
await say('which three products did customers from the second one buy most?', { database: 'store', is: 'answered' });
await say('How many kilometres did our vans drive in each month of 2024?', { kind: 'new', database: 'fleet' });
await say('only those of the depot in Hamburg', { kind: 'refine', database: 'fleet' });
await say('why was March so low?', { kind: 'explain', database: 'fleet', is: 'explained' });
await say('by which statements?', { kind: 'about', is: 'told' });
await say('How many are there in Berlin?', {});
await say('compare the orders with the trips of all vans, by quarter of 2024', { kind: 'explain', is: 'explained' });
await say('thanks', { kind: 'none' });
await chat.close();
await Promise.all(Object.values(databases).map((database) => database.close()));
finish();

interface Expected {
  readonly kind?: string;
  readonly database?: string;
  readonly is?: string;
}

/** Says it, and shows how it was understood and what came of it. */
async function say(message: string, expected: Expected): Promise<void> {
  const turn = await chat.say(message, { today });
  const { kind, question, database } = turn.understood ?? {};
  console.log(`\n> ${message}`);
  if (question !== undefined && question !== message) console.log(`  → [${database}] ${question}`);
  show(turn);
  const found = { kind, database, is: turn.answer.type };
  for (const [name, value] of Object.entries(expected))
    if (found[name as keyof Expected] !== value)
      throw new Error(`${name} is ${found[name as keyof Expected]}, not ${value}`);
}

function show({ answer, outcome, outcomes = [], summary, summaryRefused }: Turn): void {
  if (answer.type === 'told') console.log(`  ${answer.reply}`);
  if (answer.type === 'needsClarification') {
    console.log(`  ${answer.ask}`);
    for (const { id, meaning } of answer.choices) console.log(`    ${id}) ${meaning}`);
  }
  for (const one of [outcome, ...outcomes].filter((given) => given !== undefined)) {
    if (outcomes.length > 0) console.log(`  ${one.question}`);
    showRows(one);
  }
  if (summary !== undefined) console.log(`  ${summary.text}`);
  if (summaryRefused !== undefined) throw new Error(`the sentences were refused: ${summaryRefused}`);
}

function showRows(outcome: Outcome): void {
  if (outcome.type !== 'answered') throw new Error(`${outcome.question} is ${outcome.type}`);
  const { rows } = outcome.result;
  for (const row of rows.slice(0, 6)) console.log(`    ${row.join(' | ')}`);
  if (rows.length > 6) console.log(`    … ${rows.length} rows`);
}

/** Four vans in two depots, a trip every third day, and one van that stood in the workshop in March. */
function makeFleet(path: string): void {
  const database = new Database(path);
  database.exec(`
    CREATE TABLE van (plate TEXT PRIMARY KEY, depot TEXT NOT NULL, capacity_kg INTEGER NOT NULL);
    CREATE TABLE trip (
      trip_id INTEGER PRIMARY KEY,
      plate TEXT NOT NULL REFERENCES van (plate),
      day DATE NOT NULL,
      kilometres INTEGER NOT NULL
    );
    CREATE TABLE workshop (
      plate TEXT NOT NULL REFERENCES van (plate),
      from_day DATE NOT NULL,
      to_day DATE NOT NULL,
      reason TEXT NOT NULL
    );
    INSERT INTO van VALUES ('HH-A 1', 'Hamburg', 900), ('HH-A 2', 'Hamburg', 1200), ('B-C 1', 'Berlin', 900), ('B-C 2', 'Berlin', 900);
    INSERT INTO workshop VALUES ('HH-A 2', '2024-03-02', '2024-03-30', 'gearbox'), ('B-C 1', '2024-07-08', '2024-07-10', 'tyres');
  `);
  const insert = database.prepare('INSERT INTO trip (plate, day, kilometres) VALUES (?, ?, ?)');
  const plates = ['HH-A 1', 'HH-A 2', 'B-C 1', 'B-C 2'];
  for (let day = 0; day < 366; day += 3)
    for (const [at, plate] of plates.entries()) {
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10);
      if (plate === 'HH-A 2' && date.startsWith('2024-03')) continue;
      insert.run(plate, date, 80 + ((day * 7 + at * 31) % 60));
    }
  database.close();
}
