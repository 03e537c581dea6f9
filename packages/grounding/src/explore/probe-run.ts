import { type AskemaError, classifyError, type Dialect, type ErrorClass, type LexerTraits } from '@askema/core';
import { isSymbol, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';

/** A statement that an exploration wants to see the result of. */
export interface Probe {
  readonly sql: string;
  readonly purpose: string;
  /**
   * `exceptions`: it looks for rows that should not be there, and to find none is what it wants to know. Default:
   * `contents`.
   */
  readonly looksFor?: 'contents' | 'exceptions' | undefined;
}

/** Why a statement gave nothing. `empty`: it ran, and found no row. */
export interface ProbeFailure {
  readonly message: string;
  readonly errorClass: ErrorClass;
  /**
   * The name that the database complains about, as it stores names: the last part of a qualified one, without quotes.
   */
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

/** Probes whose statements differ in more than blanks; empty statements are left out. */
export function distinctProbes(probes: readonly Probe[]): readonly Probe[] {
  const seen = new Set<string>();
  return probes.filter(({ sql }) => {
    const key = sql.replace(/\s+/g, ' ').trim();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** What is read of a message to find the name in it. */
const MAX_NAME_CHARACTERS = 400;

/**
 * A database's refusal of a statement as Algorithm 1 reads it: the class that the adapter gave, or the one that the
 * dialect's rules give; the name that stands where the error is, or the one that the message quotes.
 */
export function probeFailure(sql: string, error: AskemaError, dialect: Dialect): ProbeFailure {
  const { errorClass, vendorCode, nearestNames, position } = error.details;
  const classified = classifyError(dialect, { vendorCode, message: error.message });
  const byCode = error.code === 'QUERY_TIMEOUT' ? 'timeout' : isRefused(error) ? 'permission' : undefined;
  const said = classified.name?.slice(0, MAX_NAME_CHARACTERS);
  const standing = position === undefined ? undefined : nameAt(sql, position.offset, dialect.lexer);
  return {
    message: error.message,
    errorClass: byCode ?? errorClass ?? classified.errorClass,
    // Messages quote names as the engine has read them, so they are not folded once more.
    name: standing ?? (said === undefined ? undefined : nameAt(said, 0, { ...dialect.lexer, nameFolding: undefined })),
    nearestNames,
  };
}

function isRefused({ code }: AskemaError): boolean {
  return code === 'QUERY_NOT_READ_ONLY' || code === 'QUERY_REFUSED';
}

/** The last part of the name that begins at an offset: of `a.b = 1` it is `b`. */
function nameAt(text: string, offset: number, lexer: LexerTraits): string | undefined {
  const tokens = significantTokens(text, lexer);
  let at = tokens.findIndex(({ start, end }) => start <= offset && offset < end);
  // A full stop at the end of a sentence is none between names.
  const touches = (before: SqlToken | undefined, after: SqlToken | undefined): boolean => before?.end === after?.start;
  while (
    isName(tokens[at], lexer) &&
    isSymbol(tokens[at + 1], '.') &&
    isName(tokens[at + 2], lexer) &&
    touches(tokens[at + 1], tokens[at + 2])
  )
    at += 2;
  const token = tokens[at];
  return token && nameOfToken(token, lexer);
}

function isName(token: SqlToken | undefined, lexer: LexerTraits): boolean {
  return token !== undefined && nameOfToken(token, lexer) !== undefined;
}

/** The beginning of a text that fits into that many bytes of UTF-8, cut between characters. */
export function cutBytes(text: string, maxBytes: number): string {
  if (maxBytes === Number.POSITIVE_INFINITY || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, maxBytes));
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}
