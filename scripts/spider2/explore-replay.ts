/**
 * Algorithm 1 on recorded explorations of Spider 2.0-Snow, under several limits.
 * Usage: node --conditions=@askema/source scripts/spider2/explore-replay.ts
 *
 * No model and no database is asked: `replayed-exploration.ts` says what stands in for them. Nothing here reads gold
 * answers.
 */
import type { Catalog } from '@askema/core';
import { EXPLORATION_PRESETS, type ExplorationLimits, explorationLimits, type Probe } from '@askema/grounding';
import { snowflakeDialect } from '../../packages/dialects/src/snowflake/snowflake.ts';
import { hasCorpora, readCorpus, readLines } from './read-corpus.ts';
import { type RecordedStatement, recordingOf, replayExploration, totalsOf } from './replayed-exploration.ts';

interface ReplayLine extends Omit<RecordedStatement, 'stage'> {
  readonly instance_id: string;
  readonly model: string;
  readonly slot: number;
  readonly stage: 'explore' | 'correct' | 'refine';
}

if (!hasCorpora()) {
  console.error('The Spider 2.0 data is not there; set ASKEMA_DATA to the folder that holds spider2.');
  process.exit(1);
}

const lines = readLines<ReplayLine>('replay.jsonl.gz').filter(
  (line): line is ReplayLine & RecordedStatement => line.stage !== 'refine',
);
const databaseOf = new Map(
  readLines<{ instance_id: string; set: string; db: string }>('tasks.jsonl')
    .filter(({ set }) => set === 'snow')
    .map(({ instance_id, db }) => [instance_id, db]),
);
const wanted = new Set(lines.map(({ instance_id }) => databaseOf.get(instance_id)));
const catalogs = new Map<string, Catalog>(
  readCorpus('snow', { withColumns: true })
    .filter(({ db }) => wanted.has(db))
    .map(({ db, catalog }) => [db, catalog]),
);
const recording = recordingOf(lines);
const queues = new Map<string, { readonly instance: string; readonly model: string; readonly probes: Probe[] }>();
for (const { instance_id: instance, model, slot, stage, sql } of lines) {
  if (stage !== 'explore') continue;
  const key = `${model} ${instance} ${slot}`;
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, { instance, model, probes: [{ sql, purpose: '' }] });
  else queue.probes.push({ sql, purpose: '' });
}

const v5 = EXPLORATION_PRESETS.v5;
/** What stops a run before its queue is done is left open where only the repair is compared. */
const open = {
  maxProbes: Infinity,
  maxResults: Infinity,
  maxFailuresInARow: Infinity,
  maxModelCalls: Infinity,
  maxBytes: Infinity,
};
const SETTINGS: Readonly<Record<string, ExplorationLimits>> = {
  v5,
  'v5, by class': { ...v5, repair: 'class' },
  'all probes, always': { ...explorationLimits({ preset: 'v5' }), ...open },
  'all probes, by class': { ...explorationLimits({ preset: 'v5' }), ...open, repair: 'class' },
  paper: EXPLORATION_PRESETS.paper,
  askema: EXPLORATION_PRESETS.askema,
  'askema, tight': explorationLimits({
    maxResults: 6,
    maxBytes: 2_000,
    maxModelCalls: 1,
    maxFailuresInARow: 2,
    minOutcomes: 1,
  }),
};

for (const model of ['gpt-4o', 'o3']) {
  console.log(`\n${model}`);
  for (const [name, limits] of Object.entries(SETTINGS)) {
    const started = performance.now();
    const runs = [];
    for (const queue of queues.values()) {
      if (queue.model !== model) continue;
      const catalog = catalogs.get(databaseOf.get(queue.instance) ?? '');
      const run = await replayExploration(queue.probes, recording, limits, snowflakeDialect, catalog);
      runs.push({ probes: queue.probes.length, run });
    }
    const total = totalsOf(runs);
    const stops = Object.entries(total.stops).map(([reason, count]) => `${reason} ${count}`);
    console.log(
      `  ${name}: ${total.explorations} explorations of ${total.probes} probes; ${total.executions} executed, ${total.results} with a result; ` +
        `${total.modelCalls} model calls (${total.corrections} corrections, ${total.revisions} revisions); ` +
        `${total.nameFixes} names put right (${total.fixesThatAgree} as the record did), carried over to ${total.propagated} probes; ` +
        `ended by ${stops.join(', ')}; ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
  }
}

console.log(
  '\nWhat corrections were worth, by class of the first error (explored statements; repaired by the 1st, 2nd, 3rd correction):',
);
const worth = new Map<string, { failed: number; readonly repaired: number[]; asked: number[] }>();
for (const { sql, stage } of lines) {
  if (stage !== 'explore') continue;
  const first = await replayExploration(
    [{ sql, purpose: '' }],
    recording,
    { ...v5, maxCorrections: 0 },
    snowflakeDialect,
    undefined,
  );
  const finding = first.findings[0];
  if (first.outcomes[0] === true || finding === undefined) continue;
  const errorClass = finding.errorClass ?? 'other';
  const entry = worth.get(errorClass) ?? { failed: 0, repaired: [0, 0, 0], asked: [0, 0, 0] };
  worth.set(errorClass, entry);
  entry.failed += 1;
  for (const [position, { result }] of (recording.corrections.get(sql) ?? []).slice(0, 3).entries()) {
    entry.asked[position] = (entry.asked[position] ?? 0) + 1;
    if (result !== undefined) entry.repaired[position] = (entry.repaired[position] ?? 0) + 1;
  }
}
for (const [errorClass, { failed, repaired, asked }] of worth)
  console.log(
    `  ${errorClass}: ${failed} failed; ${repaired.map((count, at) => `${count} of ${asked[at]}`).join(', ')}`,
  );
