import { randomUUID } from 'node:crypto';
import {
  AskemaError,
  type Budget,
  createBudget,
  fromModel,
  type Journal,
  type LanguageModel,
  QUERY_DEFAULTS,
  type RunOptions,
  resolveAdapter,
  type Solver,
  systemRuntime,
  withBudget,
} from '@askema/core';
import { createCatalogSource } from './catalog-source.ts';
import { checkOptions, checkText } from './check-options.ts';
import { flowByName } from './flows/flow-by-name.ts';
import { runQuestion, startOf } from './run-question.ts';
import type { Text2SqlDeps } from './text2sql-deps.ts';
import type { AskOptions, ResumeQuestionOptions, Text2Sql, Text2SqlOptions } from './text2sql-options.ts';
import { createText2SqlState } from './text2sql-state.ts';
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
  const isDirect = options.flow === 'direct';
  const closing = new AbortController();
  const runtime = systemRuntime(options.runtime);
  const catalogs = createCatalogSource(adapter, { include: options.include, signal: closing.signal });
  const solverOf = solverSource(options);
  const maxDebugAttempts = isDirect ? 1 : (options.maxDebugAttempts ?? DEFAULTS.maxDebugAttempts);

  const depsOfRun = (): Text2SqlDeps => {
    const { solver, model } = solverOf();
    const isLinked = options.linkValues ?? (solver.needs?.includes('values') === true && !isDirect);
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
        sampleValues: options.sampleValues ?? (isDirect || model === undefined ? 0 : DEFAULTS.sampleValues),
        maxSchemaTokens: options.maxSchemaTokens,
        countTokens: options.countTokens,
        linkValues: isLinked,
        valueIndex: options.valueIndex,
      },
      maxTurns: options.maxTurns ?? DEFAULTS.maxTurns,
    };
  };

  const runOptions = (ask: Pick<AskOptions, 'signal' | 'tags' | 'tenant'>): RunOptions => ({
    signal: ask.signal === undefined ? closing.signal : AbortSignal.any([ask.signal, closing.signal]),
    tags: ask.tags,
    tenant: ask.tenant,
    runtime,
  });

  const close = async (): Promise<void> => {
    closing.abort();
    await adapter.close();
  };

  return {
    async ask(question, ask = {}) {
      checkText(question, ask);
      const runId = ask.runId ?? `ask-${randomUUID()}`;
      const begun = ask.runId === undefined ? undefined : await beginning(options.journal, ask.runId);
      if (begun !== undefined) {
        checkSameQuestion(question, begun.naturalQuery, runId);
        return this.resume(runId, ask);
      }
      if (ask.refreshCatalog === true) catalogs.forget();
      const deps = depsOfRun();
      const today = ask.today ?? new Date(runtime.clock.now()).toISOString().slice(0, 10);
      const evidence = ask.evidence;
      const state = createText2SqlState({ dbPath: adapter.name, question, maxDebugAttempts, today, evidence });
      return runQuestion({
        flow,
        deps,
        runId,
        state,
        runtime,
        listeners: [options.onEvent, ask.onEvent],
        start: (observed, onEvent) =>
          observed.run(state, deps, { ...runOptions(ask), runId, journal: options.journal, onEvent }),
      });
    },

    async resume(runId: string, resume: ResumeQuestionOptions = {}) {
      const { journal } = options;
      if (journal === undefined)
        throw new AskemaError('CONFIG_INVALID', 'There is no journal to resume from; pass one to createText2Sql.');
      const state = await beginning(journal, runId);
      if (state === undefined) throw new AskemaError('INPUT_INVALID', `The journal has no run \`${runId}\`.`);
      const deps = depsOfRun();
      return runQuestion({
        flow,
        deps,
        runId,
        state,
        runtime,
        listeners: [options.onEvent, resume.onEvent],
        start: (observed, onEvent) =>
          observed.resume(runId, deps, { ...runOptions(resume), journal, answer: resume.answer, onEvent }),
      });
    },

    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The state with which a recorded run began. */
async function beginning(journal: Journal | undefined, runId: string) {
  const first = (await journal?.read(runId))?.[0];
  return first?.kind === 'run' ? startOf(first.state) : undefined;
}

function checkSameQuestion(question: string, recorded: string, runId: string): void {
  if (question === recorded) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `Run \`${runId}\` is there already, and it asks something else: ${JSON.stringify(recorded.slice(0, 200))}. Use another run id.`,
  );
}

interface SolverOfRun {
  readonly solver: Solver;
  readonly model: LanguageModel | undefined;
}

/** Limits make a budget of its own for each run; a budget is shared by all. */
function solverSource(options: Text2SqlOptions): () => SolverOfRun {
  const { model, budget, flow } = options;
  if (!isLanguageModel(model)) {
    if (flow === 'react' || flow === 'direct') {
      throw new AskemaError(
        'CONFIG_INVALID',
        `The flow \`${flow}\` talks to a language model, but ${model.name} is a solver. Pass a language model, or use \`plain\`.`,
      );
    }
    if (budget !== undefined) {
      throw new AskemaError(
        'CONFIG_INVALID',
        `A budget needs a language model, but ${model.name} is a solver. Wrap its model: fromModel(withBudget(model, budget)).`,
      );
    }
    return () => ({ solver: model, model: undefined });
  }
  const solve = (limited: LanguageModel): SolverOfRun => ({
    solver: fromModel(limited, { runtime: options.runtime }),
    model: limited,
  });
  if (budget === undefined) {
    const shared = solve(model);
    return () => shared;
  }
  if (isBudget(budget)) {
    const shared = solve(withBudget(model, budget));
    return () => shared;
  }
  // Checked now, so that a wrong limit does not wait for the first question.
  createBudget(budget).throwUnlessPriced(model);
  return () => solve(withBudget(model, createBudget({ runtime: options.runtime, ...budget })));
}

function isLanguageModel(model: LanguageModel | Solver): model is LanguageModel {
  return typeof (model as Partial<LanguageModel>).generate === 'function';
}

function isBudget(budget: NonNullable<Text2SqlOptions['budget']>): budget is Budget {
  return typeof (budget as Partial<Budget>).reserve === 'function';
}
