export * from './encode-value.ts';
export * from './parse-exact-json.ts';
export * from './value.ts';
