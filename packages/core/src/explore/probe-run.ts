import type { ErrorClass } from '../errors/error-code.ts';

/** A statement that an exploration wants to see the result of. */
export interface Probe {
  readonly sql: string;
  readonly purpose: string;
  /** `exceptions`: it looks for rows that should not be there, and to find none is what it wants to know. Default: `contents`. */
  readonly looksFor?: 'contents' | 'exceptions' | undefined;
}

/** Why a statement gave nothing. `empty`: it ran, and found no row. */
export interface ProbeFailure {
  readonly message: string;
  readonly errorClass: ErrorClass;
  /** The name that the database complains about, as it stores names: the last part of a qualified one, without quotes. */
  readonly name?: string | undefined;
  /** Names that exist and are near. */
  readonly nearestNames?: readonly string[] | undefined;
}

/** A name that does not exist, and the one that was meant. */
export interface NameFix {
  readonly from: string;
  readonly to: string;
  /** The relation that `to` is an attribute of. */
  readonly relation?: string | undefined;
}

/** What is known about one probe in the end. */
export interface Finding extends Probe {
  /** The result as a prompt shows it; for an empty result that it has no rows. */
  readonly view?: string | undefined;
  readonly error?: string | undefined;
  readonly errorClass?: ErrorClass | undefined;
  /** The statement as it was first written, when another one was run in its place. */
  readonly correctedFrom?: string | undefined;
}

/** Why an exploration ended. */
export type StopReason = 'done' | 'results' | 'failures' | 'bytes' | 'time' | 'stopped';

/** The probe at hand. */
export interface CurrentProbe {
  readonly probe: Probe;
  /** As it is run now. */
  readonly sql: string;
  /** What was tried for it, oldest first. */
  readonly tried: readonly { readonly sql: string; readonly failure: ProbeFailure }[];
  /** Corrections asked of the model, and those made without one. */
  readonly asked: number;
  readonly fixed: number;
}

/** The state of Algorithm 1: plain data. */
export interface ProbeRun {
  readonly queue: readonly Probe[];
  readonly current?: CurrentProbe | undefined;
  /** A correction that ran, by which the rest of the queue is to be revised. */
  readonly lesson?: { readonly failed: string; readonly failure: ProbeFailure; readonly corrected: string } | undefined;
  readonly findings: readonly Finding[];
  /** Of the probes that are done, oldest first: whether a result came. */
  readonly outcomes: readonly boolean[];
  readonly bytes: number;
  readonly counts: ProbeCounts;
  readonly stopped?: StopReason | undefined;
}

export interface ProbeCounts {
  readonly executions: number;
  readonly modelCalls: number;
  readonly corrections: number;
  /** Corrections without a model. */
  readonly nameFixes: number;
  /** Revisions of the queue that were asked for, and that were taken. */
  readonly revisions: number;
  readonly revisionsTaken: number;
  /** Probes of the queue that a name fix was carried over to. */
  readonly propagated: number;
}

/** What has to be done next. */
export type ProbeAction =
  | { readonly type: 'execute'; readonly sql: string; readonly probe: Probe }
  | { readonly type: 'correct'; readonly current: CurrentProbe; readonly failure: ProbeFailure }
  | { readonly type: 'revise'; readonly lesson: NonNullable<ProbeRun['lesson']>; readonly queue: readonly Probe[] }
  | { readonly type: 'end'; readonly reason: StopReason };

/** What came of it. */
export type ProbeEvent =
  | { readonly type: 'result'; readonly view: string; readonly rowCount: number }
  | { readonly type: 'failed'; readonly failure: ProbeFailure; readonly fix?: NameFix | undefined }
  /** Not sent: the statement is no probe. */
  | { readonly type: 'refused'; readonly reason: string }
  /** `sql` undefined: the model gave none. */
  | { readonly type: 'corrected'; readonly sql: string | undefined; readonly calls: number }
  | { readonly type: 'revised'; readonly probes: readonly Probe[] | undefined; readonly calls: number };

const NO_COUNTS: ProbeCounts = {
  executions: 0,
  modelCalls: 0,
  corrections: 0,
  nameFixes: 0,
  revisions: 0,
  revisionsTaken: 0,
  propagated: 0,
};

/** The start of a run over these probes, repetitions left out. */
export function startProbeRun(probes: readonly Probe[], maxProbes: number): ProbeRun {
  const queue = distinctProbes(probes).slice(0, maxProbes);
  return { queue, findings: [], outcomes: [], bytes: 0, counts: NO_COUNTS };
}

/** Probes whose statements differ in more than blanks; an empty statement is none. */
export function distinctProbes(probes: readonly Probe[]): readonly Probe[] {
  const seen = new Set<string>();
  return probes.filter(({ sql }) => {
    const key = sql.replace(/\s+/g, ' ').trim();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
