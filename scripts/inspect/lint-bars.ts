/**
 * How often each rule speaks up on statements that are right, and how many of the statements that were broken on
 * purpose are found. Usage: node --conditions=@askema/source scripts/inspect/lint-bars.ts [--set
 * dev,spider2,defog,designs,mutants] [--seed A,B] [--list RULE] [--list-missed CLASS] (ASKEMA_DATA names the folder that
 * holds text2sql-dev, spider2 and rschema-dev).
 *
 * `defog` measures on other databases than `dev`; `designs` the rule for relationship sets on designs that were
 * accepted.
 *
 * Bars: a rule of severity error on fewer than 1 % of the right statements of `dev` and `spider2`; the rules of
 * WATCHED, whatever they say, on fewer than 1 % of each set; at least 90 % of each class of broken statements found by
 * a warning or an error that the right statement does not have, with its question known.
 */
import { parseArgs } from 'node:util';
import type { InspectionFinding } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { scanCells } from '@askema/grounding';
import { sqlparserTs } from '@askema/sql-parser';
import { checkConceptualModel } from '../../packages/text2schema/src/conceptual/index.ts';
import { hasAcceptedDesigns, readAcceptedDesigns } from './accepted-designs.ts';
import { hasDevelopmentSet, openDevelopmentSet, type QuestionSet } from './development-set.ts';
import { FalseAlarms, percent, SEVERITIES } from './false-alarms.ts';
import { findingsOf } from './findings-of.ts';
import { mutationsOf } from './mutations.ts';
import { Recall } from './recall.ts';
import { hasSpider2, readSpider2Gold } from './spider2-gold.ts';

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', default: 'dev,spider2,defog,designs,mutants' },
    seed: { type: 'string', default: 'A' },
    list: { type: 'string' },
    'list-missed': { type: 'string' },
  },
});
const sets = new Set(flags.set.split(','));
const seeds = flags.seed.split(',');
if (!hasDevelopmentSet() || !hasSpider2() || !hasAcceptedDesigns()) {
  console.error('Data is missing: ASKEMA_DATA names the folder that holds text2sql-dev, spider2 and rschema-dev.');
  process.exit(1);
}

/** What was measured on one set of questions. */
interface Measured {
  readonly asked: FalseAlarms;
  readonly unasked: FalseAlarms;
  readonly recalls: readonly { readonly seed: string; readonly asked: Recall; readonly unasked: Recall }[];
}

function emptyMeasured(name: string): Measured {
  return {
    asked: new FalseAlarms(`${name}, question known`),
    unasked: new FalseAlarms(`${name}, no question`),
    recalls: seeds.map((seed) => ({
      seed,
      asked: new Recall(`${name}, seed ${seed}, question known`),
      unasked: new Recall(`${name}, seed ${seed}, no question`),
    })),
  };
}

const dev = emptyMeasured('dev');
const spider2 = emptyMeasured('spider2');
const defog = emptyMeasured('defog');
const parser = sqlparserTs();

async function measure(set: QuestionSet, { asked, unasked, recalls }: Measured, isBroken: boolean): Promise<void> {
  for await (const { adapter, catalog, index, questions } of openDevelopmentSet(parser, set)) {
    const values = scanCells({ adapter, catalog });
    const look = (sql: string, question?: string, evidence?: string): Promise<readonly InspectionFinding[]> =>
      findingsOf(sql, { catalog, dialect: sqliteDialect, parser, question, evidence, database: { adapter, values } });
    for (const { id, sql, shape, question, evidence, orderMatters } of questions) {
      const gold = { sql, findings: await look(sql, question, evidence) };
      const goldUnasked = { sql, findings: await look(sql) };
      asked.add(id, sql, gold.findings);
      unasked.add(id, sql, goldUnasked.findings);
      if (shape === undefined || !isBroken) continue;
      for (const recall of recalls)
        for (const mutation of await mutationsOf({
          ...{ adapter, catalog, index, sql, shape, id, orderMatters },
          seed: recall.seed,
        })) {
          recall.asked.add(id, gold, mutation, await look(mutation.sql, question, evidence));
          recall.unasked.add(id, goldUnasked, mutation, await look(mutation.sql));
        }
    }
    await values.close();
  }
}

