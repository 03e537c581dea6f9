import type { AdapterSpec, CallContext } from '@askema/core';
import type { ConceptualModel } from '../model/conceptual-model.ts';
import type { LogicalDesign } from '../model/logical-design.ts';
import type { RequirementReport } from '../model/requirement-report.ts';
import type { TestPlan } from '../model/test-plan.ts';

/** What {@link runTestPlan} runs, and where. */
export interface RunTestPlanOptions {
  readonly plan: TestPlan;
  readonly design: LogicalDesign;
  /** Tells which attributes the requirement speaks of; all others (keys that a designer added) may get values by code. */
  readonly report?: RequirementReport | undefined;
  /** Tells which entity sets a relationship set connects, for plans that name it by them. */
  readonly conceptual?: ConceptualModel | undefined;
  /** An empty database, opened for writing; called once, closed at the end. */
  readonly scratch: () => AdapterSpec | Promise<AdapterSpec>;
  /** For each statement, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: the signal of `context`. */
  readonly signal?: AbortSignal | undefined;
  readonly context: CallContext;
}
