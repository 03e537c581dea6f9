import { type Journal, memoryJournal } from '@askema/core';

/** Each holds the rows that its flow looked at. */
const MAX_RUNS = 50;

/** The last runs alone: an agent may ask for days, and only what was asked back is gone on with. */
export function recentJournal(maxRuns = MAX_RUNS): Journal {
  const runs = new Map<string, Journal>();
  const of = (runId: string): Journal => runs.get(runId) ?? memoryJournal();
  return {
    open(runId) {
      const journal = of(runId);
      runs.delete(runId);
      runs.set(runId, journal);
      for (const oldest of runs.keys()) {
        if (runs.size <= maxRuns) break;
        runs.delete(oldest);
      }
      return journal.open(runId);
    },
    read: (runId) => of(runId).read(runId),
    runIds: async () => [...runs.keys()],
  };
}