async function measureSpider2(): Promise<void> {
  for (const { id, sql, question, dialect, catalog } of readSpider2Gold()) {
    spider2.asked.add(id, sql, await findingsOf(sql, { catalog, dialect, parser, question }));
    spider2.unasked.add(id, sql, await findingsOf(sql, { catalog, dialect, parser }));
  }
}

/** A rule that was wrong often, on one set. */
interface Watched {
  readonly rule: string;
  readonly set: string;
  readonly all: number;
  readonly alarms: number;
}

/** Rules of statements that were wrong often in replies to questions that nobody had seen before. */
const WATCHED = ['column-asked', 'aggregate-over-fan-out'] as const;
const watched: Watched[] = [];

async function measureDesigns(): Promise<void> {
  const rule = 'relationship-duplicate';
  for (const withRoles of [true, false]) {
    const designs = await readAcceptedDesigns({ withRoles });
    const wrong = designs.filter(({ model }) => checkConceptualModel(model).some(({ code }) => code === rule));
    const set = `designs, roles ${withRoles ? 'as named' : 'left out'}`;
    watched.push({ rule, set, all: designs.length, alarms: wrong.length });
    if (flags.list === rule) for (const { id } of wrong) console.log(`${set}, ${rule}: ${id}`);
  }
}

if (sets.has('dev') || sets.has('mutants')) await measure('dev', dev, sets.has('mutants'));
if (sets.has('defog')) await measure('defog', defog, sets.has('mutants'));
if (sets.has('spider2')) await measureSpider2();
if (sets.has('designs')) await measureDesigns();
await parser.close();

const all = [dev, spider2, defog];
const measured = all.flatMap(({ asked, unasked }) => [asked, unasked]).filter(({ statements }) => statements > 0);
for (const one of measured) {
  console.log(`${one.name}: ${one.statements} statements that are right`);
  console.table(one.rows());
  for (const line of flags.list === undefined ? [] : one.list(flags.list)) console.log(line);
}
for (const one of measured)
  for (const rule of WATCHED) {
    // Without a question there is nothing that a column could miss.
    if (rule === 'column-asked' && one.name.endsWith('no question')) continue;
    const alarms = SEVERITIES.reduce((sum, severity) => sum + one.count(rule, severity), 0);
    watched.push({ rule, set: one.name, all: one.statements, alarms });
  }
console.table(watched.map((one) => ({ ...one, share: percent(one.alarms, one.all) })));

const broken = all
  .flatMap(({ recalls }) => recalls.flatMap(({ asked, unasked }) => [asked, unasked]))
  .filter(({ statements }) => statements > 0);
for (const one of broken) {
  console.log(`${one.name}: ${one.statements} broken statements`);
  console.table(one.rows());
  for (const line of flags['list-missed'] === undefined ? [] : one.missed(flags['list-missed'])) console.log(line);
}
const failures = [
  ...watched
    .filter(({ all, alarms }) => alarms >= 0.01 * all)
    .map(({ rule, set }) => `${set}: ${rule} is a false alarm on 1 % or more`),
  ...measured
    .filter((one) => one !== defog.asked && one !== defog.unasked)
    .flatMap((one) => one.overBar().map((code) => `${one.name}: ${code} is an error on 1 % or more`)),
  ...dev.recalls.flatMap(({ asked }) =>
    asked.statements === 0 ? [] : asked.underBar().map((kind) => `${asked.name}: less than 90 % of ${kind} is found`),
  ),
];
console.log(failures.length === 0 ? 'The bars hold.' : `The bars do NOT hold:\n  ${failures.join('\n  ')}`);
if (failures.length > 0) process.exitCode = 1;
