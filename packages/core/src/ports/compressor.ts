import type { Catalog, TableFamily } from '../catalog/catalog.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { AttributeId, RelationId } from '../schema/schema.ts';
import type { Value } from '../values/value.ts';

export interface CompressOptions {
  /** A budget; undefined means everything. */
  readonly maxTokens?: number | undefined;
  /** Decides what stays when there is a budget. */
  readonly question?: string | undefined;
  /** Documents that belong to the question; their words count less than its own. */
  readonly knowledge?: string | undefined;
  /** Default: `countTokensRoughly`. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Writes names as this dialect does. An adapter's compressor passes its own; default: standard SQL. */
  readonly dialect?: Pick<Dialect, 'identifiers' | 'lexer'> | undefined;
  /** Example values to show behind attributes. NULL among them says that the attribute has NULLs. */
  readonly samples?: Readonly<Record<AttributeId, readonly Value[]>> | undefined;
  /** Attributes that have no other values than their samples. */
  readonly wholeSamples?: ReadonlySet<AttributeId> | undefined;
  /** The least and the greatest value of an attribute. */
  readonly ranges?: Readonly<Record<AttributeId, readonly [Value, Value]>> | undefined;
  /**
   * `lossless` (default), or one of two that hide columns, for comparison: `paper` merges relations with a common
   * beginning or end of their names (ReFoRCE, section 3.2.1), `v5` those that are equal without digits, from eleven on
   * (the code of its authors).
   */
  readonly preset?: Compression | undefined;
}

/** How relations that look alike are described. */
export const COMPRESSIONS = ['lossless', 'paper', 'v5'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** A catalog as prompt text. */
export interface CompressedCatalog {
  readonly text: string;
  readonly tokens: number;
  readonly families: readonly TableFamily[];
  /** Relations whose columns are not in the text. */
  readonly omitted: readonly RelationId[];
  /** Attributes that are not in the text although their relation is. */
  readonly omittedAttributes?: readonly AttributeId[] | undefined;
  /**
   * The full description of one relation, also of one that was left out; undefined when there is none. By id, or by
   * name in any form that SQL of the dialect has for it: qualified or not, quoted or not. An ambiguous name describes
   * all it fits.
   */
  expand(name: string): string | undefined;
}

/** Renders a catalog for a prompt (ReFoRCE, section 3.2.1). Pure. */
export type Compressor = (catalog: Catalog, options?: CompressOptions) => CompressedCatalog;
