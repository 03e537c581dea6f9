import { createRequire } from 'node:module';
import type * as Driver from '@duckdb/node-api';

export type { Driver };

/**
 * Loads the optional peer from where the worker's file lies; throws what `require` throws. `import` would first read
 * its hundred files of CommonJS for the names that they export, which takes a fifth of a second.
 */
export function loadDriver(): typeof Driver {
  return createRequire(import.meta.url)('@duckdb/node-api') as typeof Driver;
}
