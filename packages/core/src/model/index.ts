export * from './language-model.ts';
export * from './provider/index.ts';
export * from './usage.ts';
