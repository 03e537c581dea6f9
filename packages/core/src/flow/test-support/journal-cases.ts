import { expect, it } from 'vitest';
import type { Journal, JournalEntry } from '../journal.ts';

export function headerEntry(runId: string): JournalEntry {
  return {
    schemaVersion: 1,
    at: 1,
    path: 'f@1',
    kind: 'run',
    runId,
    flow: 'f',
    version: 1,
    graph: 'hash',
    state: {},
    tags: {},
  };
}

export function callEntry(value: number | string): JournalEntry {
  return { schemaVersion: 1, at: 2, path: `f@1/s#1/call#${value}`, kind: 'call', value };
}

/** What every journal has to do. `reload` gives a journal on the same store, as another process would have it. */
export function describeJournal(make: () => { readonly journal: Journal; readonly reload: () => Journal }): void {
  it('keeps entries in order, for those who read and those who open', async () => {
    const { journal, reload } = make();
    const opened = await journal.open('r');
    expect(opened.entries).toEqual([]);
    await opened.append([headerEntry('r'), callEntry(1)]);
    await Promise.all([opened.append([callEntry(2)]), opened.append([callEntry(3), callEntry('ünï\ncode')])]);
    const all = [headerEntry('r'), callEntry(1), callEntry(2), callEntry(3), callEntry('ünï\ncode')];
    expect(await reload().read('r')).toEqual(all);
    await opened.close();
    const again = await reload().open('r');
    expect(again.entries).toEqual(all);
    await again.append([callEntry(4)]);
    await again.close();
    expect(await reload().read('r')).toHaveLength(6);
  });

  it('keeps runs apart and lists them', async () => {
    const { journal, reload } = make();
    const strange = 'täg/..\\ %*?';
    for (const runId of ['a', strange]) {
      const opened = await journal.open(runId);
      await opened.append([headerEntry(runId)]);
      await opened.close();
    }
    const unused = await journal.open('never-written');
    await unused.close();
    expect([...(await reload().runIds())].sort()).toEqual(['a', strange].sort());
    expect(await reload().read(strange)).toEqual([headerEntry(strange)]);
    expect(await reload().read('unknown')).toEqual([]);
  });

  it('lets one open a run at a time', async () => {
    const { journal, reload } = make();
    const opened = await journal.open('r');
    await expect(reload().open('r')).rejects.toMatchObject({ code: 'JOURNAL_LOCKED', retryable: true });
    await (await reload().open('other')).close();
    await opened.close();
    await opened.close();
    const second = await reload().open('r');
    await opened.close();
    await expect(reload().open('r')).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
    await second.close();
  });

  it('lists the runs that begin with something, from the last one on', async () => {
    const { journal, reload } = make();
    for (const runId of ['a.1', 'b.3', 'b.1', 'b.2', 'b.10', 'c']) {
      const opened = await journal.open(runId);
      await opened.append([headerEntry(runId)]);
      await opened.close();
    }
    await (await journal.open('b.9')).close();
    const ids = reload();
    expect([...(await ids.runIds({ startsWith: 'b.' }))].sort()).toEqual(['b.1', 'b.10', 'b.2', 'b.3']);
    expect(await ids.runIds({ startsWith: 'b.', last: 2 })).toEqual(['b.3', 'b.2']);
    expect(await ids.runIds({ startsWith: 'b.', before: 'b.2', last: 9 })).toEqual(['b.10', 'b.1']);
    expect(await ids.runIds({ startsWith: 'd' })).toEqual([]);
  });

  it('forgets a run, which can then be begun anew, and no other', async () => {
    const { journal, reload } = make();
    for (const runId of ['r', 'other']) {
      const opened = await journal.open(runId);
      await opened.append([headerEntry(runId)]);
      await opened.close();
    }
    const opened = await journal.open('r');
    await opened.remove?.();
    await opened.close();
    expect(await reload().read('r')).toEqual([]);
    expect(await reload().runIds()).toEqual(['other']);
    await expect(opened.append([callEntry(1)])).rejects.toMatchObject({ code: 'INTERNAL' });
    const again = await reload().open('r');
    expect(again.entries).toEqual([]);
    await again.append([headerEntry('r')]);
    await again.close();
    expect(await reload().read('r')).toEqual([headerEntry('r')]);
  });

  it('takes nothing after close', async () => {
    const { journal } = make();
    const opened = await journal.open('r');
    await opened.close();
    await expect(opened.append([callEntry(1)])).rejects.toMatchObject({ code: 'INTERNAL' });
  });
}
