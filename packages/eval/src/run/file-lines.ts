import { createReadStream } from 'node:fs';

const NEWLINE = 0x0a;

/** A line without its end. */
export interface FileLine {
  readonly text: string;
  /** In the file, the end included. */
  readonly bytes: number;
  /** False for what stands behind the last newline. */
  readonly ended: boolean;
}

/** The lines of a UTF-8 file one by one, however large it is; none when there is no such file. */
export async function* fileLines(file: string): AsyncGenerator<FileLine> {
  let pieces: Buffer[] = [];
  const lineOf = (last: Buffer, ended: boolean): FileLine => {
    const whole = Buffer.concat([...pieces, last]);
    pieces = [];
    return { text: whole.toString('utf8'), bytes: whole.length + (ended ? 1 : 0), ended };
  };
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        yield lineOf(chunk.subarray(from, end), true);
        from = end + 1;
      }
      if (from < chunk.length) pieces.push(chunk.subarray(from));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (pieces.length > 0) yield lineOf(Buffer.alloc(0), false);
}
