export * from './language-model.ts';
export * from './usage.ts';
