import type { Journal, JournalEntry } from '@askema/core';
import { expect, it } from 'vitest';
import { recentJournal } from './recent-journal.ts';

const entry = (text: string): JournalEntry => ({ schemaVersion: 1, at: 0, path: 'p', kind: 'call', value: text });

async function write(journal: Journal, runId: string, text = ''): Promise<void> {
  const run = await journal.open(runId);
  await run.append([entry(text)]);
  await run.close();
}

it('keeps the runs that were written to last', async () => {
  const journal = recentJournal({ maxRuns: 2 });
  await write(journal, 'a');
  await write(journal, 'b');
  await write(journal, 'a');
  await write(journal, 'c');
  expect([...(await journal.runIds())].sort()).toEqual(['a', 'c']);
  expect(await journal.read('a')).toHaveLength(2);
  expect(await journal.read('b')).toEqual([]);
});

it('who has most gives way: nobody pushes out the runs of others', async () => {
  const byNumber = recentJournal({ maxRuns: 10 });
  const bySize = recentJournal({ maxCharacters: 10_000 });
  for (const journal of [byNumber, bySize]) {
    await write(journal, 'south.run.1');
    for (let number = 0; number < 50; number += 1) await write(journal, `north.run.${number}`, 'a'.repeat(1_000));
    expect(await journal.runIds()).toEqual(expect.arrayContaining(['south.run.1', 'north.run.49']));
    expect((await journal.runIds()).length).toBeLessThanOrEqual(10);
  }
});

it('forgets by size, never a run that is open', async () => {
  const journal = recentJournal({ maxCharacters: 1_000 });
  const open = await journal.open('long');
  await open.append([entry('a'.repeat(5_000))]);
  await write(journal, 'next');
  expect(await journal.runIds()).toEqual(['long']);
  await expect(journal.open('long')).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
  await open.close();
  await write(journal, 'last');
  expect(await journal.runIds()).toEqual(['last']);
});
