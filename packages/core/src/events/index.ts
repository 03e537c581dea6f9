export * from './run-event.ts';
