import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '@askema/core';
import { encodeOutcome } from '@askema/text2sql/ask';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { historyFolder } from './history-folder.ts';
import { findEntry, forgetEntries, type HistoryEntry, keepEntry, listEntries } from './history-store.ts';

const root = mkdtempSync(join(tmpdir(), 'askema-history-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder = '';
let number = 0;
beforeEach(() => {
  number += 1;
  folder = join(root, `state${number}`, 'history');
});

function entry(id: string, more: Partial<HistoryEntry> = {}, candidates: Outcome['candidates'] = []): HistoryEntry {
  const base = { question: 'How many?', runId: `ask-${id}`, candidates, usage: {}, calls: 1, executions: 0 };
  const outcome = encodeOutcome({ ...base, elapsedMs: 1, warnings: [], type: 'refused', reason: 'no' });
  const request = { cwd: '/work', database: 'shop.sqlite', question: 'How many?', flags: {}, mayWrite: false };
  return { schemaVersion: 1, id, at: '2026-05-01T10:00:00.000Z', ...request, outcome, ...more };
}

describe('historyFolder', () => {
  it.each([
    [{ HOME: '/people/ann' }, '/people/ann/.local/state/askema/history'],
    [{ HOME: '/people/ann', XDG_STATE_HOME: '/state' }, '/state/askema/history'],
    [{ HOME: '/people/ann', XDG_STATE_HOME: 'relative' }, '/people/ann/.local/state/askema/history'],
    [{ HOME: '/people/ann', ASKEMA_HISTORY: '/mine' }, '/mine'],
    [{ HOME: '/people/ann', ASKEMA_HISTORY: 'OFF' }, undefined],
    [{}, undefined],
  ])('%j', (env, expected) => {
    expect(historyFolder(env)).toBe(expected);
  });
});

describe('the history', () => {
  it('gives back what was kept, newest first, readable by its owner alone', async () => {
    const [first, second] = [entry('aa11'), entry('bb22', { at: '2026-05-02T10:00:00.000Z' })];
    await keepEntry(folder, first);
    await keepEntry(folder, second);
    expect(await listEntries(folder)).toEqual({ entries: [second, first], broken: [] });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(await listEntries(join(root, 'nowhere'))).toEqual({ entries: [], broken: [] });
  });

  it('finds by the beginning of an id, and says when that fits none or several', async () => {
    for (const id of ['aa11', 'aa22', 'bb33', 'bb33~2']) await keepEntry(folder, entry(id));
    expect((await findEntry(folder, 'aa2')).id).toBe('aa22');
    expect((await findEntry(folder, 'bb33')).id).toBe('bb33');
    await expect(findEntry(folder, 'aa')).rejects.toThrow(/several ids/);
    await expect(findEntry(folder, 'cc')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await forgetEntries(folder, ['aa22'])).toBe(1);
    await expect(findEntry(folder, 'aa22')).rejects.toThrow(/not in the history/);
    expect(await forgetEntries(folder, 'all')).toBe(3);
  });

  it('leaves out what cannot be read, and names it', async () => {
    await keepEntry(folder, entry('aa11'));
    const broken = ['cut', 'other', 'null', 'vast'].map((name, at) => `2026050${at}T100000000Z-${name}.json`);
    const contents = [
      '{"schemaVersion":1,"id":',
      JSON.stringify({ ...entry('x'), outcome: { type: 'answered' } }),
      'null',
      JSON.stringify(entry('x')).padEnd(20_000_000),
    ];
    for (const [at, name] of broken.entries()) writeFileSync(join(folder, name), contents[at] ?? '');
    const list = await listEntries(folder);
    expect(list.entries.map(({ id }) => id)).toEqual(['aa11']);
    expect([...list.broken].sort()).toEqual(broken);
  });

  it('is bounded: by number, by age and by the size of an entry', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let at = 0; at < 510; at += 1)
      writeFileSync(join(folder, `20260501T10${String(at).padStart(7, '0')}Z-old.json`), '{}');
    writeFileSync(join(folder, '20200101T000000000Z-older.json'), '{}');
    await keepEntry(folder, entry('new', { at: '2026-05-02T10:00:00.000Z' }));
    const names = readdirSync(folder);
    expect(names).toHaveLength(500);
    expect(names.some((name) => name.includes('older'))).toBe(false);
    const journal = [{ kind: 'retry', schemaVersion: 1, at: 1, path: 'x'.repeat(300_000) } as const];
    const large = entry('large', { at: '2026-05-03T10:00:00.000Z', journal }, [{ sql: 'x', status: 'chosen' }]);
    await keepEntry(folder, large);
    const found = await findEntry(folder, 'large');
    expect(found.journal).toBeUndefined();
    expect(found.outcome.candidates).toEqual([]);
  });

  it('holds what many processes keep at once', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => keepEntry(folder, entry(`run${at}`))));
    const { entries, broken } = await listEntries(folder);
    expect([entries.length, broken]).toEqual([40, []]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is neither written nor read where others can write', async () => {
    await keepEntry(folder, entry('aa11'));
    chmodSync(folder, 0o777);
    await expect(keepEntry(folder, entry('bb22'))).rejects.toThrow(/can be written by others/);
    await expect(listEntries(folder)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
