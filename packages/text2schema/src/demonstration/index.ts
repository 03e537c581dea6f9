export * from './music-school.ts';
export * from './steps.ts';
