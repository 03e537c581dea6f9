/**
 * Prints what a clone installs, as a Markdown table: the packages of at least 5 MB, largest first, and the sum. Space on
 * the disk, as `du -m` counts it. Usage: node scripts/measure-install.ts (in a fresh clone: pnpm removes late what is
 * not needed any more).
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './workspace.ts';

const SHOWN_MB = 5;
const store = join(ROOT, 'node_modules', '.pnpm');

const counted = new Set<number>();

/** A file that several packages share, as a package that stands there for several peers does, counts once. */
function bytesOf(path: string): number {
  const entry = lstatSync(path);
  const isDirectory = entry.isDirectory();
  if (!isDirectory && counted.has(entry.ino)) return 0;
  counted.add(entry.ino);
  const inside = isDirectory ? readdirSync(path).map((name) => bytesOf(join(path, name))) : [];
  return inside.reduce((sum, bytes) => sum + bytes, entry.blocks * 512);
}

const packages = readdirSync(store)
  .map((folder) => ({
    name: folder.split('_')[0]?.replace('+', '/') ?? folder,
    mb: bytesOf(join(store, folder)) / 2 ** 20,
  }))
  .sort((a, b) => b.mb - a.mb);
const all = packages.reduce((sum, { mb }) => sum + mb, 0);
const large = packages.filter(({ mb }) => mb >= SHOWN_MB);
const rest = large.reduce((sum, { mb }) => sum - mb, all);
console.log('| package | MB |\n| --- | ---: |');
for (const { name, mb } of large) console.log(`| ${name} | ${mb.toFixed(0)} |`);
console.log(`| ${packages.length - large.length} others | ${rest.toFixed(0)} |\n| all | ${all.toFixed(0)} |`);
