export * from './compressor.ts';
export * from './one-line.ts';
export * from './render-catalog.ts';
