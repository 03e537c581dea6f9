import type { Breach } from './breach.ts';
import { findCircles } from './circles.ts';
import { findFloorBreaches } from './floor-breaches.ts';
import { readModuleGraph } from './module-graph.ts';
import { findUnused } from './unused.ts';

/** All that breaks the structure of the workspace at `root`, by package. */
export async function checkStructure(root: string): Promise<Breach[]> {
  const graph = await readModuleGraph(root);
  const breaches = [...findCircles(graph), ...findFloorBreaches(graph), ...findUnused(root, graph)];
  return breaches.sort((a, b) => a.package.localeCompare(b.package));
}

/** Breaches as people read them. */
export function printBreaches(breaches: readonly Breach[]): string {
  if (breaches.length === 0) return 'The structure holds: no circle, no import against a floor, nothing unused.';
  const packages = [...new Set(breaches.map(({ package: owner }) => owner))];
  const groups = packages.map((name) => {
    const found = breaches.filter(({ package: owner }) => owner === name);
    return `${name}\n${found.map(({ rule, message }) => `  ${rule}: ${message.replaceAll('\n', '\n  ')}`).join('\n')}`;
  });
  return `${groups.join('\n\n')}\n\n${breaches.length} breaches of the structure.`;
}
