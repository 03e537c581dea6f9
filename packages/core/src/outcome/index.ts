export * from './outcome.ts';
