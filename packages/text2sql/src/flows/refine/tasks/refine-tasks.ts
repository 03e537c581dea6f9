import type { Solver } from '@askema/core';
import type { ExplorationLimits } from '@askema/grounding';
import { EXPLORATION_TASKS, type ExplorationTasks } from '../../../explore/exploration.ts';
import type { InspectionPlan } from '../../../inspection/inspection-options.ts';
import type { InspectionTools } from '../../../inspection/inspection-tools.ts';
import type { FlowDeps } from '../../../question/flow-spec.ts';
import type { RefineStage } from '../state/refine-plan.ts';
import { chooseAnswerTask } from './choose-answer.ts';
import { expectFormatTask } from './expect-format.ts';
import { judgeCteTask } from './judge-cte.ts';
import { mendCteTask } from './mend-cte.ts';
import { refineSqlTask } from './refine-sql.ts';
import { reviewResultTask } from './review-result.ts';
import { writeCtesTask } from './write-ctes.ts';

/** The prompts of the flow, to be replaced one by one. */
export interface RefineTasks extends ExplorationTasks {
  readonly expectFormat: typeof expectFormatTask;
  readonly refineSql: typeof refineSqlTask;
  readonly reviewResult: typeof reviewResultTask;
  readonly chooseAnswer: typeof chooseAnswerTask;
  /** The CTE stage: writes a statement as a chain of CTEs, judges what one gives, writes one anew. */
  readonly writeCtes: typeof writeCtesTask;
  readonly judgeCte: typeof judgeCteTask;
  readonly mendCte: typeof mendCteTask;
}

/** Those that come with the package. */
export const REFINE_TASKS: RefineTasks = {
  ...EXPLORATION_TASKS,
  expectFormat: expectFormatTask,
  refineSql: refineSqlTask,
  reviewResult: reviewResultTask,
  chooseAnswer: chooseAnswerTask,
  writeCtes: writeCtesTask,
  judgeCte: judgeCteTask,
  mendCte: mendCteTask,
};

/** What the flow opens for a run. */
export interface RefineOwn {
  readonly tasks: RefineTasks;
  /** Threads at a time. */
  readonly concurrency: number;
  readonly exploration: ExplorationLimits;
  readonly inspection: { readonly plan: InspectionPlan; readonly tools: InspectionTools };
  /** Who answers a stage. The same request of two threads is two samples: each thread has solvers of its own. */
  readonly solverOf: (stage: RefineStage, thread: number) => Solver;
}

export type RefineDeps = FlowDeps<RefineOwn>;
