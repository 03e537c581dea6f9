import { determine, type Known } from './determine.ts';
import type { JoinGraph, JoinNode } from './join-graph.ts';

/** Of more relations it is not told which of them repeats the others. */
const MAX_RELATIONS = 32;

/**
 * The relations that repeat what is known: several of their rows may fit one of it, and the catalog says so (a key of theirs is known and
 * the joins do not fix it). Relations that a condition ties to one literal (`colour = 'Blue'`) count as one row, those that other
 * repeating relations determine are left out.
 */
export function repeatingNodes(graph: JoinGraph, known: Known): readonly JoinNode[] {
  if (graph.nodes.length > MAX_RELATIONS) return [];
  const pinned = graph.nodes.filter((node) => isPinned(graph, node)).map(({ relation }) => relation);
  const nodes = [...(known.nodes ?? []), ...pinned];
  const determined = determine(graph, { ...known, nodes }, { trusting: true }).nodes;
  const open = graph.nodes.filter(({ relation, keys }) => !determined.has(relation) && keys !== undefined);
  return open.filter(({ relation }) =>
    open.every(
      (other) =>
        other.relation === relation ||
        !determine(graph, { ...known, nodes: [...nodes, other.relation] }, { trusting: true }).nodes.has(relation) ||
        // Two that determine each other: the first one speaks for both.
        (relation < other.relation &&
          determine(graph, { ...known, nodes: [...nodes, relation] }, { trusting: true }).nodes.has(other.relation)),
    ),
  );
}

/** A relation that others refer to, compared with a literal: a look-up of one thing by its name. */
function isPinned(graph: JoinGraph, node: JoinNode): boolean {
  if (!graph.fixed.some(({ relation }) => relation === node.relation)) return false;
  return graph.links.some(({ left, right }) =>
    [left, right].some(
      (side) =>
        side.relation === node.relation && node.keys?.some((key) => key.length === 1 && key[0] === side.key) === true,
    ),
  );
}
