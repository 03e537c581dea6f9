export { acquireFileLock } from './node/file-lock.ts';
export { findWorkerFile } from './node/find-worker-file.ts';
export { jsonlJournal } from './node/jsonl-journal.ts';
export { jsonlRecordings } from './node/jsonl-recording.ts';
export { linkOutOf } from './node/link-out-of.ts';
export { DriverProcess, type ProcessExit, within } from './node/processes/driver-process.ts';
export { type StartedDriver, startDriver } from './node/processes/fork-driver.ts';
export type { DriverTalk, FromProcess, ProcessAnswer, RequestWord, ToProcess } from './node/processes/messages.ts';
export { closedError, crashError, processEndedError, unknownOutcomeError } from './node/processes/process-errors.ts';
