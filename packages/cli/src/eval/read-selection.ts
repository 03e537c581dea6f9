import type { QuestionSelection } from '@askema/eval';
import { parseCount } from '../terminal/parse-count.ts';

/** Which questions of a dataset are meant. */
export interface SelectionFlags {
  readonly limit?: string | undefined;
  readonly sample?: string | undefined;
  readonly seed?: string | undefined;
  readonly category?: readonly string[] | undefined;
  readonly difficulty?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** @throws AskemaError `INPUT_INVALID` for a count that is none; names are checked against the dataset when it is known. */
export function readSelection(flags: SelectionFlags): QuestionSelection {
  return {
    limit: readCount(flags.limit, '--limit'),
    sample: readCount(flags.sample, '--sample'),
    seed: readCount(flags.seed, '--seed', 0),
    category: flags.category,
    difficulty: flags.difficulty,
    ids: flags.ids,
  };
}

/** A count that may be left out. @throws AskemaError `INPUT_INVALID`. */
export function readCount(text: string | undefined, option: string, minimum = 1): number | undefined {
  return text === undefined ? undefined : parseCount(text, option, minimum);
}
