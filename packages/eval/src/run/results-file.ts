import { createReadStream } from 'node:fs';
import { AskemaError } from '@askema/core';

/** What every line of `results.jsonl` has. */
export interface StoredResult {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly costUsd?: number | undefined;
}

/** Whether a line with these two is a whole result of its kind. */
export type ResultCheck<Result extends StoredResult> = (line: Partial<Result>) => boolean;

/**
 * The results of a file one by one, each with how many bytes its line takes. A last line that was torn by a crash is
 * left out; there is none when there is no file.
 *
 * @throws AskemaError `JOURNAL_INVALID` for a line in the middle that is no result.
 */
export async function* storedResults<Result extends StoredResult>(
  file: string,
  isResult: ResultCheck<Result>,
): AsyncGenerator<{ readonly result: Result; readonly bytes: number }> {
  let position = 0;
  let broken: number | undefined;
  for await (const { text, bytes, ended } of fileLines(file)) {
    position += 1;
    if (broken !== undefined && ended)
      throw new AskemaError('JOURNAL_INVALID', `Line ${broken} of ${file} is no result; mend or remove it.`);
    const result = ended ? parseResult(text, isResult) : undefined;
    if (result === undefined) broken ??= position;
    else yield { result, bytes };
  }
}

function parseResult<Result extends StoredResult>(line: string, isResult: ResultCheck<Result>): Result | undefined {
  try {
    const result = JSON.parse(line) as Partial<Result> | null;
    return result?.schemaVersion === 1 && typeof result.id === 'string' && isResult(result)
      ? (result as Result)
      : undefined;
  } catch {
    return undefined;
  }
}

const NEWLINE = 0x0a;

/** A line without its end. */
interface FileLine {
  readonly text: string;
  /** In the file, the end included. */
  readonly bytes: number;
  /** False for what stands behind the last newline. */
  readonly ended: boolean;
}

/** The lines of a UTF-8 file one by one, however large it is; none when there is no such file. */
async function* fileLines(file: string): AsyncGenerator<FileLine> {
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
