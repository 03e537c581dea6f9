export * from './node/index.ts';
