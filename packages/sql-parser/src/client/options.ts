import { checkTimer, checkWhole } from '@askema/core';
import { findWorkerFile as findIn } from '@askema/core/node';
import type { ComplexityLimits } from '../source/complexity.ts';

/** Options of every parser of this package. */
export interface SqlParserOptions {
  /** For one statement, without the start of the thread. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Operators that hang on each other; 800 kill the default back-end's module. Default 400. */
  readonly maxChainedOperators?: number | undefined;
  /** Brackets and CASE within each other; the default back-end takes minutes for 50. Default 32. */
  readonly maxNesting?: number | undefined;
  /** UTF-16 code units of the source. Default 1,000,000. */
  readonly maxLength?: number | undefined;
  /** Heap of the thread in mebibytes. Default 512. */
  readonly maxMemoryMb?: number | undefined;
  /** The program of the worker, where a bundler has moved it: `@askema/sql-parser/worker` as a file of its own. */
  readonly workerPath?: string | URL | undefined;
}

interface ResolvedOptions {
  readonly timeoutMs: number;
  readonly maxMemoryMb: number;
  readonly limits: ComplexityLimits;
  workerFile(): string;
}

/**
 * Options with their defaults. @throws AskemaError `CONFIG_INVALID` for a limit that is no positive whole number, or a
 * missing `workerPath`.
 */
export function readOptions(options: SqlParserOptions): ResolvedOptions {
  const given = options.workerPath === undefined ? undefined : findWorkerFile(options.workerPath);
  return {
    timeoutMs: checkTimer('timeoutMs', options.timeoutMs ?? 5_000),
    maxMemoryMb: checkWhole('maxMemoryMb', options.maxMemoryMb ?? 512),
    limits: {
      maxChainedOperators: checkWhole('maxChainedOperators', options.maxChainedOperators ?? 400),
      maxNesting: checkWhole('maxNesting', options.maxNesting ?? 32),
      maxLength: checkWhole('maxLength', options.maxLength ?? 1_000_000),
    },
    workerFile: () => given ?? findWorkerFile(undefined),
  };
}

/** Bundlers that write CommonJS leave `import.meta` empty. */
const THIS_MODULE: string = import.meta.url ?? '';

/**
 * The file of the worker's program; `module` is where it is looked for.
 *
 * @throws AskemaError `CONFIG_INVALID` when there is none.
 */
export function findWorkerFile(workerPath: string | URL | undefined, module: string = THIS_MODULE): string {
  return findIn({ packageName: '@askema/sql-parser', module, workerPath });
}
