export * from './compress.ts';
export * from './compressor.ts';
export * from './one-line.ts';
