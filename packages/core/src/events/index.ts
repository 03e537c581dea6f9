export * from './iterate-events.ts';
export * from './run-event.ts';
