import type { Journal, JournalEntry } from '../index.ts';

/** A journal whose process dies after so many entries: nothing is written any more. Undefined means never. */
export function crashingJournal(journal: Journal, afterEntries: number | undefined): Journal {
  let left = afterEntries ?? Number.POSITIVE_INFINITY;
  return {
    ...journal,
    async open(runId) {
      const opened = await journal.open(runId);
      return {
        ...opened,
        async append(entries: readonly JournalEntry[]) {
          const kept = entries.slice(0, left);
          left -= kept.length;
          if (kept.length > 0) await opened.append(kept);
          if (kept.length < entries.length) throw new Error('the process is dead');
        },
      };
    },
  };
}
