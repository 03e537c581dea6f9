import { randomUUID } from 'node:crypto';
import {
  AskemaError,
  explorationLimits,
  type Journal,
  QUERY_DEFAULTS,
  type RunOptions,
  resolveAdapter,
  systemRuntime,
  toAskemaError,
} from '@askema/core';
import { createCatalogSource } from './catalog-source.ts';
import { checkOptions, checkText } from './check-options.ts';
import { flowByName } from './flows/flow-by-name.ts';
import { cellsOfRun } from './inspect/cells-of-run.ts';
import type { InspectPlan } from './inspect/inspect-options.ts';
import { inspectPlan } from './inspect/inspect-settings.ts';
import { inspectSolvers } from './inspect/inspect-solvers.ts';
import { type LazyParser, lazyParser } from './inspect/lazy-parser.ts';
import type { RefinePlan } from './refine/refine-options.ts';
import { refinePlan } from './refine/refine-settings.ts';
import { stageSolvers } from './refine/refine-solvers.ts';
import { type QuestionRun, runQuestion, startOf } from './run-question.ts';
import { solverSource } from './solver-source.ts';
import type { Text2SqlDeps } from './text2sql-deps.ts';
import type { AskOptions, ResumeQuestionOptions, Text2Sql, Text2SqlOptions } from './text2sql-options.ts';
import { createText2SqlState, type Text2SqlState } from './text2sql-state.ts';
import { TEXT2SQL_TASKS } from './text2sql-tasks.ts';

const DEFAULTS = { maxDebugAttempts: 3, maxTurns: 12, sampleValues: 3 } as const;

/**
 * Puts an adapter, a model and a flow together:
 *
 * ```ts
 * const text2sql = createText2Sql({ adapter: sqlite({ file: 'store.sqlite' }), model: openai({ model: 'gpt-5-mini' }) });
 * const outcome = await text2sql.ask('Which five customers spent the most?');
 * if (outcome.type === 'answered') console.log(outcome.sql, outcome.result.rows);
 * await text2sql.close();
 * ```
 *
 * @throws AskemaError `CONFIG_INVALID` for options that contradict each other, `INPUT_INVALID` for numbers out of range, `CONTRACT_MISMATCH`
 * for an adapter of another contract.
 */
