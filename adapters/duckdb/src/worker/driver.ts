import type * as Driver from '@duckdb/node-api';

export type { Driver };

/** The driver, at its first use in this process. Rejects as the import does when it is not installed. */
export async function loadDriver(): Promise<typeof Driver> {
  return import('@duckdb/node-api');
}
