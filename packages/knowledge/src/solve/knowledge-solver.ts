import { type Catalog, type Dialect, type GenerateSqlInput, type Solver, sqlSolver } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge } from '../model/knowledge.ts';
import { answerFromKnowledge } from './answer-from-knowledge.ts';

/**
 * Solves the generate task of text2sql from knowledge alone, without a model, a network or a key: a verified query
 * whose question is the same, else metrics, dimensions, filters and periods that are read by their names and compiled.
 * Only what is accepted and did not fail its last check is used. What it cannot read it declines, with the words that
 * it did not understand.
 *
 * `solve` rejects with `TASK_UNSUPPORTED` for every other task, `INPUT_INVALID` for an input of another shape, and
 * `ABORTED`.
 */
export function knowledgeSolver(knowledge: Knowledge): Solver {
  const usable = usableKnowledge(knowledge).knowledge;
  const catalogs = new WeakMap<Catalog, { readonly dialect: Dialect; readonly bound: BoundKnowledge }>();
  const boundTo = ({ catalog, dialect }: GenerateSqlInput): BoundKnowledge => {
    const known = catalogs.get(catalog);
    if (known?.dialect === dialect) return known.bound;
    const bound = bindKnowledge(usable, { catalog, dialect });
    catalogs.set(catalog, { dialect, bound });
    return bound;
  };
  return sqlSolver('knowledge', (input) => answerFromKnowledge(input, boundTo(input)));
}
