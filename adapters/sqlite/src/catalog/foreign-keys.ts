import {
  type AttributeId,
  attributeId,
  type CatalogGap,
  type ForeignKey,
  foreignKeyId,
  type NameParts,
  type RelationId,
  relationId,
} from '@askema/core';
import type { RawCatalog, RawForeignKeyPart } from '../protocol.ts';

interface ForeignKeyContext {
  /** Relations of the catalog. */
  readonly known: ReadonlySet<RelationId>;
  readonly keys: ReadonlyMap<RelationId, readonly AttributeId[]>;
  readonly passes: (nameParts: NameParts) => boolean;
  /** Receives the keys that cannot be resolved. */
  readonly gaps: CatalogGap[];
}

/**
 * The foreign keys of a database. One without target columns means the target's primary key (https://sqlite.org/foreignkeys.html,
 * section 3); one whose target is missing is a gap. A key to a relation that `include` leaves out is left out with it.
 */
export function buildForeignKeys(raw: RawCatalog, context: ForeignKeyContext): ForeignKey[] {
  const attributes = new Set(raw.attributes.map(([relation, name]) => attributeId(relationId([relation]), name)));
  const found = new Map<string, ForeignKey>();
  for (const parts of groupParts(raw.foreignKeys)) {
    const [first] = parts;
    if (first === undefined) continue;
    const [relationName, , , targetName] = first;
    const relation = relationId([relationName]);
    const target = relationId([targetName]);
    if (!context.known.has(relation) || !context.passes({ relation: targetName })) continue;
    const pairs = context.known.has(target)
      ? pairUp(parts, relation, target, context.keys)
      : 'its target does not exist';
    const reason = typeof pairs === 'string' ? pairs : missingColumn(pairs, attributes, targetName);
    if (typeof pairs === 'string' || reason !== undefined) {
      const columns = parts.map(([, , , , from]) => from);
      context.gaps.push({
        subject: relationName,
        reason: `foreign key (${columns.join(', ')}) to ${targetName}: ${reason}`,
        foreignKey: { attributes: columns, target: targetName },
      });
      continue;
    }
    const id = foreignKeyId(relation, target, pairs);
    if (!found.has(id)) found.set(id, { id, relation, target, pairs });
  }
  return [...found.values()];
}

function groupParts(parts: readonly RawForeignKeyPart[]): Iterable<readonly RawForeignKeyPart[]> {
  const groups = new Map<string, RawForeignKeyPart[]>();
  for (const part of parts) {
    const key = JSON.stringify([part[0], part[1]]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [part]);
    else group.push(part);
  }
  return groups.values();
}

function pairUp(
  parts: readonly RawForeignKeyPart[],
  relation: RelationId,
  target: RelationId,
  keys: ForeignKeyContext['keys'],
): ForeignKey['pairs'] | string {
  const implied = keys.get(target) ?? [];
  if (parts.some(([, , , , , to]) => to === null) && implied.length !== parts.length)
    return `it names no columns of its target, whose primary key has ${implied.length}`;
  return parts.map(([, , , , from, to], index) => ({
    from: attributeId(relation, from),
    to: to === null ? (implied[index] ?? '') : attributeId(target, to),
  }));
}

function missingColumn(
  pairs: ForeignKey['pairs'],
  attributes: ReadonlySet<AttributeId>,
  targetName: string,
): string | undefined {
  return pairs.some(({ to }) => !attributes.has(to)) ? `${targetName} has no such column` : undefined;
}
