import { open } from 'node:fs/promises';
import type { FileContent } from '../protocol.ts';

/** Reads the first bytes of a file. Rejects as the file system does. */
export async function sniffFile(path: string): Promise<FileContent> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.subarray(0, bytesRead).toString('latin1');
    if (bytesRead === 0) return 'empty';
    if (head.startsWith('SQLite format 3')) return 'sqlite';
    if (head.startsWith('PAR1')) return 'parquet';
    // A checksum of 8 bytes stands in front (https://duckdb.org/docs/stable/internals/storage).
    return head.slice(8, 12) === 'DUCK' ? 'duckdb' : 'other';
  } finally {
    await handle.close();
  }
}
