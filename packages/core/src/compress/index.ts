export * from './compressor.ts';