export function createText2Sql(options: Text2SqlOptions): Text2Sql {
  const adapter = resolveAdapter(options.adapter);
  checkOptions(options, adapter);
  const flow = flowByName(options.flow ?? 'plain');
  const closing = new AbortController();
  const runtime = systemRuntime(options.runtime);
  const parser = lazyParser(options.parser);
  const plans = { refine: refinePlan(options.refine), inspect: inspectPlan(options.inspect) };
  const depsOfRun = depsSource(options, adapter, plans, parser, closing.signal);
  const { journal } = options;
  const maxDebugAttempts = options.flow === 'direct' ? 1 : (options.maxDebugAttempts ?? DEFAULTS.maxDebugAttempts);

  const runOf = (
    runId: string,
    state: Text2SqlState,
    ask: AskOptions,
    start: (deps: Text2SqlDeps, options: RunOptions<Text2SqlState>) => ReturnType<QuestionRun['start']>,
  ) => {
    const signal = ask.signal === undefined ? closing.signal : AbortSignal.any([ask.signal, closing.signal]);
    const deps = depsOfRun();
    return runQuestion({
      deps,
      runId,
      state,
      runtime,
      signal,
      listeners: [options.onEvent, ask.onEvent],
      start: async (listeners) => {
        if (closing.signal.aborted) throw closedError(adapter.name);
        if (ask.refreshCatalog === true) deps.catalogs.forget();
        return start(deps, { signal, tags: ask.tags, tenant: ask.tenant, runtime, ...listeners });
      },
    });
  };

  const resumeFrom = (runId: string, state: Text2SqlState, from: Journal, ask: AskOptions & ResumeQuestionOptions) =>
    runOf(runId, state, ask, (deps, run) => flow.resume(runId, deps, { ...run, journal: from, answer: ask.answer }));

  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([adapter.close(), parser.close()]);
  };

  return {
    async ask(question, ask = {}) {
      checkText(question, ask);
      const runId = ask.runId ?? `ask-${randomUUID()}`;
      const today = ask.today ?? new Date(runtime.clock.now()).toISOString().slice(0, 10);
      const { evidence, documents } = ask;
      const input = { dbPath: adapter.name, question, maxDebugAttempts, today, evidence, documents, ...plans };
      const state = createText2SqlState(input);
      if (journal !== undefined && ask.runId !== undefined) {
        const begun = await beginning(journal, runId).catch((thrown: unknown) => toAskemaError(thrown));
        if (begun instanceof Error) return runOf(runId, state, ask, () => Promise.reject(begun));
        if (begun !== undefined) {
          checkSameQuestion(question, begun.naturalQuery, runId);
          return resumeFrom(runId, begun, journal, ask);
        }
      }
      return runOf(runId, state, ask, (deps, run) => flow.run(state, deps, { ...run, runId, journal }));
    },

    async resume(runId, resume = {}) {
      if (journal === undefined)
        throw new AskemaError('CONFIG_INVALID', 'There is no journal to resume from; pass one to createText2Sql.');
      const state = await beginning(journal, runId);
      if (state === undefined) throw new AskemaError('INPUT_INVALID', `The journal has no run \`${runId}\`.`);
      return resumeFrom(runId, state, journal, resume);
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What the steps work with; a budget of limits is new for each run. */
function depsSource(
  options: Text2SqlOptions,
  adapter: Text2SqlDeps['adapter'],
  plans: { readonly refine: RefinePlan; readonly inspect: InspectPlan },
  parser: LazyParser,
  closing: AbortSignal,
): () => Text2SqlDeps {
  const catalogs = createCatalogSource(adapter, { include: options.include, signal: closing });
  const solverOf = solverSource(options);
  const exploration = explorationLimits({ preset: plans.refine.preset, ...options.refine?.exploration });
  const isDirect = options.flow === 'direct';
  return () => {
    const ofRun = solverOf();
    const { solver, model } = ofRun;
    const needsValues = solver.needs?.includes('values') === true;
    return {
      adapter,
      solver,
      model,
      tasks: { ...TEXT2SQL_TASKS, ...options.tasks },
      catalogs,
      access: options.access ?? 'read',
      approve: options.approve,
      limits: {
        maxRows: options.maxRows ?? QUERY_DEFAULTS.maxRows,
        maxBytes: options.maxBytes ?? QUERY_DEFAULTS.maxBytes,
        timeoutMs: options.timeoutMs ?? QUERY_DEFAULTS.timeoutMs,
      },
      schemaOptions: {
        // A solver that asks for values reads no prompt.
        sampleValues: options.sampleValues ?? (isDirect || needsValues ? 0 : DEFAULTS.sampleValues),
        maxSchemaTokens: options.maxSchemaTokens,
        maxDocumentTokens: options.maxDocumentTokens,
        countTokens: options.countTokens,
        linkValues: options.linkValues ?? needsValues,
        valueIndex: options.valueIndex,
      },
      maxTurns: options.maxTurns ?? DEFAULTS.maxTurns,
      refine: { ...plans.refine, exploration, solverOf: stageSolvers(options, ofRun) },
      inspect: {
        ...plans.inspect,
        rules: options.inspect?.rules ?? [],
        parser,
        cellsOf: cellsOfRun(adapter, options.valueIndex),
        ...inspectSolvers(options, ofRun),
      },
    };
  };
}

/** The state with which a recorded run began. */
async function beginning(journal: Journal, runId: string): Promise<Text2SqlState | undefined> {
  const [first] = await journal.read(runId);
  return first?.kind === 'run' ? startOf(first.state) : undefined;
}

function checkSameQuestion(question: string, recorded: string, runId: string): void {
  if (question === recorded) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `Run \`${runId}\` is there already, and it asks something else: ${JSON.stringify(recorded.slice(0, 200))}. Use another run id.`,
  );
}

function closedError(name: string): AskemaError {
  return new AskemaError('DATABASE_CLOSED', `${name} was closed with its text2sql; make a new one to ask again.`);
}
