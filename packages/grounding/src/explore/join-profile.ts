import type { Attribute, Catalog, RelationId, SchemaIndex } from '@askema/core';
import { foldName, type JoinProfile } from '@askema/core';
import { isComparable } from './column-profile.ts';
import { countOf, OutOfTime, type ProfileHost } from './profile-relation.ts';
import { joinStatement } from './profile-statement.ts';

/** Two attributes that relations can be joined on. */
interface JoinCandidate {
  readonly from: Attribute;
  readonly to: Attribute;
  readonly known: JoinProfile['known'];
}

/**
 * The joins among some relations: foreign keys of one attribute first, declared or inferred, then attributes that share
 * the name of another relation's key of one attribute (`customer_id`; a bare `id` says nothing). Where nothing at all
 * declares a key, as in many warehouses, `customer_id` of `customers` counts as one. Composite foreign keys are left out.
 */
export function joinCandidates(
  index: SchemaIndex,
  relations: readonly RelationId[],
  { attributes: catalogAttributes, keyStanding }: Pick<Catalog, 'attributes' | 'keyStanding'>,
): readonly JoinCandidate[] {
  const wanted = new Set(relations);
  const found = new Map<string, JoinCandidate>();
  const note = (from: Attribute | undefined, to: Attribute | undefined, known: JoinProfile['known']): void => {
    if (from === undefined || to === undefined || from.id === to.id) return;
    if (![from, to].every((attribute) => isComparable(attribute, catalogAttributes[attribute.id]))) return;
    const key = `${from.id}>${to.id}`;
    if (!found.has(key)) found.set(key, { from, to, known });
  };
  for (const relation of relations) {
    for (const { id, target, pairs } of index.foreignKeysFrom(relation)) {
      const [pair] = pairs;
      if (pair !== undefined && pairs.length === 1 && wanted.has(target))
        note(
          index.attribute(pair.from),
          index.attribute(pair.to),
          keyStanding[id] === 'inferred' ? 'inferred' : 'declared',
        );
    }
  }
  const declaresKeys = index.schema.primaryKeys.length > 0;
  for (const relation of relations) {
    const key = index.primaryKey(relation)?.attributes ?? [];
    const declared = key.length === 1 && key[0] !== undefined ? index.attribute(key[0]) : undefined;
    const to = declaresKeys ? declared : keyByName(index, relation);
    if (to === undefined || foldName(to.name, 'insensitive') === 'id') continue;
    for (const other of relations) {
      const from = other === relation ? undefined : index.attributeNamed(other, to.name);
      if (from !== undefined && !found.has(`${to.id}>${from.id}`)) note(from, to, 'by name');
    }
  }
  return [...found.values()];
}

/** `customer_id`, `CustomerID` or `customers_id` of `customers`; its uniqueness is counted with the join. */
function keyByName(index: SchemaIndex, relation: RelationId): Attribute | undefined {
  const own = lettersOf(index.relation(relation)?.name ?? '');
  const names = [own, own.replace(/s$/, ''), own.replace(/es$/, ''), own.replace(/ies$/, 'y')].map(
    (name) => `${name}id`,
  );
  return index.attributesOf(relation).find(({ name }) => names.includes(lettersOf(name)));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Counts a join with one statement; undefined where more rows stand than were read, so that the counts would mislead.
 */
export async function profileJoin(host: ProfileHost, candidate: JoinCandidate): Promise<JoinProfile | undefined> {
  const { from, to, known } = candidate;
  const [child, parent] = [host.catalog.relations[from.relation], host.catalog.relations[to.relation]];
  if (child === undefined || parent === undefined) return undefined;
  if ([child, parent].some(({ rowCount }) => rowCount !== undefined && rowCount > host.maxRows)) return undefined;
  const timeoutMs = Math.floor(host.remainingMs());
  if (timeoutMs < 1) throw new OutOfTime();
  host.statements.count += 1;
  const { dialect, maxRows, context } = host;
  const sql = joinStatement(
    { dialect, maxRows, relation: child.nameParts, attribute: from.name },
    { dialect, maxRows, relation: parent.nameParts, attribute: to.name },
  );
  const result = await host.query(sql, { maxRows: 1, maxBytes: 4096, timeoutMs, access: 'read', context });
  const [orphans, most, unmatched, targets, different, read] = (result.rows[0] ?? []).map(countOf);
  if (targets === undefined || read === undefined || targets >= maxRows || read >= maxRows) return undefined;
  return {
    from: from.id,
    to: to.id,
    known,
    orphanCount: orphans ?? 0,
    mostRows: most ?? 0,
    unmatchedCount: unmatched ?? 0,
    targetCount: targets,
    isTargetUnique: different === targets,
  };
}
