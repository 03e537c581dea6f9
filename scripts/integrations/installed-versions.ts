import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONSUMER_DEPENDENCIES } from '../consumer/consumer-dependencies.ts';
import { type Manifest, ROOT } from '../workspace.ts';

type Versions = Readonly<Record<string, readonly string[]>>;

const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/**
 * The versions of a package that a file runs with: what its folder, or the nearest one above it, has in its lockfile, or
 * pins without one; else what `servers` has. Several where a folder has a package under two names; none where nothing
 * installs it.
 */
export function installedVersions(name: string, file: string): readonly string[] {
  const servers = globSync('servers/*', { cwd: ROOT });
  const sources = [...[...folders(file), 'servers'].map(inFolder), inRequirements(...servers), inGoModules(...servers)];
  return sources.find((versions) => Object.hasOwn(versions, name))?.[name] ?? [];
}

/** The folder of a file and all above it, the root last, with forward slashes. */
function folders(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? ['.'] : [folder, ...folders(folder)];
}

function inFolder(folder: string): Versions {
  const consumer = folder === 'scripts/consumer' ? grouped(Object.entries(CONSUMER_DEPENDENCIES)) : {};
  return {
    ...consumer,
    ...inRequirements(folder),
    ...inManifest(folder),
    ...inNpmLock(folder),
    ...inWorkspace(folder),
  };
}

/** The part of a folder in pnpm's lockfile. A package may be there under another name: `npm:real@version`. */
function inWorkspace(folder: string): Versions {
  const [, importers = ''] = /^importers:\n(.*?)^packages:/ms.exec(read('pnpm-lock.yaml')) ?? [];
  const start = `\n  ${folder}:\n`;
  if (!importers.includes(start)) return {};
  const [part = ''] = (importers.split(start)[1] ?? '').split(/^ {2}\S/m);
  const entries = [...part.matchAll(/^ {6}'?([^\s':]+)'?:\n {8}specifier: .*\n {8}version: ([^\s(]+)/gm)];
  return grouped(
    entries.map(([, name = '', version = '']) => {
      const [, real = name, other = version] = /^'?(@?[^@']+)@([^']+)/.exec(version) ?? [];
      return [real, other];
    }),
  );
}

function inNpmLock(folder: string): Versions {
  if (!existsSync(join(ROOT, folder, 'package-lock.json'))) return {};
  const { packages } = JSON.parse(read(folder, 'package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const top = Object.entries(packages).filter(([path]) => path.lastIndexOf('node_modules/') === 0);
  return grouped(top.map(([path, { version }]) => [path.slice('node_modules/'.length), version]));
}

/** What a project without a lockfile pins. */
function inManifest(folder: string): Versions {
  if (!existsSync(join(ROOT, folder, 'package.json'))) return {};
  const { dependencies, devDependencies } = JSON.parse(read(folder, 'package.json')) as Manifest;
  const entries = Object.entries({ ...dependencies, ...devDependencies });
  return grouped(entries.filter(([, version]) => /^\d/.test(version)));
}

/** What pip is told to install. */
function inRequirements(...folders: readonly string[]): Versions {
  const files = folders.filter((folder) => existsSync(join(ROOT, folder, 'requirements.txt')));
  const lines = files.map((folder) => read(folder, 'requirements.txt')).join('\n');
  const entries = [...lines.matchAll(/^([\w.-]+)(?:\[[^\]]*\])?==(\S+)$/gm)];
  return grouped(entries.map(([, name = '', version = '']) => [name, version]));
}

function inGoModules(...folders: readonly string[]): Versions {
  const files = folders.filter((folder) => existsSync(join(ROOT, folder, 'go.mod')));
  const lines = files.map((folder) => read(folder, 'go.mod')).join('\n');
  return grouped([...lines.matchAll(/^\t(\S+) v(\S+)$/gm)].map(([, name = '', version = '']) => [name, version]));
}

function grouped(entries: readonly (readonly [name: string, version: string])[]): Versions {
  const versions: Record<string, string[]> = {};
  for (const [name, version] of entries) versions[name] = [...(versions[name] ?? []), version];
  return versions;
}
