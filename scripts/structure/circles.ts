import type { Breach } from './breach.ts';
import type { ModuleGraph, SourceModule } from './module-graph.ts';

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** `a/x.ts imports b/y.ts`, below the folder that holds both. */
  readonly imports: Set<string>;
  isTypeOnly: boolean;
}

/**
 * No two folders import each other in a circle, types included. What is compared are neighbours: in each folder of a
 * package, from `src` down, its files and its sub-folders, a sub-folder with all that it holds. A circle counts when it
 * passes through a sub-folder, or stands directly in `src`, where a file is a room of its own. Files of one folder
 * below that may know each other: they are one subject. An entry point re-exports, so it imports its neighbours, and a
 * neighbour that imports it closes a circle like any other. What only serves tests is left out.
 *
 * Each circle is reported at its arrow of fewest imports; that arrow then counts as cut, until no circle is left. An
 * arrow that need not be cut after all, because later cuts opened its circles too, is not reported.
 */
export function findCircles({ modules }: ModuleGraph): Breach[] {
  const folders = new Map<string, Map<string, Arrow>>();
  for (const module of modules.values()) {
    if (module.isSource) addArrows(module, modules, folders);
  }
  return [...folders].flatMap(([folder, arrows]) =>
    cutCircles(folder, arrows).map(
      ({ arrow, path }): Breach => ({
        rule: 'circle',
        package: folder.split('/', 2).join('/'),
        message: describe(folder, arrow, path),
      }),
    ),
  );
}

interface Circle {
  /** Where it is cut. */
  readonly arrow: Arrow;
  /** From the end of the arrow back to its start. */
  readonly path: readonly string[];
}

function cutCircles(folder: string, arrows: ReadonlyMap<string, Arrow>): Circle[] {
  let left = [...arrows.values()].sort((a, b) => a.imports.size - b.imports.size || keyOf(a).localeCompare(keyOf(b)));
  const circles: Circle[] = [];
  for (let circle = nextCircle(folder, left); circle; circle = nextCircle(folder, left)) {
    const { arrow } = circle;
    circles.unshift(circle);
    left = left.filter((other) => other !== arrow);
  }
  return circles.filter(({ arrow }) => {
    if (shortestPath(arrow.to, arrow.from, left)) return true;
    left.push(arrow);
    return false;
  });
}

const keyOf = ({ from, to }: Pick<Arrow, 'from' | 'to'>): string => `${from} → ${to}`;

/** Adds each import between two neighbours to the arrows of the folder that holds both. */
function addArrows(
  { file, package: own, imports }: SourceModule,
  modules: ModuleGraph['modules'],
  folders: Map<string, Map<string, Arrow>>,
): void {
  for (const target of imports) {
    if (target.file === undefined || modules.get(target.file)?.package !== own) continue;
    const [from, to] = [file.split('/'), target.file.split('/')];
    const depth = from.findIndex((part, index) => part !== to[index]);
    if (depth === -1) continue;
    const neighbour = (parts: readonly string[]): string => `${parts[depth]}${depth < parts.length - 1 ? '/' : ''}`;
    const folder = from.slice(0, depth).join('/');
    const arrows = folders.get(folder) ?? new Map<string, Arrow>();
    folders.set(folder, arrows);
    const ends = { from: neighbour(from), to: neighbour(to) };
    const arrow = arrows.get(keyOf(ends)) ?? { ...ends, imports: new Set<string>(), isTypeOnly: true };
    arrows.set(keyOf(ends), arrow);
    arrow.imports.add(`${from.slice(depth).join('/')} imports ${to.slice(depth).join('/')}`);
    arrow.isTypeOnly &&= target.isTypeOnly;
  }
}

/** The first arrow that lies on a circle that counts, and the shortest way back from its end. */
function nextCircle(folder: string, arrows: readonly Arrow[]): Circle | undefined {
  const isRoom = (name: string): boolean => name.endsWith('/') || folder.endsWith('/src');
  for (const arrow of arrows) {
    if (!isRoom(arrow.from) && !isRoom(arrow.to)) continue;
    const path = shortestPath(arrow.to, arrow.from, arrows);
    if (path) return { arrow, path };
  }
  return undefined;
}

function shortestPath(start: string, end: string, arrows: readonly Arrow[]): string[] | undefined {
  const paths = [[start]];
  const seen = new Set([start]);
  for (const path of paths) {
    const last = path.at(-1);
    if (last === end) return path;
    for (const { from, to } of arrows) {
      if (from !== last || seen.has(to)) continue;
      seen.add(to);
      paths.push([...path, to]);
    }
  }
  return undefined;
}

function describe(folder: string, arrow: Arrow, path: readonly string[]): string {
  const types = arrow.isTypeOnly ? ', types only' : '';
  return [
    `${folder}: ${[arrow.from, ...path].join(' → ')}`,
    `  cut ${keyOf(arrow)} (${arrow.imports.size}${types}): move what both need below both, or pass it in as a value`,
    ...[...arrow.imports].map((line) => `  ${line}`),
  ].join('\n');
}
