import type { InspectionTools } from '../../../inspection/inspection-tools.ts';
import type { FlowDeps } from '../../../question/flow-spec.ts';
import type { Answerer } from '../../../question/question-deps.ts';
import type { InspectStage } from '../state/inspect-state.ts';
import { connectConditionsTask } from './connect-conditions.ts';
import { generateActionsTask } from './generate-actions.ts';
import { reviseActionsTask } from './revise-actions.ts';

/** The prompts of the flow, to be replaced one by one. */
export interface InspectTasks {
  /** The whole sequence of clause actions, of a question or of a sub-question. */
  readonly generateActions: typeof generateActionsTask;
  /** The sequence anew, after what was found. */
  readonly reviseActions: typeof reviseActionsTask;
  /** AND and OR, where the actions do not say. */
  readonly connectConditions: typeof connectConditionsTask;
}

/** Those that come with the package. */
export const INSPECT_TASKS: InspectTasks = {
  generateActions: generateActionsTask,
  reviseActions: reviseActionsTask,
  connectConditions: connectConditionsTask,
};

/** What the flow opens for a run. */
export interface InspectOwn {
  readonly tasks: InspectTasks;
  readonly tools: InspectionTools;
  /** Who answers a stage. */
  readonly answererOf: (stage: InspectStage) => Answerer;
}

export type InspectDeps = FlowDeps<InspectOwn>;
