import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

/** The path of a program of `tools/`. */
export function toolProgram(name: string): string {
  installTools();
  return join(TOOLS, 'node_modules', '.bin', name);
}
