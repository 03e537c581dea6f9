export type { AdapterFactory, AdapterStatements, EngineFeature, LoadedDatabase } from './adapter-factory.ts';
export { type AdapterCaseId, type DescribeAdapterOptions, describeAdapter } from './describe-adapter.ts';
