import type { RelationId } from '../../../schema/schema.ts';
import { splitWords } from '../../../text/split-words.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';

/** A relation that the question names and the statement does without. */
export interface AskedRelation {
  readonly relation: RelationId;
  /** The relation of the statement that a key connects it with. */
  readonly neighbour: RelationId;
  /** The words of the question. */
  readonly words: string;
}

/**
 * Relations whose whole name stands in the question, that a foreign key connects with a relation of the statement, and that nothing in the
 * statement stands for: no relation and no attribute of its relations has those words in its name, no reference to it is read.
 */
export function askedRelations(query: ResolvedQuery): readonly AskedRelation[] {
  const { index, question } = query;
  if (question === undefined) return [];
  const used = new Set<RelationId>();
  for (const { relations } of query.blocks)
    for (const relation of relations) {
      if (relation.kind === 'relation') used.add(relation.id);
      else if (relation.kind !== 'block') return [];
    }
  const asked = ` ${splitWords(question).join(' ')} `;
  const standIns = [...used].flatMap((id) => [
    splitWords(index.relation(id)?.name ?? ''),
    ...index.attributesOf(id).map(({ name }) => splitWords(name)),
  ]);
  const found: AskedRelation[] = [];
  for (const neighbour of used)
    for (const relation of index.neighbours(neighbour)) {
      if (used.has(relation) || found.some((one) => one.relation === relation)) continue;
      const words = splitWords(index.relation(relation)?.name ?? '');
      if (words.length === 0 || !asked.includes(` ${words.join(' ')} `)) continue;
      if (isReferredByUse(query, relation) || isBridge(query, neighbour)) continue;
      if (standIns.some((names) => words.every((word) => names.some((name) => name.startsWith(word))))) continue;
      found.push({ relation, neighbour, words: words.join(' ') });
    }
  return found;
}

/** True where the statement reads an attribute that refers to the relation: its key stands for it. */
function isReferredByUse({ index, blocks }: ResolvedQuery, relation: RelationId): boolean {
  const keys = index.foreignKeysTo(relation).flatMap(({ pairs }) => pairs.map(({ from }) => from));
  return blocks.some(({ columns }) =>
    columns.some((column) => column.kind === 'attribute' && keys.includes(column.attribute)),
  );
}

/** A relation of nothing but references stands for what it connects. */
function isBridge({ index }: ResolvedQuery, relation: RelationId): boolean {
  const keys = index.foreignKeysFrom(relation);
  const references = new Set(keys.flatMap(({ pairs }) => pairs.map(({ from }) => from)));
  return (
    keys.length > 1 && index.attributesOf(relation).every(({ id, name }) => references.has(id) || /^id$/i.test(name))
  );
}
