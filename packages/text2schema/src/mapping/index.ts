export { checkDesign, DESIGN_CODES } from './check-design.ts';
export * from './map-to-relations.ts';
export { MAPPING_CODES } from './mapping-codes.ts';
export * from './named-schema.ts';
