export * from './check-conceptual-model.ts';
export { CONCEPTUAL_CODES, type ConceptualCode, type FindingCode } from './conceptual-codes.ts';
export { foldedName, NameLookup, wordForm } from './name-lookup.ts';
