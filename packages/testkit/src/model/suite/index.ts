export { type DescribeModelOptions, describeModel, type ModelCaseId } from './describe-model.ts';
export type { ModelFactory, ModelFactoryOptions } from './model-bench.ts';
