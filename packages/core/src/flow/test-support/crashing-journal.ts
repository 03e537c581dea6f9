import type { Journal } from '../journal.ts';
import { withAppend } from './with-append.ts';

/** A journal whose process dies after so many entries: nothing is written any more. Undefined means never. */
export function crashingJournal(journal: Journal, afterEntries: number | undefined): Journal {
  let left = afterEntries ?? Number.POSITIVE_INFINITY;
  return withAppend(journal, async (entries, write) => {
    const kept = entries.slice(0, left);
    left -= kept.length;
    if (kept.length > 0) await write(kept);
    if (kept.length < entries.length) throw new Error('the process is dead');
  });
}
