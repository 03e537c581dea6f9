export type { DesignFindingCode } from '../finding-table.ts';
export * from './check-conceptual-model.ts';
export { CONCEPTUAL_CODES, type ConceptualCode } from './conceptual-codes.ts';
export { foldedName, NameLookup, wordForm } from './name-lookup.ts';
