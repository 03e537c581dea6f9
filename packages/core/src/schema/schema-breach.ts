/** Every way in which a schema can break Definition 1, or what makes it useless. The list is closed. */
export const SCHEMA_RULES = [
  'relation-id-duplicate',
  'relation-name-duplicate',
  'relation-name-empty',
  'relation-without-attributes',
  'relation-without-key',
  'attribute-id-duplicate',
  'attribute-name-duplicate',
  'attribute-name-empty',
  'attribute-type-unknown',
  'attribute-of-no-relation',
  'primary-key-of-no-relation',
  'primary-key-duplicate',
  'primary-key-empty',
  'primary-key-attribute-missing',
  'primary-key-attribute-foreign',
  'primary-key-attribute-repeated',
  'foreign-key-id-duplicate',
  'foreign-key-relation-missing',
  'foreign-key-target-missing',
  'foreign-key-empty',
  'foreign-key-attribute-missing',
  'foreign-key-attribute-foreign',
  'foreign-key-pair-repeated',
  'foreign-key-type-mismatch',
  'foreign-key-target-only-unique',
  'foreign-key-target-no-key',
  'domain-constraint-attribute-missing',
  'domain-constraint-duplicate',
  'domain-constraint-unknown',
] as const;

/** A rule of {@link SCHEMA_RULES}. */
export type SchemaRule = (typeof SCHEMA_RULES)[number];

/** One breach of one rule. */
export interface SchemaBreach {
  readonly rule: SchemaRule;
  /** `warning` for what live databases do lawfully, and only where a catalog is judged. */
  readonly severity: 'error' | 'warning';
  /** The id of the relation, attribute or foreign key that is at fault. */
  readonly subject: string;
  /** What is wrong, with names, and what would be right. */
  readonly message: string;
}

/**
 * What engines allow and the paper does not: no key, a foreign key to a unique key, types that only compare after a
 * conversion, a table without columns (PostgreSQL), a foreign key to nothing (SQLite; also where only a part of the
 * database was read).
 */
export const LAWFUL_IN_CATALOGS: ReadonlySet<SchemaRule> = new Set<SchemaRule>([
  'relation-name-empty',
  'relation-without-attributes',
  'relation-without-key',
  'attribute-name-empty',
  'foreign-key-target-missing',
  'foreign-key-attribute-missing',
  'foreign-key-pair-repeated',
  'foreign-key-type-mismatch',
  'foreign-key-target-only-unique',
  'foreign-key-target-no-key',
]);
