import type { Catalog } from '../catalog/catalog.ts';
import type { CallContext } from '../context/call-context.ts';
import type { AttributeId } from '../schema/schema.ts';
import type { Value } from '../values/value.ts';
import type { Clock } from './runtime.ts';

/** What the cells of one attribute look like. Counts are those of the rows that were read; see `sampled`. */
export interface ColumnProfile {
  /** Rows that were read. */
  readonly rowCount: number;
  /** True when the relation has more rows than were read: the first ones then speak for all. */
  readonly sampled?: boolean | undefined;
  /** NULL is not a value. Undefined for nested and binary attributes, which not every engine compares. */
  readonly distinctCount?: number | undefined;
  readonly nullCount: number;
  readonly minimum?: Value | undefined;
  readonly maximum?: Value | undefined;
  /** The most frequent ones first; texts are cut to {@link CELL_CHARACTERS}. */
  readonly commonValues: readonly { readonly value: Value; readonly count: number }[];
  /** Of attributes of text. */
  readonly text?: TextProfile | undefined;
  /** How the common values are written, most frequent first; see `shapeOf`. */
  readonly shapes?: readonly string[] | undefined;
}

/** How texts are spelled. */
interface TextProfile {
  /** Cells that hold a text without characters. */
  readonly emptyCount: number;
  /** Cells that begin or end with a blank. */
  readonly paddedCount: number;
  /**
   * Distinct values when neither case nor blanks around them count; fewer than `distinctCount` means mixed spellings.
   */
  readonly foldedCount: number;
  /** What all common values are, though they are stored as text. */
  readonly holds?: 'numbers' | 'JSON' | undefined;
}

/** How two relations join, counted. */
export interface JoinProfile {
  readonly from: AttributeId;
  readonly to: AttributeId;
  /** `declared` by a foreign key, `inferred` by names and values, else both attributes only share the name of a key. */
  readonly known: 'declared' | 'inferred' | 'by name';
  /** Rows whose value has no counterpart in `to`: an inner join loses them. */
  readonly orphanCount: number;
  /** The most rows of `from` that one value of `to` meets: a join repeats the row of `to` so often. */
  readonly mostRows: number;
  /** Values of `to` that no row of `from` has: only an outer join keeps them. */
  readonly unmatchedCount: number;
  /** Rows of the relation of `to`. */
  readonly targetCount: number;
  /** Whether each value of `to` stands in one row; otherwise a join multiplies in both directions. */
  readonly isTargetUnique: boolean;
}

/** A statement that is ready to run, and what it would show. */
export interface ReadyProbe {
  /** The name of the dialect's skeleton that it was made from. */
  readonly kind: string;
  readonly sql: string;
  readonly purpose: string;
  readonly attributes: readonly AttributeId[];
}

/** What {@link Explorer.probes} is asked for. */
export interface ReadyProbeOptions {
  readonly catalog: Catalog;
  /** Rows of each. Default 20. */
  readonly limit?: number | undefined;
  /** A text to look for in attributes of text, with any characters around it. */
  readonly search?: string | undefined;
  /** Attributes of text that hold JSON, as a profile found out. */
  readonly nested?: readonly AttributeId[] | undefined;
}

interface ProfileOptions {
  readonly catalog: Catalog;
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** Rows that are read of a relation at most. Default: {@link EXPLORE_DEFAULTS}. */
  readonly maxRows?: number | undefined;
}

/** What an exploration looks at: values and spellings, keys and joins, attributes that hold fields. */
type ExploreAspect = 'values' | 'keys' | 'nested';

export interface ExploreOptions {
  readonly context: CallContext;
  /** For all statements together; what was found until then is returned. */
  readonly timeoutMs?: number | undefined;
  /** For one statement. */
  readonly statementTimeoutMs?: number | undefined;
  readonly maxRows?: number | undefined;
  readonly maxRelations?: number | undefined;
  readonly maxAttributes?: number | undefined;
  readonly maxJoins?: number | undefined;
  /** Of the text, in UTF-8. */
  readonly maxBytes?: number | undefined;
  /** Default: all. */
  readonly aspects?: readonly ExploreAspect[] | undefined;
  /**
   * Attributes whose cells the question names (`probeValues`, a value index), best first: they and their relations
   * count more.
   */
  readonly mentioned?: readonly AttributeId[] | undefined;
  /** Instead of those that the question suggests. */
  readonly attributes?: readonly AttributeId[] | undefined;
  readonly clock?: Clock | undefined;
}

/** What an exploration without a model found out. */
export interface ExploredCatalog {
  /** Profiles as prompt text; data of the database, to be put inside `fence()`. Empty when nothing was found. */
  readonly text: string;
  readonly profiles: Readonly<Record<AttributeId, ColumnProfile>>;
  readonly joins: readonly JoinProfile[];
  /** What was looked at, whether it could be profiled or not. */
  readonly attributes: readonly AttributeId[];
  /** Statements that were sent. */
  readonly executions: number;
  /** What is missing, and why. */
  readonly warnings: readonly string[];
}

/** Explores columns (ReFoRCE, section 3.2.3): what a model need not invent, and exploration without any model. */
export interface Explorer {
  /**
   * What the cells of one attribute look like. Rejects with `INPUT_INVALID` for an attribute that the catalog does not
   * know, and with the errors of the executor.
   */
  profile(attribute: AttributeId, options: ProfileOptions): Promise<ColumnProfile>;
  /** Ready statements from the dialect's skeletons, from simple to nested. */
  probes(attributes: readonly AttributeId[], options: ReadyProbeOptions): readonly ReadyProbe[];
  /**
   * Profiles of what a question seems to be about, chosen by names and comments, within bounds of time, statements and
   * bytes. What cannot be profiled is left out with a warning; rejects only with `ABORTED` and `DATABASE_CLOSED`.
   */
  explore(catalog: Catalog, question: string, options: ExploreOptions): Promise<ExploredCatalog>;
}
