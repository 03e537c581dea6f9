import { type Catalog, type GenerateSqlInput, indexSchema, type Solver, sqlSolver } from '@askema/core';
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
  return sqlSolver('lexical', (input) => answerQuestion(input, linkedOf(input), limits));
}
