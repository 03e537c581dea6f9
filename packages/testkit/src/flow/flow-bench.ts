import {
  type Adapter,
  type AdapterSpec,
  type BudgetOptions,
  type Journal,
  type JournalEntry,
  type LanguageModel,
  type ModelCapabilities,
  memoryJournal,
  type Outcome,
  resolveAdapter,
} from '@askema/core';
import { type ScriptedModel, type ScriptedReplyFunction, scriptedModel } from '../model/index.ts';

/** What a case opens a pipeline with: all of it goes to `createText2Sql`, beside the flow. */
export interface FlowSetup {
  readonly adapter: Adapter;
  readonly model: LanguageModel;
  readonly journal: Journal;
  readonly budget?: BudgetOptions | undefined;
}

/** A pipeline with the flow, as `createText2Sql` makes one. */
export interface FlowPipeline {
  ask(
    question: string,
    options: { readonly runId: string; readonly today: string; readonly signal?: AbortSignal | undefined },
  ): Promise<Outcome>;
  resume(runId: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** Makes a pipeline: `(setup) => createText2Sql({ ...setup, flow: mine() })`. */
export type FlowPipelineFactory = (setup: FlowSetup) => FlowPipeline | Promise<FlowPipeline>;

/** What the suite asks, and how a model answers that does its job. */
export interface FlowScript {
  /** A database that is opened for reading; the suite closes it. */
  readonly adapter: () => AdapterSpec | Adapter;
  readonly question: string;
  /**
   * What a model replies that does its job, so that the question is answered. By the request alone, not by how many
   * there were: a resumed run is another process.
   */
  readonly reply: (...parameters: Parameters<ScriptedReplyFunction>) => ReturnType<ScriptedReplyFunction>;
  /** Of the model. Default: structured output and tools. */
  readonly capabilities?: ModelCapabilities | undefined;
  /** Model calls that no run may exceed, whatever the model says. Default: 100. */
  readonly maxCalls?: number | undefined;
}

/** One run of a case, and what it did. */
export interface FlowRun {
  readonly outcome: Outcome;
  /** Requests to the model. */
  readonly requests: ScriptedModel['requests'];
  /** The access of each statement that was sent. */
  readonly accesses: readonly string[];
}

/** How a case runs the flow. */
interface FlowRunOptions {
  readonly reply?: ScriptedReplyFunction | undefined;
  readonly journal?: Journal | undefined;
  readonly budget?: BudgetOptions | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes up what the journal holds, in place of asking. */
  readonly resumes?: boolean | undefined;
}

/** The flow as the cases see it. */
export interface FlowBench {
  readonly script: FlowScript;
  /** Asks the question, or resumes it, with a pipeline of its own each time. Never rejects, as pipelines do not. */
  run(options?: FlowRunOptions): Promise<FlowRun>;
}

const RUN_ID = 'run';

export function flowBench(factory: FlowPipelineFactory, script: FlowScript): FlowBench {
  return {
    script,
    async run({ reply = script.reply, journal = memoryJournal(), budget, signal, resumes = false } = {}) {
      const model = scriptedModel(reply, { capabilities: script.capabilities });
      const accesses: string[] = [];
      const resolved = resolveAdapter(script.adapter());
      const adapter: Adapter = {
        ...resolved,
        query(sql, options) {
          accesses.push(options?.access ?? 'read');
          return resolved.query(sql, options);
        },
      };
      const pipeline = await factory({ adapter, model, journal, ...(budget === undefined ? {} : { budget }) });
      try {
        const asked = { runId: RUN_ID, today: '2024-03-09', signal };
        const outcome = await (resumes ? pipeline.resume(RUN_ID) : pipeline.ask(script.question, asked));
        return { outcome, requests: model.requests, accesses };
      } finally {
        await pipeline.close();
      }
    },
  };
}

/** The entries of the run that a journal holds. */
export const entriesOf = (journal: Journal): Promise<readonly JournalEntry[]> => journal.read(RUN_ID);

/** A journal that holds these entries of the run: what a process left that died behind the last of them. */
export async function journalWith(entries: readonly JournalEntry[]): Promise<Journal> {
  const journal = memoryJournal();
  const opened = await journal.open(RUN_ID);
  await opened.append(entries);
  await opened.close();
  return journal;
}

/** What of an outcome does not depend on time and budget. */
export function gistOf(outcome: Outcome) {
  const { type, question, sql, explanation, candidates, calls, executions, solvedBy, inspection } = outcome;
  const rows = outcome.type === 'answered' ? outcome.result.rows : undefined;
  return { type, question, sql, explanation, candidates, calls, executions, solvedBy, inspection, rows };
}
