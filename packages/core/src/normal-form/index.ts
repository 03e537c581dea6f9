export * from './decomposition.ts';
export * from './functional-dependency.ts';
