export * from './check-conceptual-model.ts';
export { CONCEPTUAL_CODES } from './conceptual-codes.ts';
