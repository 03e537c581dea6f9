export type { AskOptions } from './ask-model.ts';
export * from './call-context.ts';
export * from './child-context.ts';
export * from './define-task.ts';
export * from './fence.ts';
export * from './from-model.ts';
export * from './generate-sql.ts';
export * from './structured/index.ts';
export * from './task.ts';
