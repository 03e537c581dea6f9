export * from './jsonl-journal.ts';
