import { describe } from 'vitest';
import { memoryJournal } from './memory-journal.ts';
import { describeJournal } from './test-support/journal-cases.ts';

describe('memoryJournal', () => {
  describeJournal(() => {
    const journal = memoryJournal();
    return { journal, reload: () => journal };
  });
});
