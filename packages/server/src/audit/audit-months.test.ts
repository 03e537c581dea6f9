import { appendFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditFolder, WHO } from '../testing/audit-folder.ts';
import type { FileAuditOptions } from './file-audit.ts';

const { folder, file, auditTo, records } = auditFolder();

describe('a file for each month', () => {
  const AT = {
    november: Date.UTC(2026, 10, 30, 23, 59),
    december: Date.UTC(2026, 11, 1),
    january: Date.UTC(2027, 0, 5),
  };
  const entry = { ...WHO, kind: 'statement', sql: 'SELECT ?' } as const;
  const done = { outcome: 'done', rows: 1, elapsedMs: 1 } as const;
  let now = AT.november;
  const monthly = (options: Partial<FileAuditOptions> = {}) =>
    auditTo({ file, rotate: 'month', runtime: { clock: { now: () => now } }, ...options });
  const names = async () => (await readdir(folder)).sort();
  beforeEach(() => {
    now = AT.november;
  });

  test('holds what was sent in it; a statement over midnight is read whole, and none is lost among many', async () => {
    const before = auditTo({ file });
    await before.after(await before.before(entry), done);
    const log = monthly();
    const late = await log.before(entry);
    const ids = await Promise.all(
      Array.from({ length: 200 }, async (_, number) => {
        if (number === 100) now = AT.december;
        const id = await log.before(entry);
        await log.after(id, done);
        return id;
      }),
    );
    await log.after(late, { ...done, rows: 7 });
    expect(await names()).toEqual(['audit.2026-11.jsonl', 'audit.2026-12.jsonl', 'audit.jsonl']);
    expect((await stat(join(folder, 'audit.2026-12.jsonl'))).mode & 0o777).toBe(0o600);
    const all = await records();
    expect(all.filter(({ end }) => end?.outcome === 'done')).toHaveLength(202);
    expect(all.find(({ id }) => id === late)?.end).toMatchObject({ rows: 7 });
    for (const id of ids) expect(all.some((record) => record.id === id)).toBe(true);
  });

  test('stays the one where a clock is set back: no end stands before its beginning', async () => {
    const log = monthly();
    now = AT.december;
    const id = await log.before(entry);
    now = AT.november;
    await log.after(id, done);
    expect(await records()).toMatchObject([{ id, end: { outcome: 'done' } }]);
  });

  test('is passed over where all of it is too old, and goes on behind a torn line of its own', async () => {
    const log = monthly();
    await log.after(await log.before(entry), done);
    now = AT.december;
    await appendFile(join(folder, 'audit.2026-12.jsonl'), '{"torn');
    const id = await log.before(entry);
    await log.after(id, done);
    const unreadable: unknown[] = [];
    const since = new Date(AT.december);
    const found = await records({ since, onUnreadable: (...place) => unreadable.push(place) });
    expect(found.map((record) => record.id)).toEqual([id]);
    expect(unreadable).toEqual([[1, join(folder, 'audit.2026-12.jsonl')]]);
    await writeFile(join(folder, 'audit.2026-11.jsonl'), '{"none of it is read');
    expect(await records({ since })).toHaveLength(1);
  });

  test('is deleted whole once nothing in it is young, and nothing else is', async () => {
    await writeFile(file, '');
    await writeFile(join(folder, 'audit.2026-11.jsonl.copy'), '');
    await writeFile(join(folder, 'other.2026-11.jsonl'), '');
    await utimes(file, 1, 1);
    const log = monthly();
    for (const at of [AT.november, AT.december, AT.january]) {
      now = at;
      await log.before(entry);
    }
    await log.forget?.(new Date(AT.december - 1));
    expect(await names()).toContain('audit.2026-11.jsonl');
    await log.forget?.(new Date(AT.december));
    const others = ['audit.2026-11.jsonl.copy', 'other.2026-11.jsonl'];
    expect(await names()).toEqual([...others, 'audit.2026-12.jsonl', 'audit.2027-01.jsonl'].sort());
    expect(auditTo({ file: join(folder, 'whole.jsonl') }).forget).toBeUndefined();
  });
});
