export * from './check-conceptual-model.ts';
