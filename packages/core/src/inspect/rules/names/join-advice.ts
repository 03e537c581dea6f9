import type { JoinPath } from '../../../schema/join-path.ts';
import type { AttributeId, RelationId } from '../../../schema/schema.ts';
import { attributeName, relationLabel, relationName } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';

/** Ways longer than this are no advice. */
const MAX_STEPS = 3;
/** Relations of FROM from which a way is looked for. */
const MAX_STARTS = 10;

/** The shortest way along foreign keys from the relations of a block to another, as joins; undefined when there is none. */
export function joinAdvice(query: ResolvedQuery, block: ResolvedBlock, target: RelationId): string | undefined {
  let best: { readonly path: JoinPath; readonly label: string } | undefined;
  for (const [position, resolved] of block.relations.slice(0, MAX_STARTS).entries()) {
    if (resolved.kind !== 'relation') continue;
    const [path] = query.index.joinPaths(resolved.id, target, { limit: 1, maxSteps: MAX_STEPS });
    if (path === undefined || path.length === 0 || path.length >= (best?.path.length ?? MAX_STEPS + 1)) continue;
    best = { path, label: relationLabel(query, { block: block.block.id, relation: position }) };
  }
  if (best === undefined) return undefined;
  const labels = new Map<RelationId, string>();
  const [first] = best.path;
  if (first !== undefined) labels.set(first.from, best.label);
  const labelOf = (id: RelationId): string => labels.get(id) ?? relationName(query, id);
  return best.path
    .map(({ to, foreignKey, from }) => {
      const write = (relation: RelationId, attribute: AttributeId): string =>
        `${labelOf(relation)}.${attributeName(query, attribute)}`;
      const isForward = foreignKey.relation === from;
      const pairs = foreignKey.pairs.map((pair) =>
        isForward
          ? `${write(from, pair.from)} = ${write(to, pair.to)}`
          : `${write(from, pair.to)} = ${write(to, pair.from)}`,
      );
      return `JOIN ${relationName(query, to)} ON ${pairs.join(' AND ')}`;
    })
    .join(' ');
}
