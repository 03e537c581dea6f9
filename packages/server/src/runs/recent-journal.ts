import { AskemaError, type Journal, type JournalEntry, journalLocked } from '@askema/core';

/** Characters of JSON, of all runs together. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_RUNS = 10_000;

interface Kept {
  readonly entries: JournalEntry[];
  characters: number;
}

/**
 * A journal in memory that forgets: for a server that was given none. It keeps the runs that were written to last, as far
 * as there is room, so that a question that was asked back can be answered and a result be drawn.
 */
export function recentJournal({
  maxCharacters = MOST_CHARACTERS,
  maxRuns = MOST_RUNS,
}: {
  maxCharacters?: number;
  maxRuns?: number;
} = {}): Journal {
  // In the order in which they were written to last.
  const runs = new Map<string, Kept>();
  const open = new Set<string>();
  let characters = 0;
  const forget = (): void => {
    for (const [runId, kept] of runs) {
      if (characters <= maxCharacters && runs.size <= maxRuns) return;
      if (open.has(runId)) continue;
      runs.delete(runId);
      characters -= kept.characters;
    }
  };
  return {
    async open(runId) {
      if (open.has(runId)) throw journalLocked(runId, 'this process');
      open.add(runId);
      let isClosed = false;
      return {
        entries: [...(runs.get(runId)?.entries ?? [])],
        async append(entries) {
          if (isClosed) throw new AskemaError('INTERNAL', `The journal of run \`${runId}\` is closed.`);
          const kept = runs.get(runId) ?? { entries: [], characters: 0 };
          const added = JSON.stringify(entries).length;
          kept.entries.push(...entries);
          kept.characters += added;
          characters += added;
          runs.delete(runId);
          runs.set(runId, kept);
        },
        async close() {
          if (isClosed) return;
          isClosed = true;
          open.delete(runId);
          forget();
        },
      };
    },
    read: async (runId) => [...(runs.get(runId)?.entries ?? [])],
    runIds: async () => [...runs.keys()],
  };
}
