export * from './check-design.ts';
export * from './map-to-relations.ts';
export * from './named-schema.ts';
