import type { EventSink, Journal, LanguageModel, Outcome, Runtime, SerializedError, Solver, Usage } from '@askema/core';
import type { Summary } from '../summary/summary.ts';
import type { AskOptions, OpenText2Sql } from '../text2sql-options.ts';

export interface ConversationOptions {
  /** What can be asked about, by the name that people and the model know it by. */
  readonly databases: Readonly<Record<string, OpenText2Sql>>;
  /** What they hold, in a few words, by their names. */
  readonly titles?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Reads the messages after the first one, and tells results. The databases have models of their own. With a solver
   * that does not answer `conversation.rewrite` (`lexical`), every message is taken as a question by itself.
   */
  readonly model: LanguageModel | Solver;
  /** Where the conversation is kept. Default: in memory. */
  readonly journal?: Journal | undefined;
  /** Begins a conversation, or goes on with the one that the journal holds. Default: a random one. */
  readonly id?: string | undefined;
  /**
   * Whose conversation it is. It reaches every call and every question, and nobody finds the conversation under another
   * tenant.
   */
  readonly tenant?: string | undefined;
  /** Hears what happens in all turns, as runs tell it; never rows or prompts. */
  readonly onEvent?: EventSink | undefined;
  readonly runtime?: Partial<Runtime> | undefined;
}

/** Which answers are told in prose. */
export const SUMMARIZED = ['never', 'explain', 'always'] as const;

export interface SayOptions
  extends Pick<AskOptions, 'signal' | 'onEvent' | 'today' | 'evidence' | 'documents' | 'tags'> {
  /** Which database is meant. Default: the only one, or what the message says. */
  readonly database?: string | undefined;
  /** True where the message is a question by itself: it is asked as it stands, and no model reads it before. */
  readonly standsAlone?: boolean | undefined;
  /**
   * Whether the answer is told in prose as well, for which the conversation's model reads rows of it. Default: `explain`,
   * only where somebody asks why, what changed or how things compare. A solver that does not answer `answer.summary`
   * (`lexical`) tells nothing.
   */
  readonly summarize?: (typeof SUMMARIZED)[number] | undefined;
}

/**
 * What a message is:
 * - `new`: a question of its own, nothing of earlier turns is in it.
 * - `refine`: it changes the question of an earlier turn.
 * - `about`: it asks about the result of an earlier turn, or how that came about.
 * - `explain`: why a result is as it is, what has changed, or how results compare: several questions whose numbers tell it.
 * - `edit`: no message, but a person's statement in place of that of an earlier turn, see `Conversation.edit`.
 * - `answer`: it decides what an earlier turn has asked back.
 * - `none`: no question.
 * - `unclear`: nobody can say what it refers to; it is asked back.
 */
