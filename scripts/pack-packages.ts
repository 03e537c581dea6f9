import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './run-command.ts';
import { publishedPackages, ROOT } from './workspace.ts';

/**
 * Packs every published package as it would be published, with one call of pnpm. Returns the tarball of each by the
 * package's name; throws where one is missing.
 */
export function packPackages(folder: string): ReadonlyMap<string, string> {
  mustRun('npx', ['-y', 'pnpm@10', '-s', '-r', 'pack', '--pack-destination', folder], { cwd: ROOT });
  return new Map(
    publishedPackages().map(({ manifest: { name, version } }) => {
      const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
      if (!existsSync(tarball)) throw new Error(`${name}@${version} was not packed as ${tarball}`);
      return [name, tarball];
    }),
  );
}
