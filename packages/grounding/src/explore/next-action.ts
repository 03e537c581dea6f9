import type { Dialect, ErrorClass } from '@askema/core';
import type { ExplorationLimits } from './exploration-limits.ts';
import { mentionsName, replaceName } from './name-fix.ts';
import {
  type CurrentProbe,
  cutBytes,
  distinctProbes,
  type Finding,
  type NameFix,
  type Probe,
  type ProbeAction,
  type ProbeEvent,
  type ProbeRun,
  type StopReason,
} from './probe-run.ts';

/** What the machine needs to know to carry a fix over to another statement. */
export interface ProbeRules {
  readonly limits: ExplorationLimits;
  /** The statement with another name in place of one that does not exist; undefined when it does not use that name. */
  readonly replaceName: (sql: string, fix: NameFix) => string | undefined;
  /** Whether a statement uses that name or function. */
  readonly mentions: (sql: string, name: string) => boolean;
}

/** The rules for statements of a dialect. */
export function probeRules(limits: ExplorationLimits, dialect: Dialect): ProbeRules {
  return {
    limits,
    replaceName: (sql, fix) => replaceName(sql, fix, dialect),
    mentions: (sql, name) => mentionsName(sql, name, dialect),
  };
}

/**
 * Corrections worth asking for, by class, where {@link ExplorationLimits.repair} is `class`: none where another
 * statement would fare no better (permission), one where there is one thing to do (an empty result: a wider pattern;
 * time: less work), and all where the engine says what is wrong.
 */
function correctionsFor(errorClass: ErrorClass, { repair, maxCorrections }: ExplorationLimits): number {
  if (repair === 'always') return maxCorrections;
  switch (errorClass) {
    case 'permission':
      return 0;
    case 'empty':
    case 'timeout':
      return Math.min(1, maxCorrections);
    default:
      return maxCorrections;
  }
}

const NO_ROWS = '(no rows)';

/** What has to be done next in a run (Algorithm 1). Pure. `elapsedMs`: of all its statements. */
export function nextAction(run: ProbeRun, rules: ProbeRules, elapsedMs: number): ProbeAction {
  const reason = stopReason(run, rules.limits, elapsedMs);
  if (reason !== undefined) return { type: 'end', reason };
  if (run.lesson !== undefined) return { type: 'revise', lesson: run.lesson, queue: run.queue };
  const { current } = run;
  if (current === undefined) {
    const [probe] = run.queue;
    return probe === undefined ? { type: 'end', reason: 'done' } : { type: 'execute', sql: probe.sql, probe };
  }
  const last = current.tried.at(-1);
  return last === undefined || last.sql !== current.sql
    ? { type: 'execute', sql: current.sql, probe: current.probe }
    : { type: 'correct', current, failure: last.failure };
}

function stopReason(run: ProbeRun, limits: ExplorationLimits, elapsedMs: number): StopReason | undefined {
  if (run.stopped !== undefined) return run.stopped;
  if (elapsedMs >= limits.maxMs) return 'time';
  if (run.bytes >= limits.maxBytes) return 'bytes';
  if (run.current !== undefined) return undefined;
  const last = run.outcomes.slice(-limits.maxFailuresInARow);
  const failed = last.length >= limits.maxFailuresInARow && !last.some(Boolean);
  if (failed && run.outcomes.length > limits.minOutcomes) return 'failures';
  if (run.queue.length === 0) return 'done';
  return run.outcomes.filter(Boolean).length >= limits.maxResults ? 'results' : undefined;
}

/** The run as it ends: of a probe in the middle of its corrections what was found so far. Pure. */
export function finishRun(run: ProbeRun): ProbeRun {
  const { current } = run;
  return current === undefined || current.tried.length === 0 ? run : gaveUp({ ...run, current });
}

/** The run after an action had this outcome. Pure. */
export function afterEvent(run: ProbeRun, rules: ProbeRules, event: ProbeEvent): ProbeRun {
  switch (event.type) {
    case 'result':
      return afterResult(begun(run), rules, event.view, event.rowCount);
    case 'failed':
      return afterFailure(counted(begun(run), 'executions'), rules, event);
    case 'refused':
      return settled(begun(run), { error: event.reason, errorClass: 'other' }, false);
    case 'corrected':
      return afterCorrection(run, event.sql, event.calls);
    case 'revised':
      return afterRevision(run, rules.limits, event.probes, event.calls);
  }
}

/** Takes the next probe out of the queue, unless one is at hand. */
function begun(run: ProbeRun): ProbeRun & { readonly current: CurrentProbe } {
  const { current, queue } = run;
  if (current !== undefined) return { ...run, current };
  const [probe = { sql: '', purpose: '' }, ...rest] = queue;
  return { ...run, queue: rest, current: { probe, sql: probe.sql, tried: [], asked: 0, fixed: 0 } };
}

function afterResult(
  run: ProbeRun & { readonly current: CurrentProbe },
  rules: ProbeRules,
  view: string,
  rowCount: number,
): ProbeRun {
  const { current } = run;
  if (rowCount === 0) {
    const failure = { message: 'The statement ran and found no rows.', errorClass: 'empty' } as const;
    return afterFailure(counted(run, 'executions'), rules, { failure });
  }
  const shown = cutBytes(view, rules.limits.maxBytes - run.bytes);
  const done = settled(counted(run, 'executions'), { view: shown }, true);
  const bytes = run.bytes + Buffer.byteLength(shown);
  const last = current.tried.at(-1);
  const lesson = last && { failed: current.probe.sql, failure: last.failure, corrected: current.sql };
  return lesson !== undefined && isLesson(done, current, lesson, rules)
    ? { ...done, bytes, lesson }
    : { ...done, bytes };
}

