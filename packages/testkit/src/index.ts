export * from './adapter/index.ts';
export * from './fixtures/dialect-fixture.ts';
export * from './fixtures/schema-fixture.ts';
export * from './flow/index.ts';
export * from './model/index.ts';
export { type CrashHarness, describeCrashes, type OpenedProcesses } from './processes/describe-crashes.ts';
export * from './runner/index.ts';
