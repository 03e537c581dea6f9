import type { QueryResult, Value } from '@askema/core';
import { bandStart } from '../facts/bands.ts';
import { columnFacts } from '../facts/column-facts.ts';
import { approximateOf } from '../facts/numeric.ts';
import { type Cycle, namedPart, type TimeGrain } from '../facts/time-values.ts';

/** Where the values of a column stand along an axis. */
export interface Places {
  readonly kind: 'time' | 'number' | 'part' | 'names';
  readonly grain: TimeGrain | undefined;
  /** Of places that come again. */
  readonly cycle: Cycle | undefined;
  /** Undefined where the cell has no place: NULL, NaN, infinite. */
  of(value: Value | undefined): number | undefined;
}

export function placesOf(result: Pick<QueryResult, 'columns' | 'rows'>, index: number): Places {
  const facts = columnFacts(result, index);
  const { grain, cycle } = { grain: undefined, cycle: undefined, ...facts };
  if (facts?.role === 'time')
    return { kind: 'time', grain, cycle, of: (value) => facts.timeOf(String(value ?? ''))?.at };
  if (facts?.role === 'part') return { kind: 'part', grain, cycle, of: placeInCycle };
  if (facts?.banded === true) return { kind: 'names', grain, cycle, of: (value) => bandStart(String(value ?? '')) };
  return {
    kind: facts?.role === 'measure' || facts?.role === 'id' ? 'number' : 'names',
    ...{ grain, cycle },
    of: (value) => finite(approximateOf(value)),
  };
}

function placeInCycle(value: Value | undefined): number | undefined {
  return finite(approximateOf(value)) ?? namedPart(String(value ?? ''))?.place;
}

const finite = (value: number | undefined): number | undefined => (Number.isFinite(value) ? value : undefined);
