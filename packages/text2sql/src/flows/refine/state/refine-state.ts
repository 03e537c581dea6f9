import type { Candidate, Message, QueryResult, SerializedError, Usage } from '@askema/core';
import type { ExplorationLimits } from '@askema/grounding';
import type { ReadAs } from '@askema/lint';
import type { ProfileTaken } from '../../../explore/exploration.ts';
import type { InspectionPlan } from '../../../inspection/inspection-options.ts';
import type { FlowState } from '../../../question/flow-spec.ts';
import type { MetricsOfStatement } from '../../../question/known.ts';
import type { QuestionData } from '../../../question/question-input.ts';
import type { OtherReading } from '../../../question/question-state.ts';
import type { VoteDecision } from '../../../vote/decide-vote.ts';
import type { CteWork } from './cte-work.ts';
import type { RefinePlan } from './refine-plan.ts';

/** A column of the expected answer. */
export interface FormatColumn {
  readonly name: string;
  /** In the words of the model: `text`, `integer`, `decimal`, `date`, … */
  readonly type: string;
  /** What it holds, with unit and range: `percentage from 0 to 100`. */
  readonly meaning: string;
  /** The question leaves open whether it is shown, or how: the data decide. */
  readonly open?: boolean | undefined;
}

/** The expected answer format (ReFoRCE, section 3.2.2): made once, repeated in every later prompt. */
export interface AnswerFormat {
  readonly columns: readonly FormatColumn[];
  /** The number of rows where the question determines it: 1 for a superlative, n for `top n`. `null`: open. */
  readonly rows: number | null;
  /** What one record stands for, and which repetitions belong into the answer. */
  readonly record: string;
  /** How ambiguous terms are read, order, ties, rounding. */
  readonly notes: readonly string[];
}

/** What a thread found out about the database, as text for its later prompts. */
export interface ThreadKnowledge {
  /** Relevant columns and the results of probes, rendered and fenced. */
  readonly exploration: string;
  /** Profiles of columns and keys, rendered and fenced. */
  readonly profile: string;
}

/** Why a result is doubted before a model looks at it; the codes of `implausibleReasons` and of the format check. */
export type ResultDoubt = {
  readonly code: string;
  readonly message: string;
  /** True where the plan lets it make the result implausible. */
  readonly isImplausible?: boolean | undefined;
  /** True where it quotes names or cells: a prompt shows it inside a fence. */
  readonly quotesData?: boolean | undefined;
};

/** A statement that was to confirm an empty result or one of only zeros, and what it showed. */
export interface ResultCheck {
  readonly sql: string;
  /** What the prompt shows of its result. */
  readonly view?: string | undefined;
  readonly error?: SerializedError | undefined;
}

/** What the model said of a result when it saw it. */
export interface ResultReview {
  readonly isRight: boolean;
  /** True when it kept the statement, letter by letter. */
  readonly isSame: boolean;
  readonly problems: readonly string[];
}

/** One statement that a thread executed. */
export interface RefineAttempt {
  readonly sql: string;
  /** As the model wrote it, where another text ran: metrics computed, values as they are stored. */
  readonly written?: string | undefined;
  readonly stage: 'refine' | 'cte';
  /** Undefined when it failed. */
  readonly result?: QueryResult | undefined;
  readonly error?: SerializedError | undefined;
  readonly doubts: readonly ResultDoubt[];
  /** True when the same statement was executed before: it was not sent again. */
  readonly isRepeated?: boolean | undefined;
  /** True when inspection sent it back before it ran. */
  readonly isSentBack?: boolean | undefined;
  /** In order; more than one where a check or a further agreement was wanted. */
  readonly reviews?: readonly ResultReview[] | undefined;
  readonly checks?: readonly ResultCheck[] | undefined;
}

/**
 * How a thread ended: `agreed` (the answer came often enough), `accepted` (first plausible one), `cte`, or without an
 * answer.
 */
export type ThreadEnding =
  | { readonly type: 'answered'; readonly by: 'agreed' | 'accepted' | 'confirmed' | 'cte'; readonly attempt: number }
  | {
      readonly type: 'declined';
      readonly outcome: 'needs_clarification' | 'unanswerable';
      readonly explanation: string;
      readonly notUnderstood: readonly string[];
    }
  | { readonly type: 'exhausted'; readonly reason: 'iterations' | 'empty' | 'cte' }
  | { readonly type: 'failed'; readonly error: SerializedError };

/** A thread that is one chat: what was said in it, and how much of the state of the thread it has been told. */
export interface ThreadChat {
  /** Prompts and the replies to them, oldest first; none before the first prompt. */
  readonly messages: readonly Message[];
  /** Of the attempts, so many. */
  readonly attempts: number;
  /** Of the checks of the last of these. */
  readonly checks: number;
  /** Of the descriptions of relations. */
  readonly expanded: number;
}

