export * from './build-catalog.ts';
export * from './catalog.ts';
export * from './finish-catalog.ts';
export * from './name-filter.ts';
