import type { AttributeId, ForeignKeyId, RelationId, Schema } from '../schema/schema.ts';
import type { NameComparison, NameParts } from '../schema/schema-id.ts';

export type RelationKind = 'table' | 'view' | 'materialized view' | 'virtual table' | 'external table';

/** A field inside a nested attribute (STRUCT, ARRAY, VARIANT, JSON). */
export interface NestedField {
  /** From the attribute inwards; an array element is `[]`. */
  readonly path: readonly string[];
  readonly nativeType: string;
  readonly comment?: string | undefined;
}

/** What somebody has put on a relation or an attribute: a policy tag or a label (BigQuery), a tag (Snowflake). */
export interface CatalogTag {
  readonly name: string;
  readonly value?: string | undefined;
}

/** What a live database knows of a relation beyond the 5-tuple. */
export interface RelationInfo {
  readonly nameParts: NameParts;
  readonly kind: RelationKind;
  readonly comment?: string | undefined;
  /** Exact or estimated, as `rowCountExact` says; undefined when unknown. */
  readonly rowCount?: number | undefined;
  readonly rowCountExact?: boolean | undefined;
  readonly byteCount?: number | undefined;
  /** Attributes by which the relation is partitioned or clustered, and whether a query must filter on them. */
  readonly partitioning?:
    | {
        readonly attributes: readonly AttributeId[];
        readonly filterRequired: boolean;
        readonly kind: 'partition' | 'cluster';
      }
    | undefined;
  /** The definition of a view, as stored. */
  readonly definition?: string | undefined;
  /** Tables of which this is a child: who reads them reads it as well (inheritance in PostgreSQL). */
  readonly parents?: readonly NameParts[] | undefined;
  /** Its rows are on another server or come from a program: only a statement that names it reads them. */
  readonly remote?: true | undefined;
  /** Where the introspector was asked for tags and the engine has them; so are those of attributes. */
  readonly tags?: readonly CatalogTag[] | undefined;
}

/** What a live database knows of an attribute beyond the 5-tuple. */
export interface AttributeInfo {
  /** 1-based position in its relation. */
  readonly position: number;
  /** The type as the engine writes it; empty where a column has none (SQLite). */
  readonly nativeType: string;
  readonly comment?: string | undefined;
  /** The default expression, as SQL text. */
  readonly defaultExpression?: string | undefined;
  readonly generated?: 'virtual' | 'stored' | 'identity' | undefined;
  readonly collation?: string | undefined;
  readonly nestedFields?: readonly NestedField[] | undefined;
  /** Its values cannot be read: what looks for values leaves it out. */
  readonly masked?: true | undefined;
  /** Its own and those of the fields inside. */
  readonly tags?: readonly CatalogTag[] | undefined;
}

/** How a key came to be known: enforced by the engine, only declared (warehouses), or inferred from names or data. */
export type KeyStanding = 'enforced' | 'informational' | 'inferred';

/** What speaks for a foreign key that was inferred. */
export interface InferredKeyEvidence {
  /** Of the values that were looked at, 0 to 1. */
  readonly matchedShare: number;
  /** Different values that were looked at; 0 where there are none, so that only names speak. */
  readonly valueCount: number;
}

/** Tables that differ only in a date or number of their name (date shards). */
export interface TableFamily {
  readonly pattern: string;
  readonly members: readonly RelationId[];
}

/** Something that could not be read, so that nobody takes the catalog for whole. */
export interface CatalogGap {
  /** A relation's qualified name, or `catalog`. */
  readonly subject: string;
  readonly reason: string;
  /** `counts`: rows or bytes only, so that no prompt and no answer misses anything. Default: `structure`. */
  readonly affects?: 'structure' | 'counts' | undefined;
  /**
   * A foreign key of `subject` whose target is not there, so that it is missing among the foreign keys; names as
   * written.
   */
  readonly foreignKey?: { readonly attributes: readonly string[]; readonly target: string } | undefined;
}

/**
 * A live database: the Schema 5-tuple and, beside it by id, what only a live database knows. Plain readonly JSON;
 * state, events and IPC hold a catalog by its `fingerprint`, never by value.
 */
export interface Catalog {
  readonly schemaVersion: 1;
  /** The name of the dialect: `sqlite`, `snowflake`, `bigquery`, `postgres`, `duckdb`, or a third party's. */
  readonly dialect: string;
  /** A name to show: a file name, an account and database. Never a secret. */
  readonly name: string;
  readonly nameComparison: NameComparison;
  /** How the names of databases, schemas and relations compare, where that differs from `nameComparison`. */
  readonly relationComparison?: NameComparison | undefined;
  readonly schema: Schema;
  readonly relations: Readonly<Record<RelationId, RelationInfo>>;
  readonly attributes: Readonly<Record<AttributeId, AttributeInfo>>;
  /** UNIQUE over several attributes; over a single one it stands among the domain constraints as well. */
  readonly uniqueKeys: readonly { readonly relation: RelationId; readonly attributes: readonly AttributeId[] }[];
  readonly checks: readonly { readonly relation: RelationId; readonly expression: string }[];
  readonly families: readonly TableFamily[];
  /** Only keys that are not `enforced` are listed. */
  readonly keyStanding: Readonly<Record<RelationId | ForeignKeyId, KeyStanding>>;
  /** Of foreign keys whose standing is `inferred`. */
  readonly inferredKeys?: Readonly<Record<ForeignKeyId, InferredKeyEvidence>> | undefined;
  readonly incomplete: readonly CatalogGap[];
  /** SHA-256 over everything but counts, in hexadecimal: equal structures have equal fingerprints. */
  readonly fingerprint: string;
}
