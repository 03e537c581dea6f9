import { open, readFile } from 'node:fs/promises';
import { type JournalEntry, journalInvalid, parseJournalEntry } from '../flow/journal.ts';
import { isMissing, withFileSystem } from './with-file-system.ts';

/** What a journal file holds. `validBytes` ends after the last whole line; what comes after it was never finished. */
export interface JsonlContents {
  readonly entries: readonly JournalEntry[];
  readonly validBytes: number;
  readonly bytes: number;
}

const NEWLINE = 0x0a;

/**
 * Reads a journal file; a missing one is empty.
 *
 * Rejects with `JOURNAL_INVALID`, naming file and line, for a whole line that is not an entry.
 */
export async function readJsonl(file: string): Promise<JsonlContents> {
  const bytes = await withFileSystem(`read the journal ${file}`, () =>
    readFile(file).catch((thrown: unknown) => {
      if (isMissing(thrown)) return Buffer.alloc(0);
      throw thrown;
    }),
  );
  const entries: JournalEntry[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    const where = `${file}, line ${entries.length + 1}`;
    entries.push(parseLine(bytes.subarray(start, end), decoder, where));
    start = end + 1;
  }
  const first = entries[0];
  if (first !== undefined && first.kind !== 'run') throw journalInvalid(`${file}, line 1`, 'is not the start of a run');
  return { entries, validBytes: start, bytes: bytes.length };
}

/** True when a file has at least one whole line. */
export async function hasLine(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const chunk = Buffer.alloc(65_536);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length);
      if (bytesRead === 0) return false;
      if (chunk.subarray(0, bytesRead).includes(NEWLINE)) return true;
    }
  } finally {
    await handle.close();
  }
}

function parseLine(line: Uint8Array, decoder: InstanceType<typeof TextDecoder>, where: string): JournalEntry {
  let json: unknown;
  try {
    json = JSON.parse(decoder.decode(line));
  } catch (thrown) {
    throw journalInvalid(where, 'is no JSON', thrown);
  }
  return parseJournalEntry(json, where);
}
