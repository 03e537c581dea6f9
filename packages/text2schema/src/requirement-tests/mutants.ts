import { indexSchema, type Schema, type SchemaBreach, validateSchema } from '@askema/core';
import { lostConnection, oneToManyMadeOneToOne, turnedRound } from './mistakes/connection-mistakes.ts';
import { lostFact, lostThing, requiredFact, wrongType } from './mistakes/fact-mistakes.ts';
import { keyTooLarge, keyTooSmall, manyToManyMadeOneToMany, nothingToldApart } from './mistakes/key-mistakes.ts';
import { mergedThings } from './mistakes/merged-things.ts';
import type { Mistake, MistakePlace } from './mistakes/mistake.ts';

/** The standard mistakes of designers. */
const MISTAKES = {
  'lost fact': lostFact,
  'lost thing': lostThing,
  'lost connection': lostConnection,
  'key too small': keyTooSmall,
  'key too large': keyTooLarge,
  'many to many made one to many': manyToManyMadeOneToMany,
  'one to many made one to one': oneToManyMadeOneToOne,
  'merged things': mergedThings,
  'required fact': requiredFact,
  'nothing told apart': nothingToldApart,
  'wrong type': wrongType,
  'connection turned round': turnedRound,
} as const satisfies Readonly<Record<string, Mistake>>;

/** A standard mistake of designers. */
export type MistakeKind = keyof typeof MISTAKES;

/** A schema with one mistake in it. */
export interface Mutant {
  readonly mistake: MistakeKind;
  /** One sentence in the names of the schema: what the wrong design would do. Who writes a test needs no more. */
  readonly says: string;
  /** Differs in this alone: what it shares with the schema before has its ids and names. */
  readonly schema: Schema;
}

/** How many mutants are made. */
export interface MutantOptions {
  /** At most so many of each mistake, spread over the schema; 2 when left out. */
  readonly perMistake?: number | undefined;
}

/**
 * Plants standard mistakes into a schema, one in each mutant, always the same ones for the same schema. A mutant of a
 * valid schema is valid; of another one it has no breach that was not there before.
 */
export function mutantsOf(schema: Schema, { perMistake = 2 }: MutantOptions = {}): readonly Mutant[] {
  const index = indexSchema(schema);
  const known = new Set(validateSchema(schema).map(nameOfBreach));
  const plant = ({ says, plant: planted }: MistakePlace, mistake: MistakeKind): Mutant | undefined => {
    const made = planted();
    return validateSchema(made).every((breach) => known.has(nameOfBreach(breach)))
      ? { mistake, says, schema: made }
      : undefined;
  };
  return Object.entries(MISTAKES).flatMap(([mistake, placesIn]) => {
    const places = placesIn(index);
    const found = new Map<number, Mutant>();
    for (const at of spreadOver(places.length, perMistake)) {
      if (found.size >= perMistake) break;
      const place = places[at];
      const made = place === undefined ? undefined : plant(place, mistake as MistakeKind);
      if (made !== undefined) found.set(at, made);
    }
    return [...found].sort(([a], [b]) => a - b).map(([, made]) => made);
  });
}

function nameOfBreach({ rule, subject }: SchemaBreach): string {
  return `${rule} ${subject}`;
}

/** All numbers below a count, the beginnings of so many equal parts of it first. */
function spreadOver(count: number, parts: number): readonly number[] {
  const beginnings = Array.from({ length: Math.min(parts, count) }, (_, part) => Math.floor((part * count) / parts));
  return [...new Set([...beginnings, ...Array(count).keys()])];
}
