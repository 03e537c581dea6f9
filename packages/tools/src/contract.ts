import type { Adapter, EventSink, Outcome, Severity } from '@askema/core';
import type { InspectionRule } from '@askema/lint';
import type { Text2Sql } from '@askema/text2sql';
import type { z } from 'zod';

/** A database as one caller may use it. */
export interface ToolDatabase {
  /** Asks, streams, and knows the catalog. */
  readonly text2sql: Pick<Text2Sql, 'ask' | 'resume' | 'stream' | 'catalog'>;
  /**
   * Plans and checks: the same view (scope, `restrict`, audit) that `text2sql` asks. One that is opened for writing is
   * refused.
   */
  readonly adapter: Adapter;
  /** What it holds, in a few words, for the description of `ask`. */
  readonly title?: string | undefined;
  /** Rules beside the built-in ones, and severities by code. */
  readonly lint?:
    | {
        readonly rules?: readonly InspectionRule[] | undefined;
        readonly severities?: Readonly<Record<string, Severity | 'off'>> | undefined;
      }
    | undefined;
}

/** What accompanies one call of a tool. */
export interface ToolContext {
  /** Stops model calls, and the statement on the server. */
  readonly signal?: AbortSignal | undefined;
  readonly tenant?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Progress: the events of the run; never rows or prompts. */
  readonly onEvent?: EventSink | undefined;
  /**
   * Asks the person behind the agent; gives the id of a choice or words, undefined where nobody can be asked, or they
   * declined. What it throws counts as undefined, so that the question is not lost.
   */
  readonly elicit?:
    | ((asked: {
        readonly message: string;
        readonly choices: readonly { readonly id: string; readonly meaning: string }[];
      }) => Promise<string | undefined>)
    | undefined;
}

/** What a tool gives back. */
export interface ToolReply<Out> {
  /** Plain JSON within `maxRows` and `maxCharacters`. */
  readonly structured: Out;
  /**
   * The same for a reader without structure. What comes from a database, a model or a caller stands in a marked block
   * (`fence` of core); outside of it are words of Askema alone.
   */
  readonly text: string;
  readonly isError: boolean;
}

export const TOOL_NAMES = ['ask', 'search_catalog', 'run_sql', 'check_sql', 'design_schema'] as const;

export type ToolName = (typeof TOOL_NAMES)[number];

/** Something that an agent can do. */
// biome-ignore lint/suspicious/noExplicitAny: tools of different inputs stand in one list
export interface Tool<In = any, Out = any> {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType<In>;
  readonly output: z.ZodType<Out>;
  readonly hints: {
    readonly readOnly: true;
    readonly destructive: false;
    readonly idempotent: boolean;
    readonly openWorld: false;
  };
  /** Checks the input itself. Never rejects for what a reply can say: errors are replies with `isError`. */
  call(input: In, context?: ToolContext): Promise<ToolReply<Out>>;
}

/** A question that was asked back, and where. */
export interface AskedBackRun {
  readonly runId: string;
  /** Undefined where that was asked back: `runId` is then that of a {@link WaitingQuestion}. */
  readonly database?: string | undefined;
  readonly tenant?: string | undefined;
}

/**
 * Makes handles of runs that were asked back, and runs of handles. A handle goes through the client, so it must not be
 * guessable or forgeable. A server that has several processes signs them.
 */
export interface ResumeHandles {
  give(run: AskedBackRun): Promise<string> | string;
  /** Undefined for a handle that was never given. */
  take(handle: string): Promise<AskedBackRun | undefined> | AskedBackRun | undefined;
}

/** A question that waits until somebody says which database it is about. */
export interface WaitingQuestion {
  readonly question: string;
  readonly follows?: { readonly question: string; readonly sql: string } | undefined;
}

/** Where such questions are kept. A server that has several processes shares them. */
export interface WaitingQuestions {
  /** Gives the id of its run; `asked` is what the caller is told. */
  keep(waiting: WaitingQuestion, asked: Outcome): Promise<string> | string;
  /** Undefined for one that is not there, or is another caller's. */
  find(runId: string): Promise<WaitingQuestion | undefined> | WaitingQuestion | undefined;
}
