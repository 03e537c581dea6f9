import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mustRun } from './run-command.ts';
import { ROOT } from './workspace.ts';

const TOOLS = join(ROOT, 'tools');

/** Brings what `tools/` lists, once a clone: only the scripts that need it pay for it. */
function installTools(): void {
  if (!existsSync(join(TOOLS, 'node_modules')))
    mustRun('npm', ['ci', '--prefix', TOOLS, '--no-audit', '--no-fund', '--loglevel=error']);
}

/** A library of `tools/`. The caller says what it uses of it. */
export function requireTool<Used>(name: string): Used {
  installTools();
  return createRequire(join(TOOLS, 'package.json'))(name) as Used;
}

/** The same for a library that is an ES module alone. */
export async function importTool<Used>(name: string): Promise<Used> {
  installTools();
  const { resolve } = createRequire(join(TOOLS, 'package.json'));
  return (await import(pathToFileURL(resolve(name)).href)) as Used;
}
