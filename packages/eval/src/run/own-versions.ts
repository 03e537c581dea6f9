import { readFileSync } from 'node:fs';

/** The versions that a run is begun with: of Node, and of this package where its manifest can be found (a bundler may have left it behind). */
export function ownVersions(): Readonly<Record<string, string>> {
  const own = ownVersion(new URL('.', import.meta.url));
  return { node: process.versions.node, ...(own === undefined ? {} : { '@askema/eval': own }) };
}

/** The manifest stands one folder above what is built, and two above the sources. */
function ownVersion(folder: URL): string | undefined {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(place, folder), 'utf8')) as {
        name?: unknown;
        version?: unknown;
      };
      if (manifest.name === '@askema/eval' && typeof manifest.version === 'string') return manifest.version;
    } catch {
      // Not there, or no manifest: the next place.
    }
  }
  return undefined;
}
