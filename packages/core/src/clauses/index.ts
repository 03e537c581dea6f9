export * from './clause-action.ts';
