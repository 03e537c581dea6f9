import type { QueryResult, Value } from '@askema/core';
import { columnFacts } from '../facts/column-facts.ts';
import { approximateOf } from '../facts/numeric.ts';
import { namedPart, type TimeGrain, timePointOf } from '../facts/time-values.ts';

/** Where the values of a column stand along an axis. */
export interface Places {
  readonly kind: 'time' | 'number' | 'names';
  readonly grain: TimeGrain | undefined;
  /** Undefined where the cell has no place: NULL, NaN, infinite. */
  of(value: Value | undefined): number | undefined;
}

export function placesOf(result: Pick<QueryResult, 'columns' | 'rows'>, index: number): Places {
  const facts = columnFacts(result, index);
  if (facts?.role === 'time')
    return { kind: 'time', grain: facts.grain, of: (value) => timePointOf(String(value ?? ''))?.at };
  if (facts?.role === 'part') return { kind: 'names', grain: undefined, of: placeInCycle };
  return {
    kind: facts?.role === 'measure' || facts?.role === 'id' ? 'number' : 'names',
    grain: undefined,
    of: (value) => finite(approximateOf(value)),
  };
}

function placeInCycle(value: Value | undefined): number | undefined {
  return finite(approximateOf(value)) ?? namedPart(String(value ?? ''))?.place;
}

const finite = (value: number | undefined): number | undefined => (Number.isFinite(value) ? value : undefined);
