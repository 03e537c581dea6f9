import type { Catalog, Dialect } from '@askema/core';
import { AskemaError, indexSchema } from '@askema/core';
import type { ExplorationLimits, NameFix, Probe, ProbeCounts, ProbeFailure, ProbesDone } from '@askema/grounding';
import { findNameFix, mentionsName, probeFailure, probeRules, runProbes } from '@askema/grounding';

/** One recorded statement: what it gave, and which one it was to correct. */
export interface RecordedStatement {
  readonly sql: string;
  readonly stage: 'explore' | 'correct';
  readonly result?: string | undefined;
  readonly error?: string | undefined;
  /** The vendor's code, or `empty`. */
  readonly error_class?: string | undefined;
  readonly corrected_from?: string | undefined;
}

/** Recorded statements as a database and as the answers of a model. */
export interface Recording {
  /** What each statement gave; unknown ones never ran. */
  readonly outcomes: ReadonlyMap<string, RecordedStatement>;
  /** The corrections of each explored statement, in the order in which they were asked for. */
  readonly corrections: ReadonlyMap<string, readonly RecordedStatement[]>;
}

/** Makes a recording of statements in their order. */
export function recordingOf(statements: readonly RecordedStatement[]): Recording {
  const outcomes = new Map(statements.map((statement) => [statement.sql, statement]));
  const corrections = new Map<string, RecordedStatement[]>();
  for (const statement of statements) {
    if (statement.stage !== 'correct' || statement.corrected_from === undefined) continue;
    const list = corrections.get(statement.corrected_from);
    if (list === undefined) corrections.set(statement.corrected_from, [statement]);
    else list.push(statement);
  }
  return { outcomes, corrections };
}

export interface ReplayedExploration extends ProbesDone {
  /** Names that were put right without a model, and whether the recorded correction that ran uses the same name. */
  readonly fixes: readonly { readonly fix: NameFix; readonly agrees: boolean }[];
}

/**
 * Runs Algorithm 1 over recorded statements: the explored ones are the queue, the recorded corrections the model's
 * answers. The recorded queue holds what its model made of it, so a revision gives the queue back and costs its call. A
 * statement with a name put right was never recorded: it counts as run, with the result of the recorded correction,
 * only where that one ran and uses the same name.
 */
export async function replayExploration(
  queue: readonly Probe[],
  recording: Recording,
  limits: ExplorationLimits,
  dialect: Dialect,
  catalog: Catalog | undefined,
): Promise<ReplayedExploration> {
  const index = catalog && indexSchema(catalog);
  const fixes: { fix: NameFix; agrees: boolean }[] = [];
  const asked = new Map<string, number>();
  const rules = probeRules(limits, dialect);
  const done = await runProbes(queue, rules, {
    execute: async ({ sql, probe }) => {
      const ranWithName = fixes.length > 0 ? recordedWithName(probe, fixes, recording, dialect) : undefined;
      const statement = recording.outcomes.get(sql) ?? ranWithName ?? recording.outcomes.get(probe.sql);
      if (statement?.result !== undefined) return { type: 'result', view: statement.result, rowCount: 1 };
      const failure = failureOf(sql, statement, dialect);
      const fix = index && limits.repair === 'class' ? findNameFix(sql, failure, dialect, index) : undefined;
      if (fix !== undefined && rules.replaceName(sql, fix) !== undefined) {
        const corrected = recording.corrections.get(sql)?.find(({ result }) => result !== undefined);
        fixes.push({ fix, agrees: corrected !== undefined && mentionsName(corrected.sql, fix.to, dialect) });
      }
      return { type: 'failed', failure, fix };
    },
    correct: async ({ current }) => {
      const count = asked.get(current.probe.sql) ?? 0;
      asked.set(current.probe.sql, count + 1);
      return { type: 'corrected', sql: recording.corrections.get(current.probe.sql)?.[count]?.sql, calls: 1 };
    },
    revise: async ({ queue: rest }) => ({ type: 'revised', probes: rest, calls: 1 }),
  });
  return { ...done, fixes };
}

/** The recorded correction of a probe that ran and uses a name that was put in. */
function recordedWithName(
  probe: Probe,
  fixes: readonly { readonly fix: NameFix }[],
  recording: Recording,
  dialect: Dialect,
): RecordedStatement | undefined {
  const last = fixes.at(-1)?.fix;
  if (last === undefined) return undefined;
  return recording.corrections
    .get(probe.sql)
    ?.find(({ sql, result }) => result !== undefined && mentionsName(sql, last.to, dialect));
}

function failureOf(sql: string, statement: RecordedStatement | undefined, dialect: Dialect): ProbeFailure {
  if (statement?.error_class === 'empty')
    return { message: 'The statement ran and found no rows.', errorClass: 'empty' };
  const vendorCode = statement?.error_class;
  const message = statement?.error ?? 'This statement was never recorded.';
  return probeFailure(sql, new AskemaError('QUERY_FAILED', message, { details: { vendorCode } }), dialect);
}

/** Sums over explorations. */
export interface ReplayTotals extends ProbeCounts {
  readonly explorations: number;
  readonly probes: number;
  readonly results: number;
  readonly stops: Readonly<Record<string, number>>;
  readonly fixesThatAgree: number;
}

/** Adds up what explorations did. */
export function totalsOf(
  runs: readonly { readonly probes: number; readonly run: ReplayedExploration }[],
): ReplayTotals {
  const counts: Record<string, number> = {};
  const stops: Record<string, number> = {};
  for (const { run } of runs) {
    for (const [key, count] of Object.entries(run.counts)) counts[key] = (counts[key] ?? 0) + count;
    stops[run.reason] = (stops[run.reason] ?? 0) + 1;
  }
  return {
    ...(counts as unknown as ProbeCounts),
    explorations: runs.length,
    probes: runs.reduce((sum, { probes }) => sum + probes, 0),
    results: runs.reduce((sum, { run }) => sum + run.outcomes.filter(Boolean).length, 0),
    fixesThatAgree: runs.reduce((sum, { run }) => sum + run.fixes.filter(({ agrees }) => agrees).length, 0),
    stops,
  };
}
