import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AskemaError } from '../errors/askema-error.ts';
import { ownPackage } from './own-package.ts';

/** Where a package that runs a worker looks for the worker's program. */
interface WorkerFilePlace {
  /**
   * The package: `@askema/sqlite`. Its program is its entry point `./worker`, in `src/worker.ts` and `dist/worker.js`.
   */
  readonly packageName: string;
  /** `import.meta.url` of a module of the package; empty where a bundler that writes CommonJS leaves none. */
  readonly module: string;
  /** What the user said. */
  readonly workerPath?: string | URL | undefined;
}

/**
 * The file of a worker's program: the one given; beside the module as long as it lies in its own package; else, after
 * bundling, wherever the installed package has it.
 *
 * @throws AskemaError `CONFIG_INVALID` when there is none.
 */
export function findWorkerFile({ packageName, module, workerPath }: WorkerFilePlace): string {
  const entryPoint = `${packageName}/worker`;
  const remedy = `After bundling, keep ${packageName} external, or bundle ${entryPoint} as a file of its own and pass its path as \`workerPath\`.`;
  if (workerPath !== undefined) {
    const given = typeof workerPath === 'string' ? workerPath : fileURLToPath(workerPath);
    if (existsSync(given)) return given;
    throw new AskemaError('CONFIG_INVALID', `The worker's program (\`workerPath\`) ${given} does not exist. ${remedy}`);
  }
  const beside = besideModule(packageName, module) ?? installed(entryPoint, module);
  if (beside !== undefined) return beside;
  throw new AskemaError('CONFIG_INVALID', `The worker's program ${entryPoint} was not found. ${remedy}`);
}

function besideModule(packageName: string, module: string): string | undefined {
  const own = ownPackage(packageName, module);
  if (own === undefined) return undefined;
  const file = new URL(module.endsWith('.ts') ? 'src/worker.ts' : 'dist/worker.js', own.folder);
  return existsSync(file) ? fileURLToPath(file) : undefined;
}

function installed(entryPoint: string, module: string): string | undefined {
  for (const from of [module, `${process.cwd()}/`].filter((place) => place !== '')) {
    try {
      return createRequire(from).resolve(entryPoint);
    } catch {
      // Not installed there; the next place, or the error above.
    }
  }
  return undefined;
}