/** Whether the rest of the queue may hold the mistake that was just put right. */
function isLesson(
  run: ProbeRun,
  current: CurrentProbe,
  lesson: NonNullable<ProbeRun['lesson']>,
  { limits, mentions }: ProbeRules,
): boolean {
  if (run.queue.length === 0 || current.asked === 0 || run.counts.modelCalls >= limits.maxModelCalls) return false;
  if (limits.repair === 'always') return true;
  const { errorClass, name } = lesson.failure;
  if (errorClass === 'empty' || errorClass === 'timeout') return false;
  return name === undefined || run.queue.some(({ sql }) => mentions(sql, name));
}

function afterFailure(
  run: ProbeRun & { readonly current: CurrentProbe },
  rules: ProbeRules,
  { failure, fix }: Pick<Extract<ProbeEvent, { type: 'failed' }>, 'failure' | 'fix'>,
): ProbeRun {
  const { limits, replaceName } = rules;
  // To find none is what it wanted to know, in every preset.
  const isFinding = failure.errorClass === 'empty' && run.current.probe.looksFor === 'exceptions';
  if (isFinding) return settled(run, { view: NO_ROWS, errorClass: 'empty' }, true);
  const tried = [...run.current.tried, { sql: run.current.sql, failure }];
  const current = { ...run.current, tried };
  // A fix that leads to a failure itself is not followed by another one without end.
  const fixedSql = fix === undefined || current.fixed >= MAX_NAME_FIXES ? undefined : replaceName(current.sql, fix);
  if (limits.repair === 'class' && fix !== undefined && fixedSql !== undefined) {
    const queue = run.queue.map((probe) => ({ ...probe, sql: replaceName(probe.sql, fix) ?? probe.sql }));
    const propagated = queue.filter(({ sql }, position) => sql !== run.queue[position]?.sql).length;
    const counts = {
      ...run.counts,
      nameFixes: run.counts.nameFixes + 1,
      propagated: run.counts.propagated + propagated,
    };
    return {
      ...run,
      queue: distinctProbes(queue),
      counts,
      current: { ...current, sql: fixedSql, fixed: current.fixed + 1 },
    };
  }
  const isAllowed = current.asked < correctionsFor(failure.errorClass, limits) && !isRepeated(current, limits);
  if (isAllowed && run.counts.modelCalls < limits.maxModelCalls) return { ...run, current };
  return gaveUp({ ...run, current });
}

const MAX_NAME_FIXES = 3;

/** The correction before led to the very same complaint: the model does not know better. */
function isRepeated(current: CurrentProbe, { repair }: ExplorationLimits): boolean {
  if (repair === 'always' || current.asked < 2) return false;
  const [before, last] = current.tried.slice(-2);
  return before?.failure.message === last?.failure.message;
}

/** Of a probe that could not be put right its first statement counts: that this found nothing is knowledge. */
function gaveUp(run: ProbeRun & { readonly current: CurrentProbe }): ProbeRun {
  const { tried, sql } = run.current;
  const empty = tried.find(({ failure }) => failure.errorClass === 'empty');
  const last = tried.at(-1);
  if (empty !== undefined) return settled(run, { sql: empty.sql, view: NO_ROWS, errorClass: 'empty' }, false);
  return settled(
    run,
    { sql, error: last?.failure.message ?? 'It was not run.', errorClass: last?.failure.errorClass },
    false,
  );
}

function settled(
  run: ProbeRun & { readonly current: CurrentProbe },
  found: Partial<Finding>,
  isGood: boolean,
): ProbeRun {
  const { probe, sql } = run.current;
  const ran = found.sql ?? sql;
  const finding: Finding = {
    purpose: probe.purpose,
    ...found,
    sql: ran,
    ...(ran === probe.sql ? {} : { correctedFrom: probe.sql }),
  };
  // A correction that found something in place of nothing: both are knowledge.
  const emptyFirst = isGood && run.current.tried.find(({ failure }) => failure.errorClass === 'empty');
  const before: readonly Finding[] = emptyFirst
    ? [{ purpose: probe.purpose, sql: emptyFirst.sql, view: NO_ROWS, errorClass: 'empty' }]
    : [];
  return {
    ...run,
    current: undefined,
    findings: [...run.findings, ...before, finding],
    outcomes: [...run.outcomes, isGood],
  };
}

function afterCorrection(run: ProbeRun, sql: string | undefined, calls: number): ProbeRun {
  const started = begun(run);
  const counts = {
    ...run.counts,
    modelCalls: run.counts.modelCalls + calls,
    corrections: run.counts.corrections + 1,
  };
  const current = { ...started.current, asked: started.current.asked + 1 };
  const next = { ...started, counts, current };
  const isNew = sql !== undefined && sql.trim() !== '' && !current.tried.some((one) => one.sql === sql);
  return isNew ? { ...next, current: { ...current, sql } } : gaveUp(next);
}

function afterRevision(
  run: ProbeRun,
  limits: ExplorationLimits,
  probes: readonly Probe[] | undefined,
  calls: number,
): ProbeRun {
  const revised = distinctProbes(probes ?? []).slice(0, run.queue.length);
  const isTaken = revised.length > 0 && revised.length >= limits.revisedShare * run.queue.length;
  const counts = {
    ...run.counts,
    modelCalls: run.counts.modelCalls + calls,
    revisions: run.counts.revisions + 1,
    revisionsTaken: run.counts.revisionsTaken + (isTaken ? 1 : 0),
  };
  return { ...run, lesson: undefined, counts, queue: isTaken ? revised : run.queue };
}

function counted<Run extends ProbeRun>(run: Run, what: 'executions'): Run {
  return { ...run, counts: { ...run.counts, [what]: run.counts[what] + 1 } };
}
