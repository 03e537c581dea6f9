import { findWorkerFile as findIn } from '@askema/core/node';

/** Bundlers that write CommonJS leave `import.meta` empty. */
const THIS_MODULE: string = import.meta.url ?? '';

/**
 * The file of the engine process's program; `module` is where it is looked for.
 *
 * @throws AskemaError `CONFIG_INVALID` when there is none.
 */
export function findWorkerFile(workerPath: string | URL | undefined, module: string = THIS_MODULE): string {
  return findIn({ packageName: '@askema/duckdb', module, workerPath });
}
