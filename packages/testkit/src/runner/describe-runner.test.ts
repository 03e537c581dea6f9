import { inProcessRunner, memoryJournal } from '@askema/core';
import { describeRunner } from './describe-runner.ts';

describeRunner('in one process', () => {
  const journal = memoryJournal();
  return { open: (jobs, options) => inProcessRunner({ jobs, journal, concurrency: options?.concurrency }) };
});
