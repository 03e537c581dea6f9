import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import * as z from 'zod';
import type { DatasetProblem } from '../datasets/read/dataset.ts';
import { nothingUsable, readDatasetFile, readLine } from '../datasets/read/dataset-lines.ts';
import { readDesignRun } from '../schemas/compare/read-design-run.ts';
import { SCORER_NAMES } from '../schemas/schema-score.ts';

/** A verdict: a word, or a figure such as a score. */
export type VerdictValue = string | number;

/** Verdicts by what they are about (`verdict`, `tableF1`) and by id. */
export interface Verdicts {
  readonly name: string;
  readonly byName: ReadonlyMap<string, ReadonlyMap<string, VerdictValue>>;
  readonly problems: readonly DatasetProblem[];
}

const value = z.union([z.string(), z.number(), z.boolean()]);
const verdictRow = z.looseObject({
  id: z.string().trim().min(1),
  verdict: value.optional(),
  verdicts: z.record(z.string(), value).optional(),
});

/**
 * Reads verdicts: a JSONL file with `id`, and `verdict` (a word, a figure, true or false) or `verdicts` by name; other
 * fields are left alone, and a line without a verdict says nothing. Of a folder of `evaluateDesigns`, the scores: as
 * `tableF1` and so on, by the first scorer that it has.
 *
 * @throws AskemaError `DATASET_INVALID` where there is no verdict; `JOURNAL_INVALID` for a broken run.
 */
export async function loadVerdicts(place: string): Promise<Verdicts> {
  const file = path.resolve(place);
  const name = path.basename(file);
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) return { name, byName: await verdictsOfRun(file, place), problems: [] };
  const byName = new Map<string, Map<string, VerdictValue>>();
  const problems: DatasetProblem[] = [];
  const text = await readDatasetFile(
    file,
    place,
    `There is no ${place}: name a JSONL file of id and verdict, or a run.`,
  );
  for (const [position, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const read = readLine(verdictRow, content, position + 1, 'verdict');
    if ('problem' in read) problems.push(read.problem);
    else add(byName, read.row);
  }
  if (byName.size === 0) throw nothingUsable(place, problems, ' Each line needs `id` and `verdict`.');
  return { name, byName, problems };
}

function add(
  byName: Map<string, Map<string, VerdictValue>>,
  { id, verdict, verdicts }: z.infer<typeof verdictRow>,
): void {
  const named = Object.entries(verdicts ?? {});
  for (const [name, given] of verdict === undefined ? named : [...named, ['verdict', verdict] as const]) {
    if (given === '') continue;
    const known = byName.get(name) ?? new Map<string, VerdictValue>();
    byName.set(name, known.set(id, typeof given === 'boolean' ? String(given) : given));
  }
}

async function verdictsOfRun(folder: string, place: string): Promise<Verdicts['byName']> {
  const run = await readDesignRun(folder);
  const scorer = SCORER_NAMES.find((each) => run?.results.some(({ scores }) => scores[each] !== undefined));
  if (run === undefined || scorer === undefined)
    throw new AskemaError('DATASET_INVALID', `${place} holds no scores; name a run of designs, or a JSONL file.`);
  const byName = new Map<string, Map<string, VerdictValue>>();
  for (const { id, scores } of run.results)
    add(byName, { id, verdicts: { ...scores[scorer] } as Record<string, number> });
  return byName;
}