/** The state of one thread: plain data. */
export interface RefineThreadState {
  /** From 0. */
  readonly thread: number;
  readonly plan: RefinePlan;
  readonly asked: QuestionData;
  readonly format: AnswerFormat | null;
  /** Taken without a model, for all threads. */
  readonly profile: ProfileTaken | null;
  /** How this thread goes about the question; empty where threads differ by their samples alone. */
  readonly perspective: string;
  /** True when the schema in the prompt leaves relations out, which the model may ask for by name. */
  readonly canExpand: boolean;
  /** Descriptions of relations that the model asked for, as the compressor gave them. */
  expanded: string[];
  /** How often it asked. */
  expansions: number;
  /** Names that it asks for now. */
  wanted: readonly string[];
  knowledge: ThreadKnowledge;
  /** Only where the plan makes a thread one chat. */
  chat?: ThreadChat | undefined;
  /** The statement to run next. */
  sql: string | null;
  explanation: string | null;
  /** Why the thread departs from the format: what it said first; empty where it follows it. */
  formatDeparts: string;
  /** How the question can be read as well, by who wrote or reviewed the statement. */
  otherReadings: readonly OtherReading[];
  /** What inspection said of `sql`; null where it was not inspected. */
  inspected: readonly ResultDoubt[] | null;
  /** The check to run next. */
  check: string | null;
  attempts: RefineAttempt[];
  /** Texts of statements that ran, and the cells that took their place. */
  readAs?: readonly ReadAs[] | undefined;
  /** Of statements that ran: the metrics that they compute as defined. */
  computed?: readonly MetricsOfStatement[] | undefined;
  /** Of the CTE stage: what was looked at and what was rewritten, for the trace. */
  cteTrace: CteTraceEntry[];
  /** Where the CTE stage stands; absent before it. */
  cte?: CteWork | undefined;
  ending: ThreadEnding | null;
  candidates: Candidate[];
  usage: Usage;
  calls: number;
  executions: number;
  solvedBy: string | null;
  warnings: string[];
}

/** What a thread starts with. */
export type ThreadStart = Pick<
  RefineThreadState,
  'thread' | 'plan' | 'asked' | 'format' | 'perspective' | 'canExpand'
> &
  Partial<Pick<RefineThreadState, 'profile'>>;

/** The state of a thread before its first step. */
export function createThreadState(start: ThreadStart): RefineThreadState {
  return {
    ...start,
    profile: start.profile ?? null,
    expanded: [],
    expansions: 0,
    wanted: [],
    knowledge: { exploration: '', profile: '' },
    ...(start.plan.rules.conversation ? { chat: { messages: [], attempts: 0, checks: 0, expanded: 0 } } : {}),
    sql: null,
    explanation: null,
    formatDeparts: '',
    otherReadings: [],
    inspected: null,
    check: null,
    attempts: [],
    cteTrace: [],
    ending: null,
    candidates: [],
    usage: {},
    calls: 0,
    executions: 0,
    solvedBy: null,
    warnings: [],
  };
}

/** One step of a statement that was executed alone (section 3.2.4, CTE-based refinement), and what came of it. */
export interface CteTraceEntry {
  /** From 0; one more after each rewrite. */
  readonly round: number;
  /** The name of the CTE, or `final SELECT`. */
  readonly cte: string;
  /** What was executed to see it. */
  readonly prefixSql: string;
  /** Counted over all rows; null when it failed or could not be counted in time. */
  readonly rows: number | null;
  readonly distinctRows?: number | undefined;
  readonly error?: SerializedError | undefined;
  /**
   * `wrong`: found wrong and not mended, because a limit was reached or no usable text came. `unjudged`: nobody looked
   * at it.
   */
  readonly verdict: 'ok' | 'rewritten' | 'wrong' | 'unjudged';
  readonly problem?: string | undefined;
  /** What was looked up before the verdict. */
  readonly probes?: readonly string[] | undefined;
  /** The one text that changed. */
  readonly rewrite?: { readonly cte: string; readonly from: string; readonly to: string } | undefined;
}

/** A thread that is over. `stopped`: its answer could not change the decision any more. */
export interface EndedThread {
  readonly status: 'finished' | 'failed' | 'stopped';
  /** Why it failed. */
  readonly error?: SerializedError | undefined;
  readonly state: Readonly<RefineThreadState>;
}

/** What the flow is to do: plain data, recorded with the run. */
export interface RefineInput {
  readonly plan: RefinePlan;
  /** Limits of the exploration by probes. */
  readonly exploration: ExplorationLimits;
  /** How statements are inspected before they run, where the plan has that stage. */
  readonly inspection: InspectionPlan;
}

/** What the flow keeps: plain data. */
export interface RefineSlice extends RefineInput {
  format: AnswerFormat | null;
  /** Of columns and keys, taken without a model. */
  profile: ProfileTaken | null;
  threads: readonly EndedThread[];
  /** Of the vote, or of the model that settled it. */
  decision: VoteDecision | null;
  /** The thread whose answer was chosen. */
  chosen: number | null;
  /** What broke threads off, and the run with them. */
  brokenOff: SerializedError | null;
}

export type RefineState = FlowState<RefineSlice>;

/** What the flow starts with. */
export function createRefineSlice(input: RefineInput): RefineSlice {
  return {
    ...input,
    format: null,
    profile: null,
    threads: [],
    decision: null,
    chosen: null,
    brokenOff: null,
  };
}
