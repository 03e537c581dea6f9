import type { BoundDataset } from '../bind/bound-knowledge.ts';
import type { Clock } from '../time/read-period.ts';
import type { Word } from '../words/words-of.ts';
import { type Demands, type Draft, EMPTY_DRAFT } from './draft.ts';
import type { Lexicon } from './lexicon.ts';
import type { Link, Meaning } from './meaning.ts';

/** What was read up to a word, and what has to come. */
export interface State {
  readonly at: number;
  readonly draft: Draft;
  /** Only another metric may follow: "revenue and …". */
  readonly listsMetrics?: boolean | undefined;
  /** The word before belongs to a metric. */
  readonly isBehindMetric?: boolean | undefined;
  /** "how many", "total": what the next metric has to be like. */
  readonly demands?: Demands | undefined;
  /** "units have we …": the verb that completes the name of a metric. */
  readonly verb?: string | undefined;
  /** "which city …": the highest of what is still to be said. */
  readonly subject?: { readonly limit: number | undefined } | undefined;
  /** "top 5 cities …": "by" and the metric are still to be said. */
  readonly ranksBy?: boolean | undefined;
}

/** What pieces of the grammar read from. */
export interface QuestionReader {
  readonly words: readonly Word[];
  readonly links: readonly (readonly Link[])[];
  readonly lexicon: Lexicon;
  readonly clock: Clock;
  /** Whether each row of a dataset belongs to at most one of another. */
  readonly reaches: (from: BoundDataset, to: BoundDataset) => boolean;
}

/** A piece of a question: the states in which it can leave a state. */
export type Piece = (state: State, reader: QuestionReader) => readonly State[];

/** The position behind words that a pattern takes from here, which begins with `^`; undefined where it does not. */
export function behind(words: readonly Word[], at: number, pattern: RegExp): number | undefined {
  const text = words
    .slice(at, at + 8)
    .map(({ lower }) => lower)
    .join(' ');
  const match = pattern.exec(text)?.[0].trim();
  return match === undefined || match === '' ? undefined : at + match.split(' ').length;
}

/** Whole words from here: `a|b c`. */
export function phrases(text: string): RegExp {
  return new RegExp(`^(?:${text})(?= |$)`, 'u');
}

export function said(words: readonly Word[], start: number, end: number): string {
  return words
    .slice(start, end)
    .map(({ text }) => text)
    .join(' ');
}

/** The meanings of one kind that begin with a word, each run of words with its own. */
export function meant<Kind extends Meaning['kind']>(
  { links }: QuestionReader,
  at: number,
  kind: Kind,
): readonly { readonly end: number; readonly options: readonly Extract<Meaning, { kind: Kind }>[] }[] {
  return (links[at] ?? []).flatMap(({ end, meanings }) => {
    const options = meanings.filter((meaning): meaning is Extract<Meaning, { kind: Kind }> => meaning.kind === kind);
    return options.length === 0 ? [] : [{ end, options }];
  });
}

/** States that are looked at: more come only of a question that repeats itself. */
const MAX_STATES = 4_000;

export interface AllReadings {
  /** Those that account for every word. */
  readonly drafts: readonly Draft[];
  /** The position behind the last word that anything accounts for. */
  readonly furthest: number;
}

/** All ways to read a question whole. */
export function readAll(reader: QuestionReader, start: readonly State[], pieces: readonly Piece[]): AllReadings {
  const drafts: Draft[] = [];
  const queue: State[] = [...start];
  let furthest = 0;
  for (let place = 0; place < queue.length && place < MAX_STATES; place += 1) {
    const state = queue[place];
    if (state === undefined) break;
    furthest = Math.max(furthest, state.at);
    if (state.at < reader.words.length) queue.push(...pieces.flatMap((piece) => piece(state, reader)));
    else if (isWhole(state)) drafts.push(state.draft);
  }
  return queue.length >= MAX_STATES ? { drafts: [], furthest } : { drafts, furthest };
}

function isWhole({ draft, listsMetrics, demands, verb, subject, ranksBy }: State): boolean {
  const isOpen = listsMetrics === true || ranksBy === true || (demands ?? verb ?? subject) !== undefined;
  return !isOpen && draft.metrics.length > 0;
}

export function startAt(at: number): State {
  return { at, draft: EMPTY_DRAFT };
}
