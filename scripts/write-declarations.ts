/**
 * Writes the declarations of every published package into its `dist`: one run of the native compiler over all sources,
 * of which each package keeps what its entry points lead to.
 * Usage: node scripts/write-declarations.ts (after the bundles, which empty `dist`).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { mustRun } from './run-command.ts';
import { publishedPackages, ROOT } from './workspace.ts';

/** The specifier of each import of a declaration, between its quotes. */
const IMPORT = /(?<=\bfrom |\bimport\(|\bimport )(['"])(\.{1,2}\/[^'"]+)\.ts\1/g;
const emitted = mkdtempSync(join(tmpdir(), 'askema-declarations-'));
try {
  mustRun(
    process.execPath,
    [
      ...[join(ROOT, 'node_modules/typescript-native/bin/tsc'), '-p', 'tsconfig.declarations.json'],
      ...['--outDir', emitted],
    ],
    { cwd: ROOT },
  );
  for (const { path, folder, manifest } of publishedPackages()) {
    const sources = join(emitted, path, 'src');
    const entries = Object.values(manifest.exports ?? {}).map((target) => (target as { types?: string }).types);
    const reached = entries.flatMap((types) => (types ? [join(sources, relative('dist', types))] : []));
    for (const file of reached) {
      const text = readFileSync(file, 'utf8').replace(IMPORT, (_, quote: string, target: string) => {
        const imported = resolve(dirname(file), `${target}.d.ts`);
        if (!reached.includes(imported)) reached.push(imported);
        return `${quote}${target}.js${quote}`;
      });
      const written = file.replace(sources, join(folder, 'dist'));
      mkdirSync(dirname(written), { recursive: true });
      writeFileSync(written, text);
    }
    console.log(`${path}: ${reached.length} declarations`);
  }
} finally {
  rmSync(emitted, { recursive: true, force: true });
}
