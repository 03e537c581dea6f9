export { acquireFileLock, type FileLock } from './file-lock.ts';
export * from './find-worker-file.ts';
export * from './jsonl-journal.ts';
export * from './jsonl-recording.ts';
export * from './processes/index.ts';
