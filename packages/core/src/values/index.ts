export * from './encode-value.ts';
export * from './value.ts';
