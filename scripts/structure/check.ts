/**
 * Holds the structure of the workspace: no circles between folders, no imports against a floor (floors.ts) or into the
 * folder of another package, no unused exports, files or dependencies. Exits with 1 on a breach.
 * Usage: node scripts/structure/check.ts [--json] [FOLDER], by default of this workspace
 */
import { parseArgs } from 'node:util';
import { ROOT } from '../workspace.ts';
import { checkStructure, printBreaches } from './check-structure.ts';

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const breaches = await checkStructure(positionals[0] ?? ROOT);
console.log(values.json ? JSON.stringify(breaches, undefined, 2) : printBreaches(breaches));
if (breaches.length > 0) process.exitCode = 1;
