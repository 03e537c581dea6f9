/** A record that is longer than this is reported, not read. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** The text of a record and the 1-based line where it starts; or why there is none. */
export type RecordText =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly problem: string };

/** Gathers the bytes of one record at a time, and never more of them than allowed. */
export interface RecordBytes {
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
