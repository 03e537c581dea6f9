import type { Breach } from './breach.ts';
import { floorBreach } from './floors.ts';
import type { ModuleGraph } from './module-graph.ts';

/** Imports of another package against its floor (sources), or by a path into its folder (sources and tests). */
export function findFloorBreaches({ packages, modules }: ModuleGraph): Breach[] {
  const breaches: Breach[] = [];
  for (const { file, package: own, isSource, imports } of modules.values()) {
    for (const { specifier, file: target } of imports) {
      const other = target === undefined ? undefined : modules.get(target)?.package;
      const add = (rule: Breach['rule'], reason: string): void => {
        breaches.push({ rule, package: own.path, message: `${file} imports ${specifier}: ${reason}` });
      };
      const isPath = other === undefined ? isHidden(specifier, packages) : other !== own && specifier.startsWith('.');
      if (isPath) add('path', 'import a package by its name or an entry point of its exports, never by a path into it');
      else if (isSource && other !== undefined && other !== own) {
        const reason = floorBreach(own.path, other.path);
        if (reason) add('floor', reason);
      }
    }
  }
  return breaches;
}

/** `@askema/core/src/x.ts`, `@askema/core/dist/x.js`: below the name of a package, and none of its entry points. */
function isHidden(specifier: string, packages: ModuleGraph['packages']): boolean {
  return packages.some(
    ({ manifest: { name, exports } }) =>
      specifier.startsWith(`${name}/`) && exports?.[specifier.replace(name, '.')] === undefined,
  );
}
