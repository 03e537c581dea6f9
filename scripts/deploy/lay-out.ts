import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publishedPackages } from '../workspace.ts';

/** Copies the packed packages that the command needs, and no others, with a `package.json` beside them that installs them. */
export function layOut(folder: string, packed: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  const dependencies = [...neededBy('askema')].sort().map((name) => {
    const tarball = packed.get(name) ?? '';
    copyFileSync(tarball, join(folder, basename(tarball)));
    return [name, `file:packages/${basename(tarball)}`];
  });
  const manifest = { name: 'askema-deployed', private: true, dependencies: Object.fromEntries(dependencies) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** A package and what it needs of this repository. */
function neededBy(name: string): ReadonlySet<string> {
  const known = new Map(publishedPackages().map(({ manifest }) => [manifest.name, manifest]));
  const found = new Set<string>();
  const visit = (one: string): void => {
    const manifest = known.get(one);
    if (manifest === undefined || found.has(one)) return;
    found.add(one);
    for (const needed of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) visit(needed);
  };
  visit(name);
  return found;
}
