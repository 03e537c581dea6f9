export * from './jsonl-journal.ts';
export * from './jsonl-recording.ts';
