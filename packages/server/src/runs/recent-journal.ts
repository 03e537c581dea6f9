import { AskemaError, chooseRunIds, type Journal, type JournalEntry, journalLocked } from '@askema/core';

/** Characters of JSON, of all runs together. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_RUNS = 10_000;

interface Kept {
  readonly entries: JournalEntry[];
  characters: number;
}

/** The runs of one owner: what stands before the first dot of their ids. */
interface Owned {
  /** In the order in which they were written to last. */
  readonly ids: Set<string>;
  characters: number;
}

/**
 * A journal in memory that forgets: for a server that was given none. It keeps the runs that were written to last, as far
 * as there is room, so that a question that was asked back can be answered and a result be drawn. Who has most there
 * gives way first, so that nobody pushes out what others have.
 */
export function recentJournal({
  maxCharacters = MOST_CHARACTERS,
  maxRuns = MOST_RUNS,
}: {
  maxCharacters?: number;
  maxRuns?: number;
} = {}): Journal {
  const runs = new Map<string, Kept>();
  // In the order in which they were written to last.
  const owners = new Map<string, Owned>();
  const open = new Set<string>();
  let characters = 0;
  const written = (runId: string, added: number): void => {
    const owner = ownerOf(runId);
    const owned = owners.get(owner) ?? { ids: new Set(), characters: 0 };
    owned.ids.delete(runId);
    owned.ids.add(runId);
    owned.characters += added;
    characters += added;
    owners.delete(owner);
    owners.set(owner, owned);
  };
  const drop = (runId: string): void => {
    const owned = owners.get(ownerOf(runId));
    const dropped = runs.get(runId)?.characters ?? 0;
    runs.delete(runId);
    characters -= dropped;
    if (owned === undefined) return;
    owned.ids.delete(runId);
    owned.characters -= dropped;
    if (owned.ids.size === 0) owners.delete(ownerOf(runId));
  };
  /** The oldest run of who has most, by what there is too much of. */
  const next = (): string | undefined => {
    const isLong = characters > maxCharacters;
    let most = 0;
    let found: string | undefined;
    for (const owned of owners.values()) {
      const size = isLong ? owned.characters : owned.ids.size;
      const oldest = size > most ? firstNotIn(open, owned.ids) : undefined;
      if (oldest === undefined) continue;
      most = size;
      found = oldest;
    }
    return found;
  };
  const forget = (): void => {
    while (characters > maxCharacters || runs.size > maxRuns) {
      const runId = next();
      if (runId === undefined) return;
      drop(runId);
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
          runs.set(runId, kept);
          written(runId, added);
        },
        async close() {
          if (isClosed) return;
          isClosed = true;
          open.delete(runId);
          forget();
        },
        async remove() {
          if (isClosed) return;
          isClosed = true;
          open.delete(runId);
          drop(runId);
        },
      };
    },
    read: async (runId) => [...(runs.get(runId)?.entries ?? [])],
    runIds: async (options) => chooseRunIds(runs.keys(), options),
  };
}

function ownerOf(runId: string): string {
  return runId.split('.', 1)[0] ?? '';
}

function firstNotIn(excluded: ReadonlySet<string>, ids: Iterable<string>): string | undefined {
  for (const id of ids) if (!excluded.has(id)) return id;
  return undefined;
}
