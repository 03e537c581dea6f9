import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AskemaError } from '@askema/core';

/** Bundlers that write CommonJS leave `import.meta` empty. */
const THIS_MODULE: string = import.meta.url ?? '';

/** The exported entry point of the worker's program. */
const ENTRY_POINT = '@askema/sql-parser/worker';

/**
 * The file of the worker's program: the one given; beside this module as long as it lies in its own package; else, after bundling,
 * wherever the installed package has it.
 *
 * @throws AskemaError `CONFIG_INVALID` when there is none.
 */
export function findWorkerFile(workerPath: string | URL | undefined, module: string = THIS_MODULE): string {
  if (workerPath !== undefined) {
    const given = typeof workerPath === 'string' ? workerPath : fileURLToPath(workerPath);
    if (existsSync(given)) return given;
    throw new AskemaError('CONFIG_INVALID', `The worker's program (\`workerPath\`) ${given} does not exist. ${REMEDY}`);
  }
  const beside = besideModule(module) ?? installed(module);
  if (beside !== undefined) return beside;
  throw new AskemaError('CONFIG_INVALID', `The worker's program ${ENTRY_POINT} was not found. ${REMEDY}`);
}

const REMEDY = `After bundling, keep @askema/sql-parser external, or bundle ${ENTRY_POINT} as a file of its own and pass its path as \`workerPath\`.`;

/** Looks from the module's folder upwards to the package it is part of; a bundle is part of somebody else's. */
function besideModule(module: string): string | undefined {
  if (!module.startsWith('file:')) return undefined;
  for (let folder = new URL('./', module); folder.pathname !== '/'; folder = new URL('../', folder)) {
    const manifest = new URL('package.json', folder);
    if (!existsSync(manifest)) continue;
    if (nameOf(manifest) !== '@askema/sql-parser') return undefined;
    const file = new URL(module.endsWith('.ts') ? 'src/worker.ts' : 'dist/worker.js', folder);
    return existsSync(file) ? fileURLToPath(file) : undefined;
  }
  return undefined;
}

function nameOf(manifest: URL): unknown {
  try {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: unknown }).name;
  } catch {
    return undefined;
  }
}

function installed(module: string): string | undefined {
  for (const from of [module, `${process.cwd()}/`].filter((place) => place !== '')) {
    try {
      return createRequire(from).resolve(ENTRY_POINT);
    } catch {
      // Not installed there; the next place, or the error above.
    }
  }
  return undefined;
}
