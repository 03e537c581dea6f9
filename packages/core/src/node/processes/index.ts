export * from './driver-process.ts';
export * from './messages.ts';
export { closedError, type ProcessNames, processEndedError, unknownOutcomeError } from './process-errors.ts';
export * from './within.ts';
