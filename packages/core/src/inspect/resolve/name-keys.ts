import type { Dialect } from '../../adapter/dialect.ts';
import type { NamePart } from '../../ports/query-shape.ts';
import type { AttributeId, RelationId } from '../../schema/schema.ts';
import { foldName, type NameComparison } from '../../schema/schema-id.ts';
import type { SchemaIndex } from '../../schema/schema-index.ts';

/** How the names of one statement are held against each other and against the catalog. */
export interface NameKeys {
  /** The name as the engine stores it: folded where it has no quotes. */
  stored(part: NamePart): string;
  /** Equal for parts that mean the same alias, CTE or column. */
  key(part: NamePart): string;
  /** The same of a name as it is stored. */
  keyOfStored(name: string): string;
  /** The attribute of that key. */
  attribute(relation: RelationId, key: string): AttributeId | undefined;
}

/** A name of a statement as the engine stores it: folded where it has no quotes. */
export function storedName({ lexer, identifiers }: Dialect, { text, quoted }: NamePart): string {
  const unquoted = lexer.nameFolding?.unquoted ?? identifiers.unquotedFolding;
  if (quoted || unquoted === 'none') return text;
  return unquoted === 'upper' ? text.toUpperCase() : text.toLowerCase();
}

/** Names compare without case where the engine or the catalog says so. */
export function nameKeys(dialect: Dialect, index: SchemaIndex): NameKeys {
  const folding = dialect.lexer.nameFolding;
  const ofDialect = folding?.comparison ?? dialect.identifiers.comparison;
  const comparison: NameComparison =
    ofDialect === 'insensitive' || index.nameComparison === 'insensitive' ? 'insensitive' : 'sensitive';
  const byRelation = new Map<RelationId, ReadonlyMap<string, AttributeId>>();

  const stored = (part: NamePart): string => storedName(dialect, part);
  const keyOfStored = (name: string): string => foldName(name, comparison);
  return {
    stored,
    keyOfStored,
    key: (part) => keyOfStored(stored(part)),
    attribute(relation, key) {
      let names = byRelation.get(relation);
      if (names === undefined) {
        const made = new Map<string, AttributeId>();
        for (const { id, name } of index.attributesOf(relation)) {
          const folded = keyOfStored(name);
          if (!made.has(folded)) made.set(folded, id);
        }
        byRelation.set(relation, made);
        names = made;
      }
      return names.get(key);
    },
  };
}
