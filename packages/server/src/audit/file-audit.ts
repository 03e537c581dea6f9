import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { AskemaError, type Runtime, systemRuntime } from '@askema/core';
import type { AuditLog } from '../contract.ts';
import { forgetAudit, monthFile } from './audit-files.ts';
import type { AuditLine } from './audit-line.ts';

export interface FileAuditOptions {
  /** Lines of JSON, made for this user alone (0600) and only ever appended to. */
  readonly file: string;
  /** `month`: a file for each month of UTC beside it, `audit.2026-11.jsonl`. Default: one file. */
  readonly rotate?: 'month' | undefined;
  /**
   * Waits until the disk has each line, so that it outlives a power failure. Default: false; a crash of the process loses
   * none.
   */
  readonly fsync?: boolean | undefined;
  /** What is kept of a statement: its text, that with `?` for texts and numbers, or its SHA-256. Default: `redacted`. */
  readonly sql?: 'text' | 'redacted' | 'hash' | undefined;
  /** What of a question is kept. Default: `hash`, its SHA-256. */
  readonly question?: 'text' | 'hash' | undefined;
  readonly runtime?: Partial<Pick<Runtime, 'clock'>> | undefined;
}

/**
 * An audit log in a file; `readAudit` reads it. Lines that come while the disk is busy are written together. Where a
 * line cannot be written, its call rejects with `INTERNAL`; later ones are tried again, each on a line of its own.
 */
export function fileAudit({ file, rotate, fsync = false, sql, question, runtime }: FileAuditOptions): AuditLog {
  const { clock } = systemRuntime(runtime);
  const writer = lineWriter(rotate === undefined ? () => file : () => monthFile(file, clock.now()), fsync);
  const line = (fields: object): Promise<void> => {
    const whole = { v: 1, at: new Date(clock.now()).toISOString(), ...fields } as AuditLine;
    return writer.write(JSON.stringify(whole));
  };
  return {
    keeps: { sql, question },
    async before(entry) {
      const id = randomUUID();
      await line({ phase: 'before', id, ...entry });
      return id;
    },
    after: (id, outcome) => line({ phase: 'after', id, ...outcome }),
    ...(rotate === undefined ? {} : { forget: (before: Date) => forgetAudit(file, before) }),
    close: () => writer.close(),
  };
}

interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: AskemaError) => void;
}

/** No file is ever renamed: whoever has an older one open may end it, and all of them are read. */
function lineWriter(place: () => string, fsync: boolean) {
  let file = '';
  let handle: FileHandle | undefined;
  let queue: Waiting[] = [];
  let running: Promise<void> | undefined;
  let closed = false;
  /** Whether the file may end within a line: one of a process that died, or one that was not written whole. */
  let torn = false;

  const write = async (text: string): Promise<void> => {
    const next = place();
    // A clock that is set back leads to no older file: its reader would meet ends before their beginnings.
    if (next > file) {
      const before = handle;
      handle = undefined;
      file = next;
      await before?.close();
    }
    if (handle === undefined) {
      handle = await open(file, 'a+', 0o600);
      torn = await endsWithin(handle);
    }
    const whole = torn ? `\n${text}` : text;
    torn = true;
    await handle.appendFile(whole);
    if (fsync) await handle.datasync();
    torn = false;
  };
  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        await write(batch.map(({ text }) => `${text}\n`).join(''));
        for (const { resolve } of batch) resolve();
      } catch (cause) {
        const error = new AskemaError('INTERNAL', `The audit log ${file} cannot be written.`, { cause });
        for (const { reject } of batch) reject(error);
      }
    }
    running = undefined;
  };
  return {
    write(text: string): Promise<void> {
      if (closed) return Promise.reject(new AskemaError('INTERNAL', `The audit log ${place()} is closed.`));
      return new Promise((resolve, reject) => {
        queue.push({ text, resolve, reject });
        running ??= drain();
      });
    },
    async close(): Promise<void> {
      closed = true;
      await running;
      await handle?.close();
      handle = undefined;
    },
  };
}

async function endsWithin(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}
