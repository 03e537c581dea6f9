export * from './create-flow.ts';
export {
  type BatchStepDefinition,
  defineBatchStep,
  defineStep,
  type PrepNeeded,
  type StepDefinition,
} from './define-step.ts';
export * from './flow.ts';
export type { ErasedMapping, FlowGraph, GraphNode, InnerFlow } from './flow-graph.ts';
export * from './in-process-runner.ts';
export * from './journal.ts';
export * from './memory-journal.ts';
export type {
  EndedItem,
  ParallelFlow,
  ParallelOf,
  ParallelOptions,
  ParallelPart,
} from './parallel-flow.ts';
export * from './routes.ts';
export * from './runner.ts';
export * from './step.ts';
