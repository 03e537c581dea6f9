import type { AggregateFunction } from '../lexicon/aggregates.ts';
import type { Comparison } from '../lexicon/comparisons.ts';
import type { Dimension } from '../lexicon/dimensions.ts';
import type { Direction } from '../lexicon/order-cues.ts';
import type { TimeUnit } from '../lexicon/time-units.ts';
import type { TermMention, ValueMention } from '../link/links.ts';
import type { TimeSpan } from '../tokenise/read-time.ts';

/**
 * What a question says, before it is decided what each of its words denotes in the database. `cost` of a frame grows
 * with every reading that is less likely than another one.
 */
export interface Frame {
  /** What is asked for, in order. Never empty. */
  readonly outputs: readonly Output[];
  /** Conditions, groups and orders that belong to the question as a whole. */
  readonly modifiers: readonly Modifier[];
  /** The entity of a first sentence, when a second one says what to list of it. */
  readonly subject?: Phrase | undefined;
  readonly cost: number;
}

/** `part` of what the phrase says, in percent: "the percentage of orders that were cancelled". */
export interface ShareOutput {
  readonly kind: 'share';
  readonly phrase: Phrase;
  readonly part: Modifier;
}

export type Output = ShareOutput | PhraseOutput | AggregateOutput | CountOutput | MeasureOutput | MomentOutput;

/** "When was X launched": the time that a verb names. */
interface MomentOutput {
  readonly kind: 'moment';
  readonly verb: TermMention;
  readonly phrase: Phrase;
}

/** "How old is X": the attribute that an adjective measures. */
interface MeasureOutput {
  readonly kind: 'measure';
  readonly dimension: Dimension;
  /** Added up over the rows of the entity: "how much did X spend". */
  readonly summed?: boolean | undefined;
  /** "When was the first order of X". */
  readonly function?: AggregateFunction | undefined;
  readonly phrase: Phrase;
}

/** An attribute, or an entity by its name. */
interface PhraseOutput {
  readonly kind: 'phrase';
  readonly phrase: Phrase;
}

interface AggregateOutput {
  readonly kind: 'aggregate';
  readonly function: AggregateFunction;
  readonly phrase: Phrase;
}

/** How many; without a phrase, of what a superlative has counted ("and how many does it have"). */
export interface CountOutput {
  readonly kind: 'count';
  readonly phrase?: Phrase | undefined;
  /** "total tracks" counts tracks, but adds up credits: only an entity is counted. */
  readonly entityOnly?: boolean | undefined;
}

/** A noun with everything that is said about it. Two phrases are the same only when they are the same object. */
export interface Phrase {
  /** Undefined for pronouns and for cells that stand alone. */
  readonly head?: TermMention | undefined;
  /** "they", "someone": the entity is named elsewhere. */
  readonly pronoun: boolean;
  readonly distinct: boolean;
  readonly each: boolean;
  /** "five customers", "top 5". */
  readonly count?: number | undefined;
  /** "top" stood in front: a sort key behind "by" sorts downwards. */
  readonly top: boolean;
  /** Cells and literals in apposition: "female students", "course ACCT-211", "grade 10". */
  readonly values: readonly ValueOperand[];
  /** The values stand behind "of": "the state of Indiana", but also "the manager of Uma". */
  readonly valuesBehindOf?: boolean | undefined;
  /** "name of the singer", "the owner's name". */
  readonly owner?: Phrase | undefined;
  /** "each team's city": what stands in front belongs to the owner. */
  readonly possessive?: boolean | undefined;
  readonly modifiers: readonly Modifier[];
}

/** A cell that the words mean, or a literal that no cell was found for. */
export type ValueOperand =
  | { readonly kind: 'cell'; readonly mention: ValueMention }
  | { readonly kind: 'number'; readonly value: number; readonly text: string; readonly unit?: string | undefined }
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean };

export type Operand =
  | ValueOperand
  | { readonly kind: 'time'; readonly span: TimeSpan; readonly text: string }
  /** "the average", of the attribute that is compared. */
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly phrase?: Phrase | undefined };

