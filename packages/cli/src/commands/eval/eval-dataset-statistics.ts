import { resolve } from 'node:path';
import { datasetStatistics, formatDatasetStatistics, loadSchemaDataset } from '@askema/eval';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { printableLines } from '../../terminal/printable.ts';

export interface EvalDatasetStatisticsFlags {
  readonly json?: true | undefined;
}

/** `askema eval dataset-statistics DATASET`; returns the exit code. */
export async function runEvalDatasetStatistics(
  place: string,
  flags: EvalDatasetStatisticsFlags,
  { host, out, err }: CommandContext,
): Promise<number> {
  const dataset = await loadSchemaDataset(resolve(host.cwd, place));
  for (const { message } of dataset.problems) await err.write(`${printableLines(message)}\n`);
  const statistics = datasetStatistics(dataset);
  const text =
    flags.json === true
      ? escapeJson(JSON.stringify(statistics, null, 2))
      : printableLines(formatDatasetStatistics(statistics));
  await out.write(`${text}\n`);
  return EXIT.ok;
}
