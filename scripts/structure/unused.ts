import { join } from 'node:path';
import type { JSONReport } from 'knip';
import { runCommand } from '../run-command.ts';
import { ROOT } from '../workspace.ts';
import type { Breach } from './breach.ts';
import type { ModuleGraph } from './module-graph.ts';

/** What knip reports, by its own name, in our words and with what to do. */
const ISSUES: Readonly<Record<string, string>> = {
  files: 'nothing imports this file: delete it, or name it in knip.jsonc if people start it',
  dependencies: 'unused dependency: take it out of package.json',
  devDependencies: 'unused development dependency: take it out of package.json',
  optionalPeerDependencies: 'used, but only an optional peer: import it where its absence is handled',
  unlisted: 'used, but not in package.json: add it',
  binaries: 'program that no dependency brings: add the package that does',
  unresolved: 'import that leads nowhere: correct it',
  exports: 'no other file imports it: drop `export`, and the whole where its own file does not use it either',
  types: 'no other file imports this type: drop `export`, and the whole where its own file does not use it either',
  enumMembers: 'unused member: delete it',
  namespaceMembers: 'unused member: delete it',
  duplicates: 'exported under two names: keep one',
};

/** Exports, files and dependencies that nobody uses. Entry points of packages are used; a test uses what it imports. */
export function findUnused(root: string, { packages, modules }: ModuleGraph): Breach[] {
  const breaches: Breach[] = [];
  const add = (file: string, message: string): void => {
    const owner = packages.find(({ path }) => file.startsWith(`${path}/`))?.path;
    breaches.push({ rule: 'unused', package: owner ?? (file.startsWith('examples/') ? 'examples' : '.'), message });
  };
  for (const { file, ...issues } of runKnip(root).issues) {
    for (const [kind, found] of Object.entries(issues)) {
      for (const item of (found as readonly { readonly name: string; readonly line?: number }[][]).flat()) {
        const place = item.line === undefined ? file : `${file}:${item.line}`;
        add(file, `${place}${item.name === file ? '' : ` ${item.name}`}: ${ISSUES[kind] ?? kind}`);
      }
    }
  }
  for (const { file, isSource } of modules.values()) {
    if (isSource || file.endsWith('.test.ts')) continue;
    const importers = [...modules.values()].filter(({ imports }) => imports.some((target) => target.file === file));
    if (importers.length === 1 && importers[0]?.file.replace(/(\.process)?\.test\.ts$/, '.ts') === file) {
      add(file, `${file}: only its own test imports it: delete both`);
    }
  }
  return breaches;
}

function runKnip(root: string): JSONReport {
  const bin = join(ROOT, 'node_modules', '.bin', 'knip');
  const parameters = ['--directory', root, '--config', join(ROOT, 'knip.jsonc'), '--reporter', 'json', '--no-progress'];
  const { status, stdout, stderr } = runCommand(bin, parameters, { cwd: root });
  // 0: nothing found, 1: something found, 2: it broke.
  if (status > 1) throw new Error(`knip could not run:\n${stdout}\n${stderr}`);
  return JSON.parse(stdout) as JSONReport;
}
