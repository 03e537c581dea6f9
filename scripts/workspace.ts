import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, '..');

/** The public address of the project; the root's `package.json` is its one place. */
export const REPOSITORY: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).repository;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly homepage?: string;
  readonly bugs?: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
  readonly files?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  readonly folder: string;
  /** `packages/core`, with forward slashes. */
  readonly path: string;
  readonly manifest: Manifest;
}

/** Every package that is published, by path. */
export function publishedPackages(root: string = ROOT): WorkspacePackage[] {
  const found: WorkspacePackage[] = [];
  for (const parent of ['packages', 'adapters']) {
    if (!existsSync(join(root, parent))) continue;
    for (const entry of readdirSync(join(root, parent)).sort()) {
      const folder = join(root, parent, entry);
      const file = join(folder, 'package.json');
      if (!existsSync(file)) continue;
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
      if (manifest.private !== true) found.push({ folder, path: `${parent}/${entry}`, manifest });
    }
  }
  return found;
}
