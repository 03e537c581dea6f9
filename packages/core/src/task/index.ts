export * from './call-context.ts';
export * from './child-context.ts';
export * from './define-task.ts';
export * from './fence.ts';
export * from './generate-sql.ts';
export * from './task.ts';
