import type { EntityLink, EntityNode } from './meaning.ts';

/** Links that were followed already, each by its child: a link has one, and a copy of the link has the same. */
export type ClosedLinks = ReadonlySet<EntityNode>;

/** The links from a node down to another one. */
export function chainTo(from: EntityNode, to: EntityNode): readonly EntityLink[] {
  const chain: EntityLink[] = [];
  let node = to;
  for (; node !== from && node.up !== undefined; node = node.up.parent) chain.unshift(node.up);
  return node === from ? chain : [];
}

function neighbours(node: EntityNode): readonly EntityLink[] {
  return node.up === undefined ? node.links : [...node.links, node.up];
}

export function holdsAny(node: EntityNode, wanted: ReadonlySet<EntityNode>, closed: ClosedLinks): boolean {
  if (wanted.has(node)) return true;
  return neighbours(node).some((link) => {
    if (closed.has(link.child) || link.quantifier.kind !== 'some') return false;
    return holdsAny(link.parent === node ? link.child : link.parent, wanted, new Set([...closed, link.child]));
  });
}

/** True when leaving the node out would lose something that the question says. */
export function addsConditions(node: EntityNode, via: EntityLink, closed: ClosedLinks): boolean {
  if (node.conditions.length > 0 || via.required) return true;
  return neighbours(node).some((link) => {
    if (closed.has(link.child)) return false;
    if (link.quantifier.kind !== 'some') return link.parent === node;
    return addsConditions(link.parent === node ? link.child : link.parent, link, new Set([...closed, link.child]));
  });
}

export function isLeaf(node: EntityNode, via: EntityLink): boolean {
  return (
    node === via.child && via.edge.direction === 'forward' && node.conditions.length === 0 && node.links.length === 0
  );
}

/** Nodes of which there is exactly one for each row of this node. */
export function reachableNodes(from: EntityNode, closed: ClosedLinks = new Set()): ReadonlySet<EntityNode> {
  const reached = new Set([from]);
  const queue = [from];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const link of neighbours(node)) {
      if (closed.has(link.child) || link.quantifier.kind !== 'some') continue;
      const down = link.parent === node;
      const other = down ? link.child : link.parent;
      if (reached.has(other) || !(down ? link.edge.functional : link.edge.backFunctional)) continue;
      reached.add(other);
      queue.push(other);
    }
  }
  return reached;
}
