/**
 * Checks the licences of everything that the published packages bring to a user: their runtime dependencies and
 * optional peers, followed through node_modules. Usage: node scripts/check-licences.ts
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Manifest, publishedPackages } from './workspace.ts';

/** Licences that ask for no more than their text and, where there is one, a notice. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
  'PSF-2.0',
]);

/** `(MIT OR GPL-2.0)` is allowed when one side is, `MIT AND ISC` when both are. */
function isAllowed(expression: string): boolean {
  const text = expression.replace(/^\(|\)$/g, '').trim();
  if (/\sOR\s/.test(text)) return text.split(/\sOR\s/).some(isAllowed);
  if (/\sAND\s/.test(text)) return text.split(/\sAND\s/).every(isAllowed);
  return ALLOWED.has(text);
}

/** `licenses` is how packages stated it before npm 2: each of the list may be chosen. */
interface LicensedManifest extends Manifest {
  readonly licenses?: readonly { readonly type?: string }[];
}

function licenceOf({ license, licenses }: LicensedManifest): string {
  if (typeof license === 'string') return license;
  const types = Array.isArray(licenses) ? licenses.map(({ type }) => type ?? 'none stated') : [];
  return types.length === 0 ? 'none stated' : types.join(' OR ');
}

/** The folder of a dependency as Node would find it from `from`. */
function resolveFolder(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (dirname(folder) === folder) return undefined;
  }
}

const seen = new Map<string, string>();
const problems: string[] = [];

function visit(folder: string, isOwn: boolean): void {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as LicensedManifest;
  const key = `${manifest.name}@${manifest.version}`;
  if (seen.has(key)) return;
  const licence = licenceOf(manifest);
  seen.set(key, licence);
  if (!isAllowed(licence)) problems.push(`${key}: ${licence}`);
  const optionalPeers = isOwn ? Object.keys(manifest.peerDependencies ?? {}) : [];
  for (const name of [...Object.keys(manifest.dependencies ?? {}), ...optionalPeers]) {
    const found = resolveFolder(name, folder);
    if (found !== undefined) visit(found, name.startsWith('@askema/') || name === 'askema');
    else problems.push(`${key}: its dependency ${name} is not installed, so its licence is unknown`);
  }
}

for (const { folder } of publishedPackages()) visit(folder, true);
const counts = new Map<string, number>();
for (const licence of seen.values()) counts.set(licence, (counts.get(licence) ?? 0) + 1);
console.log(`${seen.size} packages: ${[...counts].map(([licence, count]) => `${licence} ${count}`).join(', ')}`);
if (problems.length > 0) {
  console.log(`Not allowed:\n${problems.join('\n')}`);
  process.exitCode = 1;
}
