import type { Dialect } from '../adapter/dialect.ts';
import type { Catalog, TableFamily } from '../catalog/catalog.ts';
import type { AttributeId, RelationId } from '../schema/schema.ts';
import type { Value } from '../values/value.ts';

export interface CompressOptions {
  /** A budget; undefined means everything. */
  readonly maxTokens?: number | undefined;
  /** Decides what stays when there is a budget. */
  readonly question?: string | undefined;
  /** Default: `countTokensRoughly`. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Writes names as this dialect does. An adapter's compressor passes its own; default: standard SQL. */
  readonly dialect?: Pick<Dialect, 'identifiers' | 'lexer'> | undefined;
  /** Example values to show behind attributes. */
  readonly samples?: Readonly<Record<AttributeId, readonly Value[]>> | undefined;
}

/** A catalog as prompt text. */
export interface CompressedCatalog {
  readonly text: string;
  readonly tokens: number;
  readonly families: readonly TableFamily[];
  /** Relations that the budget left out. */
  readonly omitted: readonly RelationId[];
  /** The full description of one relation, by name or id; undefined when there is none. */
  expand(name: string): string | undefined;
}

/** Renders a catalog for a prompt (ReFoRCE, section 3.2.1). Pure. */
export type Compressor = (catalog: Catalog, options?: CompressOptions) => CompressedCatalog;