export type Quantifier =
  /** `definite`: "with the price", which does not ask whether there is one. */
  | { readonly kind: 'some'; readonly definite?: boolean | undefined }
  | { readonly kind: 'none' }
  | { readonly kind: 'count'; readonly comparison: Comparison; readonly number: number };

/** What is measured: an attribute by its name, or by an adjective. */
export type Measure =
  | { readonly kind: 'term'; readonly phrase: Phrase; readonly function?: AggregateFunction | undefined }
  | { readonly kind: 'dimension'; readonly dimension: Dimension; readonly summed?: boolean | undefined }
  /** `done`: by a verb ("ordered the most"), which may mean how often or how much. */
  | { readonly kind: 'count'; readonly phrase?: Phrase | undefined; readonly done?: boolean | undefined };

export type Modifier =
  | RelatedModifier
  | CompareModifier
  | ValuesModifier
  | LikeModifier
  | NullModifier
  | SuperlativeModifier
  | TimeModifier
  | FlagModifier
  | { readonly kind: 'group'; readonly phrase: Phrase }
  | TimeGroupModifier
  | OrderModifier
  /** "orders but no reviews". */
  | { readonly kind: 'all'; readonly modifiers: readonly Modifier[] }
  | { readonly kind: 'either'; readonly options: readonly (readonly Modifier[])[] };

/** "with a dog", "who have no orders", "used by at least two documents". */
export interface RelatedModifier {
  readonly kind: 'related';
  readonly phrase: Phrase;
  readonly quantifier: Quantifier;
  /** A verb that names something in the schema. */
  readonly verb?: TermMention | undefined;
  /** "with", "have": a bare attribute behind it asks whether it is there. */
  readonly having: boolean;
}

export interface CompareModifier {
  readonly kind: 'compare';
  readonly measure: Measure;
  readonly comparison: Comparison;
  readonly operand: Operand;
  /** The upper end of "between". */
  readonly upper?: Operand | undefined;
}

/** "from France", "is not female", "either English or Dutch". */
export interface ValuesModifier {
  readonly kind: 'values';
  readonly phrase?: Phrase | undefined;
  readonly verb?: TermMention | undefined;
  readonly values: readonly ValueOperand[];
  readonly connective: 'any' | 'all';
  readonly negated: boolean;
}

/** "discontinued products": an attribute that is true or false. */
interface FlagModifier {
  readonly kind: 'flag';
  readonly phrase: Phrase;
  readonly negated: boolean;
}

export interface LikeModifier {
  readonly kind: 'like';
  readonly phrase: Phrase;
  readonly position: 'start' | 'end' | 'inside';
  readonly text: string;
  readonly negated: boolean;
}

interface NullModifier {
  readonly kind: 'null';
  readonly phrase: Phrase;
  readonly negated: boolean;
}

/** "the oldest", "with the most orders", "with the highest price". */
export interface SuperlativeModifier {
  readonly kind: 'superlative';
  readonly measure: Measure;
  readonly end: 'high' | 'low';
}

export interface TimeModifier {
  readonly kind: 'time';
  readonly comparison: Comparison;
  readonly span: TimeSpan;
  readonly text: string;
  /** "released", "hired". */
  readonly verb?: TermMention | undefined;
  /** "not since May"; `comparison` is that of the words without "not". */
  readonly negated?: boolean | undefined;
}

/** "per month", "quarterly". */
interface TimeGroupModifier {
  readonly kind: 'time-group';
  readonly unit: TimeUnit;
  readonly text: string;
  /** "shipped per month". */
  readonly verb?: TermMention | undefined;
}

interface OrderModifier {
  readonly kind: 'order';
  readonly keys: readonly OrderKey[];
  /** Nothing but "by" says so. */
  readonly loose?: boolean | undefined;
}

export interface OrderKey {
  readonly measure: Measure;
  /** Undefined when the question does not say: ascending, or descending behind "top". */
  readonly direction?: Direction | undefined;
}
