import { AskemaError, isAskemaError, type Journal, type JournalEntry, type RunJournal } from '@askema/core';
import { OWNER_KEY } from './owner-key.ts';
import { begunAt, RECORD_ID } from './record-id.ts';

/** What this server keeps in a journal, which may have runs of others as well. */
const OURS = new RegExp(`^${OWNER_KEY}\\.`);
const RECORD = new RegExp(`^${OWNER_KEY}\\.run\\.`);
/** A record, the runs of its question (`~2` goes on from an answer), or the turns of its conversation. */
const OF_RECORD = new RegExp(`[.-](${RECORD_ID})(?:~\\d+)?$`);

/**
 * Forgets what was written to last before a moment: a question with its runs and a conversation with its turns only as a
 * whole, nothing that somebody has open. `pause` is awaited between two of them, and says whether to go on; `unreadable`
 * is told what stays because it cannot be read. Rejects with `CAPABILITY_UNSUPPORTED` where the journal cannot forget.
 */
export async function forgetOld(
  journal: Journal,
  before: number,
  { pause, unreadable }: { pause(): Promise<boolean>; unreadable(thrown: unknown): void },
): Promise<void> {
  for (const runIds of groupsOf(await journal.runIds(), before)) {
    if (!(await pause())) return;
    try {
      if (await isOld(journal, runIds, before)) await forget(journal, runIds, before);
    } catch (thrown) {
      if (!isAskemaError(thrown) || thrown.code !== 'JOURNAL_INVALID') throw thrown;
      unreadable(thrown);
    }
  }
}

/** What belongs together, without what is young by its name. Records come first: without one, nobody finds its runs. */
function groupsOf(all: readonly string[], before: number): Iterable<readonly string[]> {
  const groups = new Map<string, string[]>();
  const isRecord = (runId: string): boolean => RECORD.test(runId);
  const ours = all.filter((runId) => OURS.test(runId));
  for (const runId of [...ours.filter(isRecord), ...ours.filter((each) => !isRecord(each))]) {
    const [, record] = OF_RECORD.exec(runId) ?? [];
    if (record !== undefined && begunAt(record) >= before) continue;
    const key = record ?? runId;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [runId]);
    else group.push(runId);
  }
  return groups.values();
}

async function isOld(journal: Journal, runIds: readonly string[], before: number): Promise<boolean> {
  for (const runId of runIds) if (lastAt(await journal.read(runId)) >= before) return false;
  return true;
}

/** Looks again once nobody else can write. */
async function forget(journal: Journal, runIds: readonly string[], before: number): Promise<void> {
  const opened: RunJournal[] = [];
  try {
    for (const runId of runIds) {
      const run = await journal.open(runId);
      opened.push(run);
      if (lastAt(run.entries) >= before) return;
    }
    for (const run of opened) {
      if (run.remove === undefined)
        throw new AskemaError('CAPABILITY_UNSUPPORTED', 'This journal cannot forget runs. Leave out `keep.runsMs`.');
      await run.remove();
    }
  } catch (thrown) {
    if (!isAskemaError(thrown) || thrown.code !== 'JOURNAL_LOCKED') throw thrown;
  } finally {
    for (const run of opened) await run.close();
  }
}

function lastAt(entries: readonly JournalEntry[]): number {
  return entries.reduce((last, { at }) => Math.max(last, at), 0);
}
