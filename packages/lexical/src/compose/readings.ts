import type { Dialect } from '@askema/core';
import type { Frame } from '../interpret/frame.ts';
import type { Parse } from '../interpret/reader.ts';
import type { Lattice, LinkedCatalog } from '../link/lattice.ts';
import { stems } from '../tokenise/lemma.ts';
import type { Query } from '../write/query.ts';
import { writeSql } from '../write/write-sql.ts';
import { assign } from './assign.ts';
import { buildMeaning } from './build.ts';
import type { RouteChooser } from './builder.ts';
import { explainStuck } from './explain-stuck.ts';
import { planMeaning } from './plan.ts';
import { slotsOf } from './slots.ts';

/** A whole reading of the question, as a statement. */
export interface Reading {
  readonly sql: string;
  readonly query: Query;
  /** What the reader must know about how the question was read. */
  readonly notes: readonly string[];
  readonly cost: number;
}

export interface Readings {
  /** Different statements, cheapest first. */
  readonly readings: readonly Reading[];
  /** What stood against the cheapest reading that failed, as a sentence. */
  readonly problem: string;
}

/** Frames that are tried, and ways through parallel keys of one assignment. */
const MAX_FRAMES = 60;
const MAX_VARIANTS = 6;

/** A reading that came to a statement's door says more than one that found no column. */
const STUCK = 0.3;

function failure(what: string): string {
  return `The question was read, but this solver cannot answer it: it could not make out ${what}.`;
}

/** Every statement that the frames of a question can mean. */
export function readingsOf(
  frames: readonly Parse<Frame>[],
  lattice: Lattice,
  linked: LinkedCatalog,
  dialect: Dialect,
): Readings {
  const found = new Map<string, Reading>();
  const words = questionWords(lattice);
  let problem: { readonly text: string; readonly cost: number } | undefined;
  const note = (text: string, cost: number): void => {
    if (problem === undefined || cost < problem.cost) problem = { text, cost };
  };
  const cheapest = [...frames].sort((a, b) => a.cost - b.cost).slice(0, MAX_FRAMES);
  for (const { value: frame, cost: frameCost } of cheapest) {
    const { slots, subject } = slotsOf(frame);
    const { assignments, stuck } = assign(slots, linked);
    if (stuck !== undefined) note(explainStuck(stuck, linked), frameCost + STUCK);
    for (const assignment of assignments) {
      const cost = frameCost + assignment.cost;
      for (const chooser of variants()) {
        const { meaning, problems } = buildMeaning({
          frame,
          subject,
          linked,
          assignment,
          chooser,
          words,
          unsearched: lattice.unsearched,
        });
        const plan = meaning === undefined ? { problem: problems[0] ?? 'nothing' } : planMeaning(meaning, linked);
        if (plan.query === undefined || meaning === undefined) {
          note(failure(plan.problem ?? 'the words'), cost);
        } else {
          const sql = writeSql(plan.query, { catalog: linked.catalog, index: linked.index, dialect });
          const known = found.get(sql);
          const whole = cost + plan.cost;
          if (known === undefined || whole < known.cost)
            found.set(sql, { sql, query: plan.query, cost: whole, notes: [...meaning.notes, ...plan.notes] });
        }
        if (!chooser.advance()) break;
      }
    }
  }
  const readings = [...found.values()].sort((a, b) => a.cost - b.cost);
  return { readings, problem: problem?.text ?? failure('the words') };
}

/** Goes through all combinations of choices like an odometer. */
interface Variants extends RouteChooser {
  /** Prepares the next combination; false when there is none. */
  advance(): boolean;
}

function* variants(): Generator<Variants> {
  let digits: number[] = [];
  let bases: number[] = [];
  for (let round = 0; round < MAX_VARIANTS; round += 1) {
    let position = 0;
    bases = [];
    let more = false;
    const current = digits;
    yield {
      pick(count) {
        const place = position;
        position += 1;
        bases[place] = count;
        return Math.min(current[place] ?? 0, count - 1);
      },
      advance() {
        const next = bases.map((_, place) => current[place] ?? 0);
        let place = next.length - 1;
        while (place >= 0 && (next[place] ?? 0) + 1 >= (bases[place] ?? 1)) {
          next[place] = 0;
          place -= 1;
        }
        if (place >= 0) next[place] = (next[place] ?? 0) + 1;
        more = place >= 0;
        digits = next;
        return more;
      },
    };
    if (!more) return;
  }
}

function questionWords(lattice: Lattice): ReadonlySet<string> {
  const words = new Set<string>();
  for (const token of lattice.tokens) {
    if (token.kind !== 'word') continue;
    words.add(token.lemma);
    for (const form of stems(token.lower)) words.add(form);
  }
  return words;
}
