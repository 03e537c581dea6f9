import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError, type QueryResult } from '@askema/core';
import { databaseIdProblem } from '../datasets/read/database-id.ts';
import type { DatasetQuestion } from '../datasets/read/dataset.ts';
import { writePandasCsv } from '../metrics/pandas-csv.ts';
import { writeNamedFile } from './replace-file.ts';

/**
 * Makes the folder for predictions.
 *
 * @throws AskemaError `INPUT_INVALID` where it cannot be made, or an id of a question cannot be the name of a file.
 */
export async function openPredictions(folder: string, questions: readonly DatasetQuestion[]): Promise<void> {
  for (const { id, line } of questions) {
    const problem = databaseIdProblem(id);
    if (problem !== undefined)
      throw new AskemaError(
        'INPUT_INVALID',
        `Line ${line}: predictions are files named by their question, and ${problem}`,
      );
  }
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new AskemaError('INPUT_INVALID', `Predictions cannot be written to ${folder}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/**
 * Writes an answer as the program of Spider 2.0 takes it, `<id>.sql` and `<id>.csv`. Where there is none, those of an
 * earlier attempt are removed.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that cannot be written.
 */
export async function writePrediction(
  folder: string,
  id: string,
  { sql, result }: { readonly sql?: string | undefined; readonly result?: QueryResult | undefined },
): Promise<void> {
  const texts = {
    csv: result === undefined ? undefined : writePandasCsv(result),
    sql: result === undefined || sql === undefined ? undefined : `${sql}\n`,
  };
  for (const [ending, text] of Object.entries(texts)) {
    const file = path.join(folder, `${id}.${ending}`);
    if (text === undefined) await rm(file, { force: true });
    else await writeNamedFile(file, text, 'The prediction');
  }
}
