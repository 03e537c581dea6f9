import {
  AskemaError,
  type CallContext,
  type Catalog,
  GENERATE_SQL_TASK_ID,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  indexSchema,
  type Solved,
  type Solver,
  type Task,
  throwIfAborted,
  UNKNOWN_USAGE,
} from '@askema/core';
import { answerQuestion } from './answer.ts';
import { type LinkedCatalog, linkCatalog } from './link/lattice.ts';

export interface LexicalOptions {
  /**
   * How sure a reading must be: the cost up to which an answer is given. Words that are far from the names of the
   * schema, and names that are far from one another, cost more. Lower means fewer and safer answers. Default 0.75.
   */
  readonly maxCost?: number | undefined;
  /** Two readings whose costs differ by less are a question back to the user. Default 0.05. */
  readonly margin?: number | undefined;
}

/**
 * A deterministic semantic parser that solves the generate task of text2sql without a model, a network or a key: it
 * links the words of the question to names and cells, reads it with a grammar that must account for every word, and
 * writes the statement. What it cannot read it declines, with the words that it did not understand; two readings that
 * are equally likely become a question back.
 *
 * `solve` rejects with `TASK_UNSUPPORTED` for every other task, `INPUT_INVALID` for an input of another shape, and
 * `ABORTED`.
 */
export function lexical(options: LexicalOptions = {}): Solver {
  const catalogs = new WeakMap<Catalog, LinkedCatalog>();
  const linkedOf = ({ catalog, dialect }: GenerateSqlInput): LinkedCatalog => {
    let linked = catalogs.get(catalog);
    if (linked === undefined) {
      linked = linkCatalog(catalog, indexSchema(catalog), dialect);
      catalogs.set(catalog, linked);
    }
    return linked;
  };
  const limits = { maxCost: options.maxCost ?? 0.75, margin: options.margin ?? 0.05 };
  return {
    name: 'lexical',
    needs: ['values'],
    supports: (taskId) => taskId === GENERATE_SQL_TASK_ID,
    async solve<In, Out>(task: Task<In, Out>, input: In, context: CallContext): Promise<Solved<Out>> {
      throwIfAborted(context.signal, 'The lexical solver');
      if (task.id !== GENERATE_SQL_TASK_ID) throw unsupported(task.id);
      const known = checkInput(input);
      const { output, ...more } = answerQuestion(known, linkedOf(known), limits);
      return {
        value: await checkOutput(task, output),
        ...more,
        usage: UNKNOWN_USAGE,
        calls: 0,
        solvedBy: 'lexical',
        warnings: [],
      };
    },
  };
}

function unsupported(taskId: string): AskemaError {
  return new AskemaError(
    'TASK_UNSUPPORTED',
    `The lexical solver answers only the task ${GENERATE_SQL_TASK_ID}, not ${JSON.stringify(taskId)}; use a model for it.`,
  );
}

function checkInput(input: unknown): GenerateSqlInput {
  const candidate = input as Partial<GenerateSqlInput> | null | undefined;
  const complete =
    typeof candidate?.question === 'string' &&
    typeof candidate.catalog?.schema === 'object' &&
    typeof candidate.dialect?.identifiers === 'object';
  if (complete) return input as GenerateSqlInput;
  throw new AskemaError(
    'INPUT_INVALID',
    'The lexical solver needs an input with `question`, `catalog` and `dialect`; see GenerateSqlInput in @askema/core.',
  );
}

/** The task's own output schema has the last word on the shape. */
async function checkOutput<In, Out>(task: Task<In, Out>, answer: GenerateSqlOutput): Promise<Out> {
  const checked = await task.output['~standard'].validate(answer);
  if (checked.issues === undefined) return checked.value;
  throw new AskemaError(
    'TASK_UNSUPPORTED',
    `The output of the task ${task.id} has a different shape than the one of @askema/core that the lexical solver gives: ${checked.issues[0]?.message ?? 'unknown'}.`,
  );
}
