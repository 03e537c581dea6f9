import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { AskemaError } from '@askema/core';

/** Of one file, unpacked; what is longer is no dataset, but a mistake or a trap. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;

/**
 * The bytes of a file in pieces, without a byte order mark; what starts as gzip is unpacked, whatever its name.
 *
 * @throws AskemaError `DATASET_INVALID` when it is not there, cannot be read, is torn gzip, or UTF-16.
 */
export async function* readChunks(file: string): AsyncGenerator<Buffer, void, undefined> {
  const isGzip = await startsAsGzip(file);
  const source = createReadStream(file);
  const gunzip = isGzip ? createGunzip() : undefined;
  if (gunzip !== undefined) {
    source.on('error', (error) => gunzip.destroy(error));
    source.pipe(gunzip);
  }
  const stream = gunzip ?? source;
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const isFirst = bytes === 0;
      if (isFirst) refuseUtf16(chunk, file);
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) throw invalid(`${file} is longer than ${MAX_FILE_BYTES} bytes; split it.`);
      yield isFirst && startsWithMark(chunk) ? chunk.subarray(3) : chunk;
    }
  } catch (cause) {
    throw cause instanceof AskemaError
      ? cause
      : invalid(`${file} could not be read: ${(cause as Error).message}`, cause);
  } finally {
    source.destroy();
    stream.destroy();
  }
}

async function startsAsGzip(file: string): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
      return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw invalid(isMissing ? `There is no ${file}.` : `${file} could not be read: ${(cause as Error).message}`, cause);
  }
}

/** The byte order mark of UTF-8. */
function startsWithMark(chunk: Buffer): boolean {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
}

function refuseUtf16(chunk: Buffer, file: string): void {
  const isUtf16 = (chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff);
  if (isUtf16) throw invalid(`${file} is UTF-16; save it as UTF-8.`);
}

function invalid(message: string, cause?: unknown): AskemaError {
  return new AskemaError('DATASET_INVALID', message, cause === undefined ? {} : { cause });
}

/** A record that is longer than this is reported, not read. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** The text of a record and the 1-based line where it starts; or why there is none. */
export type RecordText =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly problem: string };

/** Gathers the bytes of one record at a time, and never more of them than allowed. */
interface RecordBytes {
  add(bytes: Buffer): void;
  /** What was gathered since the last call. */
  take(line: number): RecordText;
  readonly isEmpty: boolean;
}

export function recordBytes(maxBytes: number = MAX_RECORD_BYTES): RecordBytes {
  let parts: Buffer[] = [];
  let size = 0;
  return {
    add(bytes) {
      if (bytes.length === 0) return;
      size += bytes.length;
      if (size > maxBytes) parts = [];
      else parts.push(bytes);
    },
    take(line) {
      const problem = size > maxBytes ? `is ${size} bytes long, more than the ${maxBytes} that are read` : undefined;
      const text = problem === undefined ? Buffer.concat(parts).toString('utf8') : '';
      parts = [];
      size = 0;
      return problem === undefined ? { line, text } : { line, problem };
    },
    get isEmpty() {
      return size === 0;
    },
  };
}
