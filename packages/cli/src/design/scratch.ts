import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdapterSpec } from '@askema/core';

/** Empty SQLite files in a folder of their own, removed in the end. */
export interface Scratch {
  open(): Promise<AdapterSpec>;
  remove(): Promise<void>;
}

/** Where the tests of a design run. Nothing is made before the first is opened. */
export function openScratch(): Scratch {
  let folder: Promise<string> | undefined;
  let opened = 0;
  return {
    async open() {
      folder ??= mkdtemp(join(tmpdir(), 'askema-design-'));
      opened += 1;
      const { sqlite } = await import('@askema/sqlite');
      return sqlite({ file: join(await folder, `scratch-${opened}.sqlite`), access: 'write' });
    },
    async remove() {
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}
