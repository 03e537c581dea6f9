import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { acquireFileLock, takeOver } from './file-lock.ts';

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'askema-lock-')), 'run.lock');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dirname(file), { recursive: true, force: true });
});
const acquire = () => acquireFileLock(file, (holder) => new AskemaError('JOURNAL_LOCKED', `held by ${holder}`));
const holder = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

/** Takes the lock, changes what it says about its holder, and forgets about it. */
async function leave(change: Record<string, unknown>): Promise<void> {
  const lock = await acquire();
  const text = JSON.stringify({ ...holder(), ...change });
  await lock.release();
  writeFileSync(file, text);
}

describe('a file lock', () => {
  it('is held by one, and says by whom', async () => {
    const lock = await acquire();
    await expect(acquire()).rejects.toThrow(`held by process ${process.pid}`);
    await lock.release();
    expect(readdirSync(dirname(file))).toEqual([]);
    await (await acquire()).release();
  });

  it('does not depend on the others of its folder', async () => {
    const other = () => acquireFileLock(`${file}.other`, (name) => new AskemaError('JOURNAL_LOCKED', name));
    const [first, second] = await Promise.all([acquire(), other()]);
    await first.release();
    await expect(other()).rejects.toThrow(`process ${process.pid}`);
    const third = await acquire();
    await second.release();
    await expect(acquire()).rejects.toThrow('held by');
    await first.release();
    await expect(acquire()).rejects.toThrow('held by');
    await third.release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('is had again after somebody has emptied the folder', async () => {
    const lost = await acquire();
    for (const name of readdirSync(dirname(file))) rmSync(join(dirname(file), name));
    await expect(acquire()).rejects.toThrow('ENOENT');
    const lock = await acquire();
    await lost.release();
    await expect(acquire()).rejects.toThrow('held by');
    await lock.release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('has another name where the process stood still for long: what was taken for dead is never taken again', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const kept = await acquireFileLock(`${file}.other`, (name) => new AskemaError('JOURNAL_LOCKED', name));
    const before = await acquire();
    const { token } = holder();
    await before.release();
    vi.setSystemTime(Date.now() + 31_000);
    const after = await acquire();
    expect(holder().token).not.toBe(token);
    await after.release();
    await kept.release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('that is a link which leads nowhere is refused, and so is a folder', async () => {
    symlinkSync('nothing', file);
    await expect(acquire()).rejects.toThrow('it is no regular file; remove it');
    rmSync(file);
    mkdirSync(file);
    await expect(acquire()).rejects.toThrow('it is no regular file; remove it');
    rmSync(file, { recursive: true });
    await (await acquire()).release();
  });

  it('of a dead process does not count', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await leave({ pid: child.pid });
    // What a process has beside its locks while it lives.
    writeFileSync(join(dirname(file), `.lock-${String(holder().token).slice(0, 8)}`), 'left');
    const lock = await acquire();
    lock.check();
    expect(holder().pid).toBe(process.pid);
    await lock.release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'of a process that is dead but was never collected does not count (skipped: needs the /proc of Linux)',
    async () => {
      // The shell becomes a `sleep`, which never asks for the end of the child that it does not know of.
      const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
      try {
        const [output] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(output.toString());
        await vi.waitFor(() => expect(readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'));
        process.kill(pid, 'SIGKILL');
        const fields = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        await vi.waitFor(() => expect(fields()[0]).toBe('Z'));
        await leave({ pid, started: fields()[19] });
        await (await acquire()).release();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('of a process whose id was given to another one does not count', async () => {
    await leave({ started: '1' });
    await (await acquire()).release();
  });

  it('of another machine counts until it shows no life for 30 seconds', async () => {
    await leave({ machine: 'elsewhere boot namespace', pid: 1 });
    await expect(acquire()).rejects.toThrow(/process 1 on elsewhere/);
    const longAgo = new Date(Date.now() - 31_000);
    utimesSync(file, longAgo, longAgo);
    await (await acquire()).release();
  });

  it('that is half written counts until it is old', async () => {
    writeFileSync(file, '{"pid":');
    await expect(acquire()).rejects.toThrow(/another process/);
    const longAgo = new Date(Date.now() - 31_000);
    utimesSync(file, longAgo, longAgo);
    await (await acquire()).release();
  });

  it('is taken by exactly one of many that find it dead', async () => {
    for (let round = 0; round < 20; round += 1) {
      await leave({ started: '1' });
      const results = await Promise.allSettled(Array.from({ length: 8 }, acquire));
      const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(locks).toHaveLength(1);
      for (const lock of locks) await lock.release();
      expect(existsSync(file)).toBe(false);
    }
  });

  it('is not taken from somebody who has just taken it over', async () => {
    await leave({ started: '1' });
    const dead = readFileSync(file, 'utf8');
    const lock = await acquire();
    writeFileSync(`${file}.late`, '{"token":"late"}');
    expect(await takeOver(file, dead, `${file}.late`, (name) => new AskemaError('JOURNAL_LOCKED', name))).toBe(false);
    expect(holder().pid).toBe(process.pid);
    await lock.release();
  });

  it('shows that its holder lives, and tells the holder when it was taken away', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const lock = await acquire();
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file, longAgo, longAgo);
    const before = readFileSync(file, 'utf8');
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(async () => {
      const { mtimeMs } = await import('node:fs').then((fs) => fs.statSync(file));
      expect(Date.now() - mtimeMs).toBeLessThan(30_000);
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    lock.check();
    writeFileSync(file, before.replace(/"token":"[^"]*"/, '"token":"thief"'));
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(() => lock.check()).toThrow(/took this one for dead/));
    await lock.release();
    expect(existsSync(file)).toBe(true);
  });
});
