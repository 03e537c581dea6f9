import type { RelationId } from './schema.ts';
import type { SchemaIndex } from './schema-index.ts';

/**
 * Relations in an order in which the targets of foreign keys come first, otherwise in the order in which they are
 * given. Of a cycle, the first relation comes last. Relations that are not among `ids` are not followed. Iterative,
 * because chains of keys can be long.
 */
export function referencedFirst(index: SchemaIndex, ids: readonly RelationId[]): RelationId[] {
  const wanted = new Set(ids);
  const visited = new Set<RelationId>();
  const ordered: RelationId[] = [];
  for (const root of ids) {
    if (visited.has(root)) continue;
    visited.add(root);
    const path = [{ id: root, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const key = index.foreignKeysFrom(top.id)[top.next];
      top.next += 1;
      if (key === undefined) {
        ordered.push(top.id);
        path.pop();
      } else if (wanted.has(key.target) && !visited.has(key.target)) {
        visited.add(key.target);
        path.push({ id: key.target, next: 0 });
      }
    }
  }
  return ordered;
}