export const MESSAGE_KINDS = ['new', 'refine', 'about', 'explain', 'edit', 'answer', 'none', 'unclear'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What is kept of a result and can be told without asking the database. */
export const KEPT_FACTS = ['rows', 'columns', 'sql', 'assumptions', 'explanation'] as const;
export type KeptFact = (typeof KEPT_FACTS)[number];

/** How a message was understood: to be shown to whoever wrote it. Plain JSON. */
export interface Understood {
  readonly kind: MessageKind;
  /** The turn that is changed, asked about or answered. */
  readonly of?: number | undefined;
  /** The question that stands alone, as it is asked. `edit` has none. */
  readonly question?: string | undefined;
  readonly database?: string | undefined;
  /** What belongs to the question and is no text to be read as one: values of results. */
  readonly evidence?: string | undefined;
  /** With `explain`: two to four questions that stand alone. Each is asked as any other. */
  readonly questions?: readonly string[] | undefined;
  /** The database of each of them. Where they differ, `database` may be absent. */
  readonly databases?: readonly string[] | undefined;
  /** With `about`. */
  readonly fact?: KeptFact | undefined;
  /** With `answer`: the id of a choice, or words. */
  readonly choice?: string | undefined;
  /** With `unclear`. Absent where the same would be asked back again: the turn says what can be asked instead. */
  readonly asks?: { readonly ask: string; readonly choices: readonly KeptChoice[] } | undefined;
}

/** One way to go on. */
export interface KeptChoice {
  readonly id: string;
  readonly meaning: string;
  /** What is asked, or run, when it is chosen. */
  readonly resolution:
    | { readonly kind: 'sql'; readonly sql: string }
    | { readonly kind: 'evidence'; readonly text: string }
    | {
        readonly kind: 'question';
        readonly question: string;
        readonly database: string;
        readonly of?: number | undefined;
      };
}

/**
 * What a turn ended with, as far as it is kept: plain JSON, and no rows. `told` is what code has answered without SQL;
 * `open` is a turn that was broken off, by the death of its process.
 */
export type TurnAnswer =
  | {
      readonly type: 'answered';
      readonly runId: string;
      readonly sql: string;
      readonly columns: readonly string[];
      /** How many rows there were. */
      readonly rows: number;
      /** There are more in the database. */
      readonly truncated?: boolean | undefined;
      readonly explanation?: string | undefined;
      readonly assumptions: readonly string[];
    }
  | {
      readonly type: 'needsClarification';
      /** Absent where the message itself was unclear: nothing was asked yet. */
      readonly runId?: string | undefined;
      readonly ask: string;
      readonly choices: readonly KeptChoice[];
    }
  | { readonly type: 'told'; readonly reply: string }
  /** The questions of `explain`, in their order, with what each gave. */
  | { readonly type: 'explained'; readonly parts: readonly ExplainedPart[] }
  | {
      readonly type: 'unanswerable' | 'refused' | 'budgetExceeded' | 'cancelled' | 'failed';
      readonly runId?: string | undefined;
      readonly reason: string;
      readonly error?: SerializedError | undefined;
    }
  | { readonly type: 'open' };

/** One question of an explanation, and what it gave. */
export interface ExplainedPart {
  readonly question: string;
  /** Absent in turns that were kept before parts had one: that of the turn. */
  readonly database?: string | undefined;
  readonly answer: Extract<TurnAnswer, { readonly runId?: string | undefined }>;
}

/** A message and what became of it. Plain JSON, as the journal keeps it. */
export interface KeptTurn {
  /** From 1, in the order in which the messages came; undone ones count. */
  readonly turn: number;
  /** The turn before it; 0 at the beginning. */
  readonly after: number;
  readonly message: string;
  /** The date of "today", ISO 8601. */
  readonly today: string;
  /** Absent where the turn was broken off before. */
  readonly understood?: Understood | undefined;
  readonly answer: TurnAnswer;
  /** Of reading the message, answering it and telling the answer. */
  readonly usage: Usage;
  readonly calls: number;
}

export interface Turn extends KeptTurn {
  /** With rows, where a question was asked just now; see `Text2Sql.ask`. No journal of the conversation has it. */
  readonly outcome?: Outcome | undefined;
  /**
   * Of `explained`: an outcome for each part, with rows. After the death of the process, the statement of a part that had
   * ended is run again; undefined for one that had ended without a statement.
   */
  readonly outcomes?: readonly (Outcome | undefined)[] | undefined;
  /** What the rows say; see `summarize`. Its citations count `outcomes`. No journal of the conversation has it. */
  readonly summary?: Summary | undefined;
  /** Why there is no summary where one was asked for: what was wrong with it, or what failed. */
  readonly summaryRefused?: string | undefined;
}

/**
 * Questions that follow one another. All that it is stands in its journal: another process goes on with it under the
 * same id. One message at a time: those of one value wait for each other, and while another value or process is
 * answering one, it is `JOURNAL_LOCKED` (retryable).
 */
export interface Conversation {
  readonly id: string;
  /**
   * Reads a message, asks what it asks, and tells what was understood. After the death of the process, the same message
   * goes on where it stopped; another one drops what was open.
   *
   * @throws AskemaError `INPUT_INVALID` for an empty or a far too long message, and an unknown database;
   * `JOURNAL_LOCKED`, `JOURNAL_INVALID`. What happens to the question is in the turn.
   */
  say(message: string, options?: SayOptions): Promise<Turn>;
  /**
   * Answers what the last turn has asked back: the id of a choice, or words.
   *
   * @throws AskemaError as `say`, and `INPUT_INVALID` where nothing was asked back.
   */
  answer(choice: string | number, options?: SayOptions): Promise<Turn>;
  /**
   * Runs a person's statement in place of that of the last turn that has one: a turn of kind `edit`, without a question.
   * What is said next goes on from it; where it gave no result, from the turn before. It runs on the database of that
   * statement, or on `database`. Only reads run, as with `Text2Sql.stream`.
   *
   * @throws AskemaError `INPUT_INVALID` for empty SQL, an unknown database and where no turn has a statement.
   */
  edit(sql: string, options?: Pick<SayOptions, 'signal' | 'onEvent' | 'tags' | 'database'>): Promise<Turn>;
  /** The turns that led to the last one, oldest first. Undone ones are not among them. */
  turns(): Promise<readonly KeptTurn[]>;
  /**
   * Takes the last turn back, and gives the one that is the last now; undefined at the beginning.
   *
   * @throws AskemaError `INPUT_INVALID` where there is none.
   */
  undo(): Promise<KeptTurn | undefined>;
  /**
   * The next message follows this turn, also one that was undone; 0 is the beginning.
   *
   * @throws AskemaError `INPUT_INVALID` where there is no such turn.
   */
  branch(turn: number): Promise<KeptTurn | undefined>;
  /** Stops what runs. The databases stay open. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
