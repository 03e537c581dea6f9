import { chooseRunIds, type Journal, type JournalEntry } from '@askema/core';

/**
 * The part of a journal that belongs to one opened database, by its key: the run id of another tenant is not found in
 * it, whatever it is.
 */
export function journalOf(journal: Journal, key: string): Journal {
  const prefix = `${key}.`;
  const inside = (runId: string): string => prefix + runId;
  const outside = (runId: string): string => (runId.startsWith(prefix) ? runId.slice(prefix.length) : runId);
  return {
    async open(runId) {
      const run = await journal.open(inside(runId));
      return {
        entries: run.entries.map((entry) => named(entry, outside)),
        append: (entries) => run.append(entries.map((entry) => named(entry, inside))),
        close: () => run.close(),
      };
    },
    async read(runId) {
      const entries = await journal.read(inside(runId));
      return entries.map((entry) => named(entry, outside));
    },
    async runIds({ startsWith = '', before, last } = {}) {
      const chosen = { startsWith: inside(startsWith), before: before === undefined ? before : inside(before), last };
      return chooseRunIds(await journal.runIds(chosen), chosen).map(outside);
    },
  };
}

/** A run says its id in its first entry. */
function named(entry: JournalEntry, rename: (runId: string) => string): JournalEntry {
  return entry.kind === 'run' ? { ...entry, runId: rename(entry.runId) } : entry;
}
