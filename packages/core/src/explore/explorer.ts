import type { Catalog } from '../catalog/catalog.ts';
import type { Clock } from '../ports/runtime.ts';
import type { AttributeId } from '../schema/schema.ts';
import type { CallContext } from '../task/call-context.ts';
import type { ColumnProfile, JoinProfile, ReadyProbe } from './column-profile.ts';
import type { ReadyProbeOptions } from './ready-probes.ts';

export interface ProfileOptions {
  readonly catalog: Catalog;
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** Rows that are read of a relation at most. Default: {@link EXPLORE_DEFAULTS}. */
  readonly maxRows?: number | undefined;
}

/** What an exploration looks at: values and spellings, keys and joins, attributes that hold fields. */
export type ExploreAspect = 'values' | 'keys' | 'nested';

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
  /** Attributes whose cells the question names (`probeValues`, a value index), best first: they and their relations count more. */
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

/** Bounds that hold when a call names none. */
export const EXPLORE_DEFAULTS = {
  timeoutMs: 10_000,
  statementTimeoutMs: 5_000,
  maxRows: 100_000,
  maxRelations: 6,
  maxAttributes: 48,
  maxJoins: 8,
  maxBytes: 8_000,
} as const satisfies Partial<ExploreOptions>;

/** Explores columns (ReFoRCE, section 3.2.3): what a model need not invent, and exploration without any model. */
export interface Explorer {
  /**
   * What the cells of one attribute look like. Rejects with `INPUT_INVALID` for an attribute that the catalog does not know, and with
   * the errors of the executor.
   */
  profile(attribute: AttributeId, options: ProfileOptions): Promise<ColumnProfile>;
  /** Ready statements from the dialect's skeletons, from simple to nested. */
  probes(attributes: readonly AttributeId[], options: ReadyProbeOptions): readonly ReadyProbe[];
  /**
   * Profiles of what a question seems to be about, chosen by names and comments, within bounds of time, statements and bytes. What cannot
   * be profiled is left out with a warning; rejects only with `ABORTED` and `DATABASE_CLOSED`.
   */
  explore(catalog: Catalog, question: string, options: ExploreOptions): Promise<ExploredCatalog>;
}
