import { AskemaError } from '@askema/core';
import type { Dataset, DatasetDatabase } from './read/dataset.ts';

/**
 * The dataset without the questions whose database cannot be opened here, as `reasonAgainst` says; how many there were
 * of each reason stands in `leftOut`.
 *
 * @throws AskemaError `INPUT_INVALID` where no question is left.
 */
export function leaveOut(dataset: Dataset, reasonAgainst: (database: DatasetDatabase) => string | undefined): Dataset {
  const reasons = new Map(Object.values(dataset.databases).map((database) => [database.id, reasonAgainst(database)]));
  const counts = new Map<string, number>();
  const questions = dataset.questions.filter(({ databaseId }) => {
    const reason = reasons.get(databaseId);
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  if (counts.size === 0) return dataset;
  const leftOut = [...counts].map(([reason, count]) => ({ reason, questions: count }));
  if (questions.length > 0) return { ...dataset, questions, leftOut };
  const list = leftOut.map(({ reason, questions: count }) => `${count} ${reason}`);
  const [first] = dataset.problems;
  const broken =
    first === undefined ? '' : ` ${dataset.problems.length} rows cannot be used, the first: ${first.message}`;
  throw new AskemaError(
    'INPUT_INVALID',
    `No question of ${dataset.name} can be asked here: ${list.join('; ')}.${broken}`,
  );
}
