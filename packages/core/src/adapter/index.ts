export * from './adapter-spec.ts';
export * from './check-contract.ts';
export * from './classify-error.ts';
export * from './dialect.ts';
export * from './fill-probe.ts';
export * from './logical-type.ts';
export * from './quote-name.ts';
export { resolveAdapter } from './resolve-adapter.ts';
export { SAMPLE_PROBE } from './sample-values.ts';
