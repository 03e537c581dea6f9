/**
 * Starting a worker ahead: `@askema/sqlite/start`. It loads little, so that the worker starts while its caller still
 * loads the adapter.
 */
import { findWorkerFile, type StartedDriver, startDriver } from '@askema/core/node';
import { ALLOCATOR, PASSED_ON } from './protocol.ts';

export type { StartedDriver } from '@askema/core/node';

/** Bundlers that write CommonJS leave `import.meta` empty. */
const THIS_MODULE: string = import.meta.url ?? '';

/**
 * Starts a worker for the option `worker` of `sqlite`. Who does not hand it over ends it.
 *
 * @throws AskemaError `CONFIG_INVALID` when its program is not found; see `workerPath` of `sqlite`.
 */
export function startWorker(workerPath?: string | URL): StartedDriver {
  return startDriver({ file: workerFile(workerPath), passOn: PASSED_ON, environment: ALLOCATOR });
}

/** The file of the workers' program. */
export function workerFile(workerPath: string | URL | undefined): string {
  return findWorkerFile({ packageName: '@askema/sqlite', module: THIS_MODULE, workerPath });
}
