import {
  createCallContext,
  fromModel,
  isLanguageModel,
  type LanguageModel,
  type Solved,
  type Solver,
} from '@askema/core';
import { plainName } from '../schemas/compared-schema.ts';
import { selectItems } from '../schemas/evaluate-designs.ts';
import type { SchemaDataset, SchemaItem } from '../schemas/load-schema-dataset.ts';
import { sha256 } from '../sha256.ts';
import { type Expectation, type ExpectationsLine, expectationsLine } from './expectation.ts';
import { type ExpectationsSummary, expectationsSummary } from './expectations-summary.ts';
import { costFields, fillLines, type LinesProgress } from './fill-lines.ts';
import { type ListExpectationsOutput, listExpectationsTask } from './list-expectations-task.ts';

/** Who lists or judges. */
export interface ExpectationsModel {
  readonly model: LanguageModel | Solver;
  /** `provider:model`; another one for the same file is refused. */
  readonly label: string;
}

/** What is listed, by whom, and into which file. */
export interface ListExpectationsOptions {
  readonly dataset: SchemaDataset;
  /** A JSONL file, one line a requirement; a second start goes on. */
  readonly out: string;
  readonly lister: ExpectationsModel;
  readonly ids?: readonly string[] | undefined;
  /** The first so many of the selected requirements. */
  readonly limit?: number | undefined;
  /** Requirements at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  readonly onProgress?: ((progress: LinesProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has a model list for each requirement what a schema for it must be able to do: at least 20 expectations, 4 events and
 * 3 refusals among them. The model sees the requirement alone, never gold and never a design. A quote that the
 * requirement does not hold is dropped, and its expectation counts as implied. A requirement whose text has changed is
 * listed anew; one that fails is tried again at the next start.
 *
 * @throws AskemaError `INPUT_INVALID` for a selection that fits nothing; `CONFIG_INVALID` where another model began the
 * file; `JOURNAL_INVALID` for a broken file; `JOURNAL_LOCKED` while another process writes it.
 */
export async function listExpectations(options: ListExpectationsOptions): Promise<ExpectationsSummary> {
  const { dataset, out, lister, signal } = options;
  const items = selectItems(dataset.items, options);
  const solver = isLanguageModel(lister.model) ? fromModel(lister.model) : lister.model;
  const filled = await fillLines<SchemaItem, ExpectationsLine>({
    file: out,
    items,
    isLine: (line) => expectationsLine.safeParse(line).success,
    differs: ({ model }) => (model === lister.label ? undefined : `${model} listed, now ${lister.label} would`),
    isDone: ({ requirement }, line) => line.requirementHash === sha256(requirement),
    make: async ({ id, requirement }) => {
      const context = createCallContext({ runId: `expectations-${sha256(requirement)}`, path: id, signal });
      return lineOf(id, requirement, lister.label, await solver.solve(listExpectationsTask, { requirement }, context));
    },
    concurrency: options.concurrency,
    onProgress: options.onProgress,
    signal,
  });
  const problems = dataset.problems.map(({ id = '', message }) => ({ id, message }));
  return expectationsSummary({ ...filled, requirements: items.length, problems });
}

function lineOf(
  id: string,
  requirement: string,
  model: string,
  solved: Solved<ListExpectationsOutput>,
): ExpectationsLine {
  return {
    schemaVersion: 1,
    id,
    requirement,
    requirementHash: sha256(requirement),
    model,
    ...costFields(solved),
    expectations: solved.value.expectations.map((each, at) => withKnownQuote({ number: at + 1, ...each }, requirement)),
  };
}

/** `said` only where the requirement holds the words; an ellipsis may leave some out. */
function withKnownQuote(expectation: Expectation, requirement: string): Expectation {
  const { quote, certainty } = expectation;
  const text = plainName(requirement);
  const parts = quote
    .split(/…|\.{3}/)
    .map(plainName)
    .filter((part) => part !== '');
  const isThere = parts.length > 0 && parts.every((part) => text.includes(part));
  return { ...expectation, quote: isThere ? quote : '', certainty: isThere ? certainty : 'implied' };
}
