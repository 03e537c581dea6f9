import { AskemaError } from '../errors/askema-error.ts';
import { chooseRunIds, type Journal, type JournalEntry, journalLocked } from './journal.ts';

/**
 * A journal in memory: for tests, and for runs that are suspended and answered within one process. Lost with the
 * process.
 */
export function memoryJournal(): Journal {
  const runs = new Map<string, JournalEntry[]>();
  const open = new Set<string>();
  return {
    async open(runId) {
      if (open.has(runId)) throw journalLocked(runId, 'this process');
      open.add(runId);
      const before = [...(runs.get(runId) ?? [])];
      let closed = false;
      return {
        entries: before,
        async append(entries) {
          if (closed) throw new AskemaError('INTERNAL', `The journal of run \`${runId}\` is closed.`);
          const stored = runs.get(runId);
          if (stored === undefined) runs.set(runId, [...entries]);
          else stored.push(...entries);
        },
        async close() {
          if (!closed) open.delete(runId);
          closed = true;
        },
        async remove() {
          if (closed) throw new AskemaError('INTERNAL', `The journal of run \`${runId}\` is closed.`);
          closed = true;
          runs.delete(runId);
          open.delete(runId);
        },
      };
    },
    async read(runId) {
      return [...(runs.get(runId) ?? [])];
    },
    async runIds(options) {
      return chooseRunIds(runs.keys(), options);
    },
  };
}
