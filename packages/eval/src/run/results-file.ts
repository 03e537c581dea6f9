import { AskemaError } from '@askema/core';
import { fileLines } from './file-lines.ts';

/** What every line of `results.jsonl` has. */
export interface StoredResult {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly costUsd?: number | undefined;
}

/** Whether a line with these two is a whole result of its kind. */
export type ResultCheck<Result extends StoredResult> = (line: Partial<Result>) => boolean;

/**
 * The results of a file one by one, each with how many bytes its line takes. A last line that was torn by a crash is left out; there is
 * none when there is no file.
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
