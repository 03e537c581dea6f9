export { type DescribeFlowOptions, describeFlow, type FlowCaseId } from './describe-flow.ts';
export type { FlowPipeline, FlowPipelineFactory, FlowScript, FlowSetup } from './flow-bench.ts';
