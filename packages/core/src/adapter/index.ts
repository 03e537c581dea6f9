export * from './adapter-spec.ts';
export * from './dialect.ts';
