import type {
  AnswerSignals,
  Candidate,
  ComputedPart,
  GenerateSqlOutput,
  QueryResult,
  RelationId,
  ResultColumn,
  Row,
  SerializedError,
  Usage,
  ValueMatch,
} from '@askema/core';
import type { ReadAs } from '@askema/lint';
import type { ExternalDocument } from '../documents/select-passages.ts';
import type { KnownOfQuestion } from './known.ts';
import type { Assumption, Choice, Confidence } from './outcome-parts.ts';

/** How a flow decided to end. A run that a model or a database broke off has none: its error tells. */
export type Verdict =
  | {
      readonly type: 'answered';
      readonly sure: boolean;
      readonly confidence?: Confidence | undefined;
      readonly signals?: AnswerSignals | undefined;
    }
  | { readonly type: 'needsClarification'; readonly ask: string; readonly choices?: readonly Choice[] | undefined }
  | { readonly type: 'unanswerable'; readonly reason: string; readonly notUnderstood: readonly string[] }
  | { readonly type: 'refused'; readonly reason: string; readonly error?: SerializedError | undefined }
  | { readonly type: 'budgetExceeded'; readonly error: SerializedError }
  | { readonly type: 'failed'; readonly error: SerializedError };

/** What the question was asked back, and what was decided. */
export interface Clarified {
  /** With the choices, each on a line, where it was answered in words. */
  readonly ask: string;
  /** The meaning of the choice, or the words of whoever answered. */
  readonly answer: string;
  /** Where the choice is a statement: it is run, and nobody writes another. */
  readonly sql?: string | undefined;
}

/** A question that was answered, and the statement that did: a follow-up edits it. */
export interface EarlierQuestion {
  readonly question: string;
  readonly sql: string;
  /** The follow-up in the words in which it was said, where the question that is asked has others. */
  readonly message?: string | undefined;
}

/** A way to read the question that is not the first one. */
export interface OtherReading {
  readonly meaning: string;
  readonly sql: string;
  /** Nothing speaks for another one rather than for this one. */
  readonly isEqual: boolean;
}

/** What a result tells beside its rows and columns. */
export type ResultFigures = Omit<QueryResult, 'rows' | 'columns'>;

/**
 * The state that all flows share: plain data that survives a journal. The first ten fields are those of GetSchema,
 * GenerateSQL, ExecuteSQL and DebugSQL; an adapter takes the place of a path, so `dbPath` only names the database, and
 * the open adapter is among the dependencies. The others are what every outcome carries. What a flow keeps beside them
 * is its slice, see `FlowState`.
 */
export interface QuestionState {
  /** Input: the name of the database, as the adapter shows it. */
  dbPath: string;
  /** Input: the question. */
  naturalQuery: string;
  /** Input: executions in all. 3 means three executions and two repairs. */
  maxDebugAttempts: number;
  /** Of GetSchema: the catalog as prompt text. */
  schema: string | null;
  /** Of GenerateSQL and DebugSQL: the statement to run next, or that ran last. */
  generatedSql: string | null;
  /** Of ExecuteSQL, when it failed; DebugSQL clears it. */
  executionError: SerializedError | null;
  /** Failed executions since GenerateSQL. */
  debugAttempts: number;
  /** Of ExecuteSQL, when it succeeded: the rows. */
  finalResult: readonly Row[] | null;
  /** Of ExecuteSQL, when it succeeded: the columns, with name and type. */
  resultColumns: readonly ResultColumn[] | null;
  /** The error of the last execution, when no attempt is left. */
  finalError: SerializedError | null;

  /** Input: definitions and enum meanings that the question takes for granted. */
  evidence: string | null;
  /** Input: documents that the question takes for granted. */
  documents: readonly ExternalDocument[];
  /** Of GetSchema: what of the documents stands in the prompts. */
  documentText: string | null;
  /** Input: the date for "today", ISO 8601. */
  today: string;
  /** Input: what was decided when the question was asked before, in order. */
  clarified: readonly Clarified[];
  /** Input: what the question changes, in a conversation. Absent elsewhere. */
  readonly follows?: EarlierQuestion | undefined;
  /** Of GetSchema: which catalog `schema` shows; steps get it from `deps.catalogs`. */
  catalogFingerprint: string | null;
  /** Of GetSchema: true where a token budget left relations or attributes out of `schema`. */
  schemaIsPartial: boolean;
  /** Of GetSchema: cells that pieces of the question may mean. */
  values: readonly ValueMatch[];
  /** Of GetSchema: relations that were not looked through for `values`. */
  unsearched?: readonly RelationId[] | undefined;
  /** Of GetSchema: what knowledge says to the question. Absent without knowledge. */
  known?: KnownOfQuestion | undefined;
  /** Of statements that ran: the metrics that they compute as defined. */
  computed?: readonly ComputedPart[] | undefined;
  /** How the question was read, or what is missing. */
  explanation: string | null;
  /** Other ways to read the question, with their statements; `generatedSql` is the first way. */
  otherReadings: readonly OtherReading[];
  /** How many of ten would give the same answer, as the solver sees it. */
  wouldAgree: GenerateSqlOutput['would_agree'] | null;
  /** Of ExecuteSQL, when it succeeded. */
  resultFigures: ResultFigures | null;
  /** Set where the flow ends. */
  verdict: Verdict | null;
  /** Every statement that was tried as the answer, in order. */
  candidates: Candidate[];
  usage: Usage;
  /** Model calls. */
  calls: number;
  /** Statements sent to the database on behalf of the question; samples and look-ups of values do not count. */
  executions: number;
  /** Who wrote the SQL. */
  solvedBy: string | null;
  warnings: string[];
  /** With `alignValues`: texts of statements that ran, and the cells that took their place. */
  readAs?: readonly ReadAs[] | undefined;
  /** What the answer takes for granted. */
  assumptions: Assumption[];
  /** For further steps, put into a flow that others made. */
  extras: Record<string, unknown>;
}

/** What a run starts with. */
export interface QuestionStart {
  readonly dbPath: string;
  readonly question: string;
  readonly maxDebugAttempts: number;
  readonly today: string;
  readonly evidence?: string | undefined;
  readonly documents?: readonly ExternalDocument[] | undefined;
  readonly clarified?: readonly Clarified[] | undefined;
  readonly follows?: EarlierQuestion | undefined;
}

/** The state at the start of a run. */
export function createQuestionState(input: QuestionStart): QuestionState {
  return {
    dbPath: input.dbPath,
    naturalQuery: input.question,
    maxDebugAttempts: input.maxDebugAttempts,
    schema: null,
    generatedSql: null,
    executionError: null,
    debugAttempts: 0,
    finalResult: null,
    resultColumns: null,
    finalError: null,
    evidence: input.evidence ?? null,
    documents: (input.documents ?? []).map(({ name, text }) => ({ name, text })),
    documentText: null,
    today: input.today,
    clarified: input.clarified ?? [],
    ...(input.follows === undefined ? {} : { follows: input.follows }),
    catalogFingerprint: null,
    schemaIsPartial: false,
    values: [],
    explanation: null,
    otherReadings: [],
    wouldAgree: null,
    resultFigures: null,
    verdict: null,
    candidates: [],
    usage: {},
    calls: 0,
    executions: 0,
    solvedBy: null,
    warnings: [],
    assumptions: [],
    extras: {},
  };
}
