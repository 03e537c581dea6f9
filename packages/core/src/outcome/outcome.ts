import type { QueryResult } from '../adapter/adapter-spec.ts';
import type { SerializedError } from '../errors/askema-error.ts';
import type { Usage } from '../model/usage.ts';
import type { AnswerSignals } from './confidence-table.ts';
import type { InspectionFinding } from './finding.ts';

/** A statement that was considered, what became of it, and why it was kept or dropped. */
export interface Candidate {
  readonly sql: string;
  readonly status: 'chosen' | 'rejected' | 'failed';
  readonly reason?: string | undefined;
  readonly error?: SerializedError | undefined;
}

/** What every outcome carries. */
export interface OutcomeBase {
  readonly question: string;
  readonly runId: string;
  /** The last statement, whether it ran or not. */
  readonly sql?: string | undefined;
  readonly explanation?: string | undefined;
  readonly candidates: readonly Candidate[];
  readonly usage: Usage;
  /** Model calls. */
  readonly calls: number;
  /** Statements sent to the database on behalf of the question. */
  readonly executions: number;
  readonly elapsedMs: number;
  /** Who wrote the SQL: `openai:gpt-…`, `lexical`. */
  readonly solvedBy?: string | undefined;
  readonly warnings: readonly string[];
  /** Where statements were inspected before they ran. */
  readonly inspection?: InspectionRecord | undefined;
}

/** One way to read a question that waits for a decision. Plain JSON. */
interface Choice {
  /** Stable within the outcome; what `resume(runId, { answer })` takes. */
  readonly id: string;
  /** What the answer would then be about, in one sentence. */
  readonly meaning: string;
  /** What the answer would then be, in a few words, where the statement was run. */
  readonly gives?: string | undefined;
  /** What the flow goes on with: a statement that it runs, or a definition that it asks the question with. */
  readonly resolution:
    | { readonly kind: 'sql'; readonly sql: string }
    | { readonly kind: 'evidence'; readonly text: string };
}

/** Something that the answer took for granted. Plain JSON. */
interface Assumption {
  /** One sentence. */
  readonly text: string;
  /** The words of the question or the name in the database that it is about; without it, the whole answer. */
  readonly concerns?: string | undefined;
}

/**
 * Something that the answer stands on. Plain JSON. Further kinds will come, so a reader passes over those that it does
 * not know.
 */
type Basis = RelationBasis | KnowledgeBasis;

interface RelationBasis {
  readonly kind: 'relation';
  /** As the engine sees the name in the statement, qualified as it stands there. */
  readonly name: string;
}

/** A piece of knowledge: a metric that was computed, a rule that the prompt showed, a verified query that answered. */
export interface KnowledgeBasis {
  readonly kind: 'metric' | 'rule' | 'verifiedQuery';
  readonly name: string;
  /** The formula of a metric, the text of a rule, the question of a verified query; long ones are cut. */
  readonly definition: string;
  readonly state: 'proposed' | 'accepted' | 'failed';
  /** What the holes of a verified query were filled with, by their names. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** How likely an answer is to be right. Plain JSON. */
interface Confidence {
  /** In [0, 1]. */
  readonly value: number;
  /**
   * `votes`: how far independent attempts agreed, which is no probability. `table`: read from a table that was fitted
   * for this model on questions with known answers.
   */
  readonly from: 'votes' | 'table';
}

/** What an inspection found on the way to an answer. Plain JSON. */
export interface InspectionRecord {
  /** Revisions after the first statement. */
  readonly iterations: number;
  /** Of the statement that stands: those that are still open, and those that were kept with a reason. */
  readonly findings: readonly InspectionFinding[];
  /** Each statement that was inspected, in order; empty text where none could be made. */
  readonly tries: readonly {
    readonly sql: string;
    readonly findings: readonly Pick<InspectionFinding, 'code' | 'severity'>[];
  }[];
}

/**
 * How a question ended. One union everywhere; `type` decides which fields are there.
 * - `answered`: `result` holds the rows. `assumptions` is what the answer took for granted, `basedOn` what it stands on.
 *   `confidence` is undefined when nothing measured it; `sure` is true only by a fitted table; `signals` is what such a
 *   table is fitted on.
 * - `needsClarification`: `ask` is what the user must decide, `choices` what can be meant; none where only words help.
 * - `unanswerable`: the database does not hold it; `notUnderstood` names the words.
 * - `refused`: the statement was not allowed to run, or the model refused.
 * - `budgetExceeded`: the best answer so far, if there was one.
 * - `cancelled`: stopped by the caller.
 * - `failed`: tried and not succeeded; `error` is the last one.
 */
export type Outcome = OutcomeBase &
  (
    | {
        readonly type: 'answered';
        readonly sql: string;
        readonly result: QueryResult;
        readonly assumptions: readonly Assumption[];
        readonly basedOn: readonly Basis[];
        readonly confidence?: Confidence | undefined;
        readonly sure: boolean;
        readonly signals?: AnswerSignals | undefined;
      }
    | { readonly type: 'needsClarification'; readonly ask: string; readonly choices: readonly Choice[] }
    | { readonly type: 'unanswerable'; readonly reason: string; readonly notUnderstood: readonly string[] }
    | { readonly type: 'refused'; readonly reason: string; readonly error?: SerializedError | undefined }
    | { readonly type: 'budgetExceeded'; readonly result?: QueryResult | undefined; readonly error: SerializedError }
    | { readonly type: 'cancelled'; readonly error: SerializedError }
    | { readonly type: 'failed'; readonly error: SerializedError }
  );
