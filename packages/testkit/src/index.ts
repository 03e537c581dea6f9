export * from './adapter/index.ts';
export * from './model/index.ts';
export * from './runner/index.ts';
