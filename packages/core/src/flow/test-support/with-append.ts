import type { Journal, JournalEntry } from '../journal.ts';

/** A journal whose entries go through `append`, which writes them with `write`. */
export function withAppend(
  journal: Journal,
  append: (
    entries: readonly JournalEntry[],
    write: (entries: readonly JournalEntry[]) => Promise<void>,
  ) => Promise<void>,
): Journal {
  return {
    ...journal,
    async open(runId) {
      const opened = await journal.open(runId);
      return { ...opened, append: (entries) => append(entries, (kept) => opened.append(kept)) };
    },
  };
}
