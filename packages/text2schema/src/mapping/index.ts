export * from './check-design.ts';
export * from './design-of-named.ts';
export * from './map-to-relations.ts';
export { MAPPING_CODES, type MappingFindingCode } from './mapping-codes.ts';
export * from './named-schema.ts';
export { NAMED_SCHEMA_CODES, type NamedSchemaCode } from './named-schema-codes.ts';
