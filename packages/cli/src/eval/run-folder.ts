import { basename, dirname } from 'node:path';

const FILES = ['results.jsonl', 'run.json', 'summary.json'];

/** The folder of a run; who names one of its files means the run. */
export function runFolder(path: string): string {
  return FILES.includes(basename(path)) ? dirname(path) : path;
}
