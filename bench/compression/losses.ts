import type { RelationId } from '@askema/core';
import type { Columns } from './digit-stripping.ts';

/** What a text tells of the relations of one catalog, or of several added up. */
export interface Losses {
  readonly relations: number;
  /** Relations whose name the text has. */
  readonly named: number;
  /** Relations of which it tells every column with its type, and no other. */
  readonly told: number;
  /** Columns that it does not tell of their relation. */
  readonly hidden: number;
  /** Columns that it tells of a relation that has no such column, or one of another type. */
  readonly wrong: number;
}

export const NO_LOSSES: Losses = { relations: 0, named: 0, told: 0, hidden: 0, wrong: 0 };

export function addLosses(one: Losses, other: Losses): Losses {
  return {
    relations: one.relations + other.relations,
    named: one.named + other.named,
    told: one.told + other.told,
    hidden: one.hidden + other.hidden,
    wrong: one.wrong + other.wrong,
  };
}

/** Compares what a reader knows with what there is. The keys of both are the same kind of name. */
export function findLosses(there: ReadonlyMap<RelationId, Columns>, told: ReadonlyMap<RelationId, Columns>): Losses {
  let losses = NO_LOSSES;
  for (const [relation, columns] of there) {
    const known = told.get(relation);
    let hidden = 0;
    let wrong = 0;
    for (const name of columns.keys()) if (known?.has(name) !== true) hidden += 1;
    for (const [name, type] of known ?? []) if (columns.get(name) !== type) wrong += 1;
    const isTold = known !== undefined && hidden + wrong === 0;
    losses = addLosses(losses, {
      relations: 1,
      named: known === undefined ? 0 : 1,
      told: isTold ? 1 : 0,
      hidden,
      wrong,
    });
  }
  return losses;
}
