import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../workspace.ts';

type Versions = Readonly<Record<string, readonly string[]>>;

const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

/**
 * The versions of a package that a file runs with: what its folder, or the nearest one above it, has in its lockfile; else
 * what `servers` has. Several where a folder has a package under two names; none where nothing installs it.
 */
export function installedVersions(name: string, file: string): readonly string[] {
  const sources = [...(file.startsWith('scripts/consumer/') ? [consumer()] : []), ...folders(file).map(inFolder)];
  const found = [...sources, inFolder('servers'), inRequirements(...globSync('servers/*', { cwd: ROOT }))].find(
    (versions) => Object.hasOwn(versions, name),
  );
  return found?.[name] ?? [];
}

/** The folder of a file and all above it, the root last, with forward slashes. */
function folders(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? ['.'] : [folder, ...folders(folder)];
}

function inFolder(folder: string): Versions {
  return { ...inRequirements(folder), ...inNpmLock(folder), ...inWorkspace(folder) };
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

/** What pip is told to install. */
function inRequirements(...folders: readonly string[]): Versions {
  const files = folders.filter((folder) => existsSync(join(ROOT, folder, 'requirements.txt')));
  const lines = files.map((folder) => read(folder, 'requirements.txt')).join('\n');
  const entries = [...lines.matchAll(/^([\w.-]+)(?:\[[^\]]*\])?==(\S+)$/gm)];
  return grouped(entries.map(([, name = '', version = '']) => [name, version]));
}

/** The project that the consumer test installs has no lockfile: a range stands for what npm finds on that day. */
function consumer(): Versions {
  const [, list = ''] = /^ {6}dependencies: \{\n(.*?)^ {6}\},$/ms.exec(read('scripts', 'consumer', 'run.ts')) ?? [];
  const entries = [...list.matchAll(/^ +'?([^\s':]+)'?: '([^']+)',$/gm)];
  return grouped(entries.map(([, name = '', version = '']) => [name, version]));
}

function grouped(entries: readonly (readonly [name: string, version: string])[]): Versions {
  const versions: Record<string, string[]> = {};
  for (const [name, version] of entries) versions[name] = [...(versions[name] ?? []), version];
  return versions;
}
