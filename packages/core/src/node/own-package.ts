import { existsSync, readFileSync } from 'node:fs';

/** Where a package is, and which version. */
export interface OwnPackage {
  readonly folder: URL;
  readonly version: string | undefined;
}

/**
 * The package of this name, if the module is part of it: the nearest `package.json` above the module says so. Undefined
 * in a bundle, which is part of somebody else's package.
 *
 * @param module `import.meta.url` of the module; empty where a bundler that writes CommonJS leaves none.
 */
export function ownPackage(name: string, module: string): OwnPackage | undefined {
  if (!module.startsWith('file:')) return undefined;
  for (let folder = new URL('./', module); folder.pathname !== '/'; folder = new URL('../', folder)) {
    const file = new URL('package.json', folder);
    if (!existsSync(file)) continue;
    const manifest = manifestOf(file);
    if (manifest.name !== name) return undefined;
    return { folder, version: typeof manifest.version === 'string' ? manifest.version : undefined };
  }
  return undefined;
}

function manifestOf(file: URL): { readonly name?: unknown; readonly version?: unknown } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown; readonly version?: unknown };
  } catch {
    return {};
  }
}
