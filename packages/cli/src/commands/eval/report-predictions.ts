import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredRun } from '@askema/eval';
import type { Output } from '../../process/output.ts';
import { printableLines } from '../../terminal/printable.ts';

/** Says what is in the folder of predictions, and what lacks there because it was answered before they were kept. */
export async function reportPredictions(folder: string, { results }: StoredRun, err: Output): Promise<void> {
  const answered = results.filter(({ outcome }) => outcome === 'answered');
  const absent = answered.filter(({ id }) => !existsSync(join(folder, `${id}.csv`))).length;
  const unanswered = results.length - answered.length;
  const without = unanswered === 0 ? '' : ` Without an answer, and so without a file: ${unanswered}.`;
  await err.write(`Predictions in ${printableLines(folder)}: ${answered.length - absent}.${without}\n`);
  if (absent > 0)
    await err.write(
      `${err.yellow(`Answered, and not there: ${absent}.`)} The result was too large, or the answer was given without --predictions or on another machine. Take a new --out to ask again.\n`,
    );
}
