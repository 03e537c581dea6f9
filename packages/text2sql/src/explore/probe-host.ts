import {
  type AskemaError,
  addUsage,
  indexSchema,
  isAskemaError,
  type Solved,
  type Solver,
  type StepContext,
  type Task,
  type Usage,
} from '@askema/core';
import {
  checkProbe,
  cutBytes,
  type ExplorationLimits,
  findNameFix,
  type Probe,
  type ProbeHost,
  probeFailure,
} from '@askema/grounding';
import { cleanSql } from '../prompts/clean-sql.ts';
import { resultView, VIEW_LIMITS } from '../prompts/result-view.ts';
import type { QuestionDeps } from '../question/question-deps.ts';
import { statementError } from '../steps/view-result.ts';
import type { ExplorationTasks } from './exploration.ts';
import type { ExplorationPromptInput } from './tasks/explore-columns.ts';

/** What an exploration spent on model calls. */
interface ExplorationCost {
  calls: number;
  usage: Usage;
  readonly warnings: string[];
}

export interface ProbeHostInput {
  readonly prompt: ExplorationPromptInput;
  readonly limits: ExplorationLimits;
  readonly solver: Solver;
  readonly tasks: ExplorationTasks;
  readonly cost: ExplorationCost;
}

/** Asks a solver; undefined where it gives no valid answer or refuses, which costs the exploration only that one. */
export async function ask<In, Out>(
  { solver, cost }: Pick<ProbeHostInput, 'solver' | 'cost'>,
  task: Task<In, Out>,
  input: In,
  context: StepContext<QuestionDeps>,
): Promise<Pick<Solved<Out>, 'value' | 'calls'> | { readonly value: undefined; readonly calls: number }> {
  try {
    const solved = await solver.solve(task, input, context);
    cost.calls += solved.calls;
    cost.usage = addUsage(cost.usage, solved.usage);
    cost.warnings.push(...solved.warnings);
    return solved;
  } catch (thrown) {
    if (!isAskemaError(thrown) || !isNoAnswer(thrown)) throw thrown;
    const calls = typeof thrown.details.calls === 'number' ? thrown.details.calls : 0;
    cost.calls += calls;
    cost.usage = addUsage(cost.usage, (thrown.details.usage ?? {}) as Usage);
    cost.warnings.push(`The exploration got no answer to ${task.id}: ${thrown.message}`);
    return { value: undefined, calls };
  }
}

function isNoAnswer({ code }: AskemaError): boolean {
  return code === 'MODEL_OUTPUT_INVALID' || code === 'MODEL_CONTENT_FILTERED';
}

/**
 * Runs probes on the adapter, always as statements that read, and asks the solver for corrections. Statements and their
 * outcomes are journaled, so that a resumed run sees what it saw.
 */
export function probeHost(input: ProbeHostInput, context: StepContext<QuestionDeps>): ProbeHost {
  const { prompt, limits, solver, tasks } = input;
  const index = indexSchema(prompt.catalog);
  const canAsk = (task: Task<never, unknown>): boolean => solver.supports(task.id);
  return {
    clock: context.runtime.clock,
    execute: ({ sql }) => {
      const reason = checkProbe(sql, prompt.dialect, limits);
      if (reason !== undefined) return Promise.resolve({ type: 'refused', reason });
      return context
        .memo('probe', () => execute(sql, limits, context), { key: sql })
        .then((outcome) => {
          if (outcome.type === 'result') return outcome;
          return { ...outcome, fix: findNameFix(sql, outcome.failure, prompt.dialect, index) };
        });
    },
    correct: canAsk(tasks.correctProbe)
      ? async ({ current }) => {
          const { purpose, looksFor } = current.probe;
          const { value, calls } = await ask(
            input,
            tasks.correctProbe,
            { ...prompt, purpose, looksFor, tried: current.tried },
            context,
          );
          return { type: 'corrected', sql: value && cleanSql(value.sql), calls };
        }
      : undefined,
    revise: canAsk(tasks.reviseQueue)
      ? async ({ lesson, queue }) => {
          const { failed, corrected, failure } = lesson;
          const task = { ...prompt, failed, corrected, message: failure.message, queue };
          const { value, calls } = await ask(input, tasks.reviseQueue, task, context);
          return {
            type: 'revised',
            probes: value && cleanProbes(value.probes.map((probe) => likeBefore(probe, queue))),
            calls,
          };
        }
      : undefined,
  };
}

/** A revised probe looks for what the one of the same purpose looked for. */
function likeBefore(probe: Probe, queue: readonly Probe[]): Probe {
  const before = queue.find(({ purpose }) => purpose === probe.purpose);
  return { ...probe, looksFor: before?.looksFor };
}

/** Statements as a model wrote them, without the marks around them. */
export function cleanProbes(probes: readonly Probe[]): readonly Probe[] {
  return probes.map((probe) => ({ ...probe, sql: cleanSql(probe.sql) }));
}

async function execute(sql: string, limits: ExplorationLimits, context: StepContext<QuestionDeps>) {
  const { adapter } = context.deps;
  const { maxBytes, timeoutMs } = context.deps.limits;
  try {
    const result = await adapter.query(sql, {
      maxRows: Math.max(1, Math.min(limits.viewRows, VIEW_LIMITS.maxRows)),
      maxBytes,
      timeoutMs: Math.max(1, Math.min(timeoutMs, limits.statementTimeoutMs)),
      access: 'read',
      context,
    });
    const view = resultView(result, { maxRows: limits.viewRows, maxCharacters: limits.viewBytes });
    return { type: 'result', view: cutBytes(view, limits.viewBytes), rowCount: result.rows.length } as const;
  } catch (thrown) {
    return { type: 'failed', failure: probeFailure(sql, statementError(thrown), adapter.dialect) } as const;
  }
}
