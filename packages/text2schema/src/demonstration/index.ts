export * from './music-school.ts';
export * from './schema-cases.ts';
export * from './steps.ts';
