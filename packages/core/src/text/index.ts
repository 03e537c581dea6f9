export * from './bm25.ts';
export * from './split-words.ts';
